import { readFileSync } from "node:fs"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeSFrameHeader, encodeSFrameHeader } from "../../../src/media/sframe/sframe-header.ts"
import {
  MEDIA_FRAME_BYTES_MAX,
  openFrame,
  sealFrame,
  SFRAME_OVERHEAD_BYTES_MAX,
  type SFrameKey,
  sframeSecrets,
} from "../../../src/media/sframe/sframe.ts"
import { webAesGcm, aesGcm } from "../../../src/ciphers/aes-gcm.ts"

type Vectors = {
  /** Key id, counter, encoded. */
  readonly header: readonly (readonly [string, string, string])[]
  readonly sframe: {
    readonly kid: number
    readonly ctr: number
    readonly base_key: string
    readonly sframe_key: string
    readonly sframe_salt: string
    readonly metadata: string
    readonly pt: string
    readonly ct: string
  }
}
const rfc = JSON.parse(readFileSync(new URL("rfc9605.json", import.meta.url), "utf8")) as Vectors
const { sframe: vector } = rfc
const metadata = hexToBytes(vector.metadata)
const plaintext = hexToBytes(vector.pt)

function keyOf(baseKey: Uint8Array, keyId: number, cipherOf = aesGcm.create): SFrameKey {
  const { key, salt } = sframeSecrets(baseKey, keyId)
  return { keyId, salt, cipher: cipherOf(key) }
}

const key = keyOf(hexToBytes(vector.base_key), vector.kid)

async function open(frame: Uint8Array, of = metadata, under = key): Promise<Uint8Array | null> {
  const decoded = decodeSFrameHeader(frame)
  return decoded && openFrame(under, decoded, of, frame)
}

describe("an SFrame header", () => {
  test("has the bytes of every vector of RFC 9605", () => {
    for (const [keyId, counter, encoded] of rfc.header) {
      const header = { keyId: Number(keyId), counter: Number(counter) }
      if (![header.keyId, header.counter].every(Number.isSafeInteger)) {
        expect(decodeSFrameHeader(hexToBytes(encoded)), encoded).toBeNull()
        continue
      }
      expect(bytesToHex(encodeSFrameHeader(header))).toBe(encoded)
      expect(decodeSFrameHeader(hexToBytes(encoded))).toEqual({ header, bytes: encoded.length / 2 })
    }
  })

  test("refuses values that are no counters", () => {
    for (const counter of [-1, 0.5, Number.NaN, 2 ** 53])
      expect(() => encodeSFrameHeader({ keyId: 0, counter })).toThrow(RangeError)
  })

  test.each([
    ["nothing", ""],
    ["a key id that is cut off", "9001"],
    ["a counter that is cut off", "0901"],
    ["no counter behind the key id", "9801ff"],
    ["a key id with a zero before it", "90000900"],
    ["a counter with a zero before it", "090009"],
    ["a small key id in a byte of its own", "8007"],
    ["a small counter in a byte of its own", "0807"],
    ["a counter of 2^53", "0e20000000000000"],
    ["the largest counter of RFC 9605", "0fffffffffffffffff"],
    ["the largest key id of RFC 9605", "f0ffffffffffffffff"],
  ])("is refused with %s", (_, bytes) => {
    expect(decodeSFrameHeader(hexToBytes(bytes))).toBeNull()
  })

  test("has one encoding for each value when any bytes arrive", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const decoded = decodeSFrameHeader(bytes)
        if (decoded === null) return
        expect(encodeSFrameHeader(decoded.header)).toEqual(bytes.slice(0, decoded.bytes))
      }),
      { numRuns: 2000 },
    )
  })
})

describe("an SFrame", () => {
  test("has the key, the salt and the bytes of RFC 9605", async () => {
    const { key: derived, salt } = sframeSecrets(hexToBytes(vector.base_key), vector.kid)
    expect([bytesToHex(derived), bytesToHex(salt)]).toEqual([vector.sframe_key, vector.sframe_salt])
    for (const cipherOf of [aesGcm.create, webAesGcm]) {
      const under = keyOf(hexToBytes(vector.base_key), vector.kid, cipherOf)
      expect(bytesToHex(await sealFrame(under, vector.ctr, metadata, plaintext))).toBe(vector.ct)
    }
    expect(await open(hexToBytes(vector.ct))).toEqual(plaintext)
  })

  test("opens only unaltered, with its metadata and under its key", async () => {
    const frame = hexToBytes(vector.ct)
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const altered = frame.slice()
      altered[bit >> 3]! ^= 1 << (bit & 7)
      expect(await open(altered)).toBeNull()
    }
    expect(await open(frame, Uint8Array.of(1))).toBeNull()
    expect(await open(frame, metadata, keyOf(hexToBytes(vector.base_key), vector.kid + 1))).toBeNull()
  })

  test("refuses any bytes of a stranger", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await open(bytes)).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  test("refuses a frame above the largest", async () => {
    const largest = new Uint8Array(MEDIA_FRAME_BYTES_MAX)
    expect(await open(await sealFrame(key, 0, metadata, largest))).toEqual(largest)
    expect(
      await open(await sealFrame(key, 0, metadata, new Uint8Array(largest.length + SFRAME_OVERHEAD_BYTES_MAX))),
    ).toBeNull()
  })
})
