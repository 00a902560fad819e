import { nobleHopCipher } from "@keymoot/transport"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { aesGcmSiv } from "../../src/ciphers/aes-gcm-siv.ts"
import { webAesGcm, aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { nodeAesGcm } from "../../src/ciphers/node-aes-gcm.ts"
import { chacha20Poly1305, loadCipher } from "../../src/ciphers/load-cipher.ts"
import { nodeHopCipher } from "../../src/platform/hop-cipher.ts"
import { nodeCrypto } from "../../src/platform/node-crypto.ts"
import { sodiumHopCipher } from "../../src/platform/sodium-hop-cipher.ts"

const key = () => Uint8Array.from({ length: 32 }, (_, i) => i)
const nonce = new Uint8Array(12).fill(1)
const associated = Uint8Array.of(1, 2, 3)
const chachas = {
  Node: chacha20Poly1305(nodeHopCipher()!),
  libsodium: chacha20Poly1305(await sodiumHopCipher()),
  noble: chacha20Poly1305(nobleHopCipher),
}
const aeads = {
  "AES-256-GCM of Node": (of: Uint8Array) => nodeAesGcm(nodeCrypto()!, of),
  "AES-256-GCM of WebCrypto": webAesGcm,
  "ChaCha20-Poly1305 of Node": chachas.Node.create,
  "ChaCha20-Poly1305 of libsodium": chachas.libsodium.create,
  "ChaCha20-Poly1305 of noble": chachas.noble.create,
  "AES-256-GCM-SIV": aesGcmSiv.create,
}

describe.each(Object.entries(aeads))("%s", (_, create) => {
  test("opens nothing that was altered, nor under another nonce or key", async () => {
    const aead = create(key())
    const sealed = await aead.seal(nonce, associated, Uint8Array.of(1, 2, 3, 4))
    expect(await aead.open(nonce, associated, sealed)).toEqual(Uint8Array.of(1, 2, 3, 4))
    for (let at = 0; at < sealed.length; at++)
      expect(await aead.open(nonce, associated, sealed.with(at, sealed[at]! ^ 1))).toBeNull()
    for (let length = 0; length < sealed.length; length++)
      expect(await aead.open(nonce, associated, sealed.subarray(0, length))).toBeNull()
    expect(await aead.open(nonce.with(0, 9), associated, sealed)).toBeNull()
    expect(await aead.open(nonce, associated.with(0, 9), sealed)).toBeNull()
    expect(await create(key().with(0, 9)).open(nonce, associated, sealed)).toBeNull()
  })

  test("keeps a copy of the key, which the caller may overwrite", async () => {
    const bytes = key()
    const aead = create(bytes)
    bytes.fill(0)
    expect(await aead.seal(nonce, associated, key())).toEqual(await create(key()).seal(nonce, associated, key()))
  })

  test("returns bytes that a later call does not overwrite", async () => {
    const aead = create(key())
    const [first, second] = [key(), key().fill(9)]
    const opened = await aead.open(nonce, associated, await aead.seal(nonce, associated, first))
    await aead.open(nonce, associated, await aead.seal(nonce, associated, second))
    expect(opened).toEqual(first)
  })
})

test.each([
  ["AES-256-GCM", [aeads["AES-256-GCM of Node"], aeads["AES-256-GCM of WebCrypto"]]],
  ["ChaCha20-Poly1305", Object.values(chachas).map(({ create }) => create)],
])("all implementations of %s seal alike", async (_, implementations) => {
  for (const length of [0, 1, 16, 4096, 262_144]) {
    const plaintext = Uint8Array.from({ length }, (_, i) => i & 255)
    const [first, ...others] = await Promise.all(
      implementations.map((create) => create(key()).seal(nonce, associated, plaintext)),
    )
    expect(first).toHaveLength(length + 16)
    for (const other of others) expect(other).toEqual(first)
    for (const create of implementations) expect(await create(key()).open(nonce, associated, first!)).toEqual(plaintext)
  }
})

test("ChaCha20-Poly1305 has the bytes of RFC 8439, section 2.8.2", async () => {
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
  const sealed = await chachas.libsodium
    .create(hexToBytes("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"))
    .seal(hexToBytes("070000004041424344454647"), hexToBytes("50515253c0c1c2c3c4c5c6c7"), utf8ToBytes(text))
  expect(bytesToHex(sealed)).toBe(
    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b" +
      "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc" +
      "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691",
  )
})

/** Key's first byte, nonce's first byte, associated data, plaintext, result. */
const RFC_8452: readonly (readonly [number, number, string, string, string])[] = [
  [1, 3, "", "", "07f5f4169bbf55a8400cd47ea6fd400f"],
  [1, 3, "", "0100000000000000", "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28"],
  [1, 3, "01", "0200000000000000", "1de22967237a813291213f267e3b452f02d01ae33e4ec854"],
  // Appendix C.3: the counter wraps.
  [
    0,
    0,
    "",
    "000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108",
    "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3eaffffffff000000000000000000000000",
  ],
]

test("AES-256-GCM-SIV has the bytes of RFC 8452, appendices C.2 and C.3", async () => {
  for (const [keyByte, nonceByte, data, plaintext, result] of RFC_8452) {
    const aead = aesGcmSiv.create(new Uint8Array(32).with(0, keyByte))
    const sealed = await aead.seal(new Uint8Array(12).with(0, nonceByte), hexToBytes(data), hexToBytes(plaintext))
    expect(bytesToHex(sealed)).toBe(result)
  }
})

describe("a listener who sees two messages under one key and nonce", () => {
  const [one, other] = [utf8ToBytes("attack at dawn!!"), utf8ToBytes("retreat to sea!!")] as const
  const difference = (a: Uint8Array, b: Uint8Array): string =>
    bytesToHex(a.subarray(0, 16).map((byte, at) => byte ^ b[at]!))

  test.each([
    ["aes-256-gcm", true],
    ["chacha20-poly1305", true],
    ["aes-256-gcm-siv", false],
  ] as const)("learns their difference under %s: %s", async (name, learns) => {
    const aead = (await loadCipher(name, nobleHopCipher)).create(key())
    const [first, second] = [await aead.seal(nonce, associated, one), await aead.seal(nonce, associated, other)]
    expect(difference(first, second) === difference(one, other)).toBe(learns)
  })
})

test("each cipher is loaded under its own name", async () => {
  for (const name of ["aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"] as const)
    expect((await loadCipher(name, nobleHopCipher)).name).toBe(name)
  expect(await loadCipher("aes-256-gcm", nobleHopCipher)).toBe(aesGcm)
})
