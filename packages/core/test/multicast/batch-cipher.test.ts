import { expect, test } from "vitest"
import { createBatchCipher, nodeBatchCipher, webBatchCipher } from "../../src/multicast/batch-cipher.ts"
import { nodeCrypto } from "../../src/platform/node-crypto.ts"

const key = () => Uint8Array.from({ length: 32 }, (_, i) => i)
const ciphers = { Node: nodeBatchCipher(nodeCrypto()!, key()), WebCrypto: webBatchCipher(key()) }
const nonce = new Uint8Array(12).fill(1)
const associated = Uint8Array.of(1, 2, 3)

test.each([0, 1, 16, 4096, 262_144])(
  "Node and WebCrypto seal %i bytes alike, and open what the other sealed",
  async (length) => {
    const plaintext = Uint8Array.from({ length }, (_, i) => i & 255)
    const [byNode, byWeb] = [
      await ciphers.Node.seal(nonce, associated, plaintext),
      await ciphers.WebCrypto.seal(nonce, associated, plaintext),
    ]
    expect(byNode).toHaveLength(length + 16)
    expect(byNode).toEqual(byWeb)
    for (const cipher of Object.values(ciphers)) expect(await cipher.open(nonce, associated, byNode)).toEqual(plaintext)
  },
)

test.each(Object.entries(ciphers))(
  "%s opens nothing that was altered, nor under another nonce or key",
  async (_, cipher) => {
    const sealed = await cipher.seal(nonce, associated, Uint8Array.of(1, 2, 3, 4))
    for (let at = 0; at < sealed.length; at++) {
      expect(await cipher.open(nonce, associated, sealed.with(at, sealed[at]! ^ 1))).toBeNull()
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(await cipher.open(nonce, associated, sealed.subarray(0, length))).toBeNull()
    }
    expect(await cipher.open(nonce.with(0, 9), associated, sealed)).toBeNull()
    expect(await cipher.open(nonce, associated.with(0, 9), sealed)).toBeNull()
    expect(await createBatchCipher(key().with(0, 9)).open(nonce, associated, sealed)).toBeNull()
  },
)

test("the key is overwritten once the cipher has it", () => {
  const bytes = key()
  createBatchCipher(bytes)
  expect(bytes).toEqual(new Uint8Array(32))
})
