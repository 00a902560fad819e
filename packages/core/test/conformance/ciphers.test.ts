/** Own ciphers and the shipped ones against the rules, and one broken cipher for each rule. */
import { nobleHopCipher } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { aesCtrHmac } from "../../../../examples/own-modules/cipher.js"
import { aesGcmSiv } from "../../src/ciphers/aes-gcm-siv.ts"
import { webAesGcm } from "../../src/ciphers/aes-gcm.ts"
import { nodeAesGcm } from "../../src/ciphers/node-aes-gcm.ts"
import { chacha20Poly1305 } from "../../src/ciphers/load-cipher.ts"
import type { Aead, DataCipher } from "../../src/ciphers/aead.ts"
import { checkCipher, type CipherRule } from "../../src/conformance/index.ts"
import { nodeCrypto } from "../../src/platform/node-crypto.ts"

const named = (name: string, create: DataCipher["create"]): DataCipher => ({ name: `own:${name}`, create })
const chacha = chacha20Poly1305(nobleHopCipher).create

test.each([
  named("gcm-node", (key) => nodeAesGcm(nodeCrypto()!, key)),
  named("gcm-web", webAesGcm),
  named("chacha", chacha),
  named("gcm-siv", aesGcmSiv.create),
  aesCtrHmac,
])("$name breaks no rule", async (cipher) => {
  expect(await checkCipher(cipher)).toEqual([])
})

type Sealed = [nonce: Uint8Array, data: Uint8Array, bytes: Uint8Array]
/** Changes one thing about a good cipher. */
const broken = (change: (aead: Aead, key: Uint8Array) => Partial<Aead>): DataCipher =>
  named("broken", (key) => {
    const aead = chacha(key)
    return { ...aead, ...change(aead, key) }
  })
const NOTHING = new Uint8Array(0)
const shared = new Uint8Array(300_000)
const instances: Aead[] = []
let count = 0

const BROKEN: readonly (readonly [CipherRule, string, DataCipher])[] = [
  ["name", "has a built-in name", { name: "aes-256-gcm", create: chacha }],
  ["name", "has capital letters", named("ChaCha", chacha)],
  [
    "round-trip",
    "loses empty texts",
    broken((aead) => ({
      open: async (...sealed: Sealed) => ((await aead.open(...sealed))?.length ? aead.open(...sealed) : null),
    })),
  ],
  [
    "length",
    "adds a byte",
    broken((aead) => ({
      seal: async (...text: Sealed) => concatBytes(await aead.seal(...text), Uint8Array.of(0)),
      open: (nonce, data, sealed) => (sealed.at(-1) === 0 ? aead.open(nonce, data, sealed.subarray(0, -1)) : null),
    })),
  ],
  [
    "secrecy",
    "encrypts nothing",
    broken((aead) => ({
      seal: async (nonce, data, text) => concatBytes(text, await aead.seal(nonce, concatBytes(data, text), NOTHING)),
      open: async (nonce, data, sealed) => {
        if (sealed.length < 16) return null
        const text = sealed.slice(0, -16)
        return (await aead.open(nonce, concatBytes(data, text), sealed.subarray(-16))) && text
      },
    })),
  ],
  [
    "deterministic",
    "draws a bit of its own",
    broken((aead) => ({
      seal: (nonce, data, text) => aead.seal(nonce, concatBytes(data, Uint8Array.of(++count & 1)), text),
      open: async (nonce, data, sealed) =>
        (await aead.open(nonce, concatBytes(data, Uint8Array.of(0)), sealed)) ??
        (await aead.open(nonce, concatBytes(data, Uint8Array.of(1)), sealed)),
    })),
  ],
  [
    "tampering",
    "authenticates the length of the text only",
    broken((aead) => {
      const lengthOf = (data: Uint8Array, text: Uint8Array): Uint8Array =>
        concatBytes(data, new Uint8Array(text.length))
      const mixed = async (nonce: Uint8Array, text: Uint8Array): Promise<Uint8Array> => {
        const stream = await aead.seal(nonce, NOTHING, new Uint8Array(text.length))
        return text.map((byte, i) => byte ^ stream[i]!)
      }
      return {
        seal: async (nonce, data, text) =>
          concatBytes(await mixed(nonce, text), await aead.seal(nonce, lengthOf(data, text), NOTHING)),
        open: async (nonce, data, sealed) => {
          if (sealed.length < 16) return null
          const text = sealed.slice(0, -16)
          return (await aead.open(nonce, lengthOf(data, text), sealed.subarray(-16))) && mixed(nonce, text)
        },
      }
    }),
  ],
  [
    "truncation",
    "throws when the tag is not complete",
    broken((aead) => ({
      open: (nonce, data, sealed) => {
        if (sealed.length < 16) throw new RangeError("too short")
        return aead.open(nonce, data, sealed)
      },
    })),
  ],
  [
    "nonce",
    "uses half of the nonce",
    broken((aead) => ({
      seal: (nonce, data, text) => aead.seal(nonce.with(11, 0), data, text),
      open: (nonce, data, sealed) => aead.open(nonce.with(11, 0), data, sealed),
    })),
  ],
  [
    "associated-data",
    "forgets the associated data",
    broken((aead) => ({
      seal: (nonce, _, text) => aead.seal(nonce, NOTHING, text),
      open: (nonce, _, sealed) => aead.open(nonce, NOTHING, sealed),
    })),
  ],
  ["key", "uses half of the key", named("half", (key) => chacha(key.slice().fill(0, 16)))],
  [
    "key-copy",
    "keeps the caller's array",
    named("keeps", (key) => ({
      seal: (...text: Sealed) => chacha(key).seal(...text),
      open: (...sealed: Sealed) => chacha(key).open(...sealed),
      erase: () => void key.fill(0),
    })),
  ],
  [
    "key-copy",
    "overwrites the caller's array",
    named("overwrites", (key) => {
      const aead = chacha(key)
      key.fill(0)
      return aead
    }),
  ],
  [
    "arguments",
    "decrypts in place",
    broken((aead) => ({
      open: async (nonce, data, sealed) => {
        const opened = await aead.open(nonce, data, sealed)
        if (opened) sealed.set(opened)
        return opened
      },
    })),
  ],
  [
    "results",
    "returns the same memory each time",
    broken((aead) => ({
      open: async (...sealed: Sealed) => {
        const opened = await aead.open(...sealed)
        if (opened) shared.set(opened)
        return opened && shared.subarray(0, opened.length)
      },
    })),
  ],
  [
    "erase",
    "ends all instances",
    named("ends", (key) => {
      const aead = chacha(key)
      instances.push(aead)
      return {
        ...aead,
        erase: () => {
          for (const each of instances) each.erase()
        },
      }
    }),
  ],
]

test.each(BROKEN)("names the rule %s when a cipher %s", async (rule, _, cipher) => {
  expect((await checkCipher(cipher)).map((each) => each.rule)).toEqual([rule])
})
