import { nobleHopCipher } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { nodeHopCipher } from "../../src/platform/hop-cipher.ts"
import { sodiumHopCipher } from "../../src/platform/sodium-hop-cipher.ts"

const ciphers = { node: nodeHopCipher()!, sodium: await sodiumHopCipher() }

test.each(Object.entries(ciphers))(
  "%s seals as noble does, opens what it seals, and nothing that was altered",
  (_, cipher) => {
    for (const length of [0, 1, 63, 64, 65, 1000, 16_384, 60_000, 100]) {
      const [key, nonce, header, plain] = [32, 12, 25, length].map((bytes) => randomBytes(bytes)) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ]
      const [sealed, byNoble] = [new Uint8Array(length + 16), new Uint8Array(length + 16)]
      cipher.seal(key, nonce, header, plain, sealed)
      nobleHopCipher.seal(key, nonce, header, plain, byNoble)
      expect(sealed).toEqual(byNoble)
      for (const other of [cipher, nobleHopCipher]) expect(other.open(key, nonce, header, sealed)).toEqual(plain)
      for (const [i, part] of [key, nonce, header, sealed].entries()) {
        const altered = part.slice()
        altered[altered.length - 1]! ^= 1
        const parts = [key, nonce, header, sealed].map((each, at) => (at === i ? altered : each))
        expect(cipher.open(...(parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]))).toBeNull()
      }
      expect(cipher.open(key, nonce, header, sealed.subarray(0, 15))).toBeNull()
    }
  },
)

test.each(Object.entries(ciphers))("%s takes no key and no nonce of another length", (_, { seal }) => {
  const sealed = new Uint8Array(17)
  for (const [keyBytes, nonceBytes] of [
    [31, 12],
    [33, 12],
    [32, 11],
    [32, 13],
  ] as const) {
    const [key, nonce] = [new Uint8Array(keyBytes), new Uint8Array(nonceBytes)]
    expect(() => seal(key, nonce, new Uint8Array(), new Uint8Array(1), sealed)).toThrow()
  }
})
