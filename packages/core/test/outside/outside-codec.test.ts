import { randomBytes } from "node:crypto"
import { loadSodiumX25519 } from "@keymoot/gke"
import { expect, test } from "vitest"
import {
  isOutsideText,
  openOutside,
  outsideSealed,
  sealOutside,
  TEXT_BYTES_MAX,
} from "../../src/outside/outside-codec.ts"
import { eachByteFlipped } from "../identity/people.ts"

const x25519 = await loadSodiumX25519()
const bytes = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const scope = { conferenceId: bytes(16), descriptorHash: bytes(32) }
const secret = bytes(32)
const key = x25519.publicKey(secret)
const body = { number: 7, replyKey: bytes(32), text: "It is me, Ada" }
const sealedWith = (text: string, to = key) => {
  const parts = { key: to, body: { ...body, text }, signature: bytes(64), ephemeralSecret: bytes(32) }
  return sealOutside(x25519, "message", scope, parts)!
}

test("a message opens under its key, conference and direction only", () => {
  const sealed = sealedWith(body.text)
  expect(openOutside(x25519, "message", scope, secret, sealed)).toMatchObject(body)
  expect(openOutside(x25519, "answer", scope, secret, sealed)).toBe(null)
  expect(openOutside(x25519, "message", { ...scope, conferenceId: bytes(16) }, secret, sealed)).toBe(null)
  expect(openOutside(x25519, "message", { ...scope, descriptorHash: bytes(32) }, secret, sealed)).toBe(null)
  const other = bytes(32)
  const moved = { ...sealed, key: x25519.publicKey(other) }
  expect(openOutside(x25519, "message", scope, other, moved)).toBe(null)
})

test("no altered byte of a message opens", () => {
  for (const { at, flipped } of eachByteFlipped(outsideSealed.encode(sealedWith(body.text)))) {
    let opened: unknown = null
    try {
      opened = openOutside(x25519, "message", scope, secret, outsideSealed.decode(flipped))
    } catch {
      // A length that does not fit.
    }
    expect(opened, `byte ${at}`).toBe(null)
  }
})

test("all messages are equally long, and none is sealed to a key of small order", () => {
  const lengths = ["", "x", "字".repeat(341)].map((text) => outsideSealed.encode(sealedWith(text)).length)
  expect(new Set(lengths).size).toBe(1)
  expect(sealedWith("x", new Uint8Array(32))).toBe(null)
})

test("texts have a bound, and no control characters but line breaks", () => {
  expect(["a\nb", "x".repeat(TEXT_BYTES_MAX)].every(isOutsideText)).toBe(true)
  expect(["x".repeat(TEXT_BYTES_MAX + 1), "a\u0000", "a\u001b[31m", "\ud800"].some(isOutsideText)).toBe(false)
})
