import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { decoder, mutated, tryDecoders } from "../../src/testing/random/mutated.ts"
import { Random } from "../../src/testing/random/random.ts"
import {
  decodeDirect,
  decodeFrame,
  decodeLinkMessage,
  DIRECT_BYTES_MAX,
  draftFrame,
  encodeDirect,
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
  frameDigest,
  signedBytes,
} from "../../src/wire/frame.ts"
import { memberIdFromBytes } from "../../src/members/ids.ts"
import { NO_VIEW } from "../../src/wire/codec.ts"
import { CHAIN_BYTES, payloadCoders, type Heartbeat } from "../../src/wire/messages.ts"
import { bytesOf, overlaySession, publicKeyOf, session, upperLayer } from "./sample-session.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 100_000 : 30_000

const steps = [...session, ...upperLayer]

test("every kind of frame is among those that are tried", () => {
  const tried = new Set(steps.flatMap(({ frame }) => frame?.kind ?? []))
  expect([...tried].sort()).toEqual(Object.keys(payloadCoders).sort())
})

/** Decoded input is the only encoding of its value; null is fine, an exception is not. */
function expectCanonical(bytes: Uint8Array): boolean {
  const frame = decodeFrame(bytes)
  if (frame && bytesToHex(encodeFrame(encodeStaticPart(frame), frame.signature)) !== bytesToHex(bytes)) {
    throw new Error(`two encodings of one frame: ${bytesToHex(bytes)}`)
  }
  const message = decodeLinkMessage(bytes)
  if (message && bytesToHex(encodeLinkMessage(message)) !== bytesToHex(bytes)) {
    throw new Error(`two encodings of one message: ${bytesToHex(bytes)}`)
  }
  return frame !== null || message !== null
}

test("encodes a heartbeat once when it is sent again and again", () => {
  const heartbeat: Heartbeat = {
    incarnation: 1,
    epoch: 1,
    promised: { epoch: 1, coordinator: memberIdFromBytes(new Uint8Array(16)) },
    viewMembers: [],
    up: [],
    view: NO_VIEW,
    received: [],
    orderLength: 0,
    acknowledged: 0,
    frameChains: new Uint8Array(0),
    orderChain: new Uint8Array(CHAIN_BYTES),
  }
  const bytes = encodeLinkMessage({ type: "heartbeat", heartbeat })
  expect(encodeLinkMessage({ type: "heartbeat", heartbeat })).toBe(bytes)
  expect(encodeLinkMessage({ type: "heartbeat", heartbeat: { ...heartbeat, epoch: 2 } })).not.toEqual(bytes)
})

test.each(steps)("$name: comes back as it went, signed by its origin", (step) => {
  expect(decodeLinkMessage(bytesOf(step))).toEqual(step.message)
  const { frame } = step
  if (!frame) return
  expect(decodeFrame(frame.bytes)).toEqual(frame)
  expect(bytesToHex(encodeFrame(encodeStaticPart(frame), frame.signature))).toBe(bytesToHex(frame.bytes))
  expect(ed25519.verify(frame.signature, signedBytes(frameDigest(frame)), publicKeyOf(frame.origin))).toBe(true)
})

test("a drafted and signed frame equals its parts, and travels without a copy", () => {
  for (const { frame } of steps) {
    if (!frame) continue
    const drafted = draftFrame(frame).sign(frame.signature)
    expect(drafted).toEqual(frame)
    const message = encodeLinkMessage({ type: "frame", bytes: drafted.bytes })
    expect(message.buffer).toBe(drafted.bytes.buffer)
    // Nor does it matter where else its bytes lie, and behind what.
    for (const before of [0, 1, 2]) {
      const elsewhere = Uint8Array.of(9, before, ...frame.bytes).subarray(2)
      expect(encodeLinkMessage({ type: "frame", bytes: elsewhere })).toEqual(message)
    }
  }
  const { frame } = steps.find((step) => step.frame)!
  expect(() => draftFrame(frame!).sign(new Uint8Array(63))).toThrow(RangeError)
})

test.each(steps)("$name: cut off anywhere, or with anything behind it, is refused", (step) => {
  const whole = step.frame?.bytes ?? bytesOf(step)
  const decode = step.frame ? decodeFrame : decodeLinkMessage
  for (let length = 0; length < whole.length; length++) expect(decode(whole.subarray(0, length))).toBeNull()
  expect(decode(Uint8Array.of(...whole, 0))).toBeNull()
})

test(`${INPUTS} mutated inputs cause no exception or second encoding in the decoder`, COMPUTED, () => {
  const random = new Random(4)
  const outOfGroup = encodeLinkMessage({ type: "outOfGroup", bytes: Uint8Array.of(1, 2, 3) })
  const samples = [
    outOfGroup,
    ...[...steps, ...overlaySession].flatMap((step) => [bytesOf(step), ...(step.frame ? [step.frame.bytes] : [])]),
  ]
  let decoded = 0
  for (let i = 0; i < INPUTS; i++) if (expectCanonical(mutated(random, samples))) decoded++
  // Or nothing but the first check of all would have been tried.
  expect(decoded).toBeGreaterThan(INPUTS / 20)
})

test("reads an out-of-group frame up to its bound, and nothing else in its place", () => {
  const bodies = [new Uint8Array(), Uint8Array.of(0), new Random(6).bytes(200)]
  const direct = decoder(bodies, encodeDirect, decodeDirect)
  expect(tryDecoders(new Random(6), { direct }, 10_000).get("direct")).toBeGreaterThan(1000)
  for (const step of steps) expect(decodeDirect(bytesOf(step))).toBeNull()
  const longest = encodeDirect(new Uint8Array(DIRECT_BYTES_MAX))
  expect(decodeDirect(longest)).toHaveLength(DIRECT_BYTES_MAX)
  expect(decodeDirect(concatBytes(longest, Uint8Array.of(0)))).toBeNull()
})
