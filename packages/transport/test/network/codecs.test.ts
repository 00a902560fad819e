/**
 * Any alteration of the bytes between two meshes, by a member, the server or a man in the middle. No decoder throws,
 * and none accepts two encodings of one value.
 */
import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import { openAdvertisement, sealAdvertisement } from "../../src/network/messages/room-card.ts"
import { SealedChannel } from "../../src/network/association/channel.ts"
import { decodeControl, encodeControl } from "../../src/network/messages/control.ts"
import type { RoomAddress } from "../../src/port/port.ts"
import { Envelopes } from "../../src/network/messages/envelope.ts"
import { createHop } from "../../src/network/association/hop.ts"
import { Keyring } from "../../src/network/shared/keyring.ts"
import { decodeSignal, encodeSignal } from "../../src/network/messages/signal.ts"
import { associationKeys } from "../../src/network/association/transcript.ts"
import { mutated, tryDecoders } from "../../src/testing/random/mutated.ts"
import { Random } from "../../src/testing/random/random.ts"
import { decoders, plainFrames } from "./all-decoders.ts"
import { conferenceId, descriptorHash, invitation } from "./member.ts"
import { ada, bob, card, controls, signals } from "./sample-messages.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 100_000 : 30_000
/** Inputs that are first opened with a key take longer. */
const INPUTS_SEALED = 5000

const random = new Random(7)
const scope = { conferenceId, descriptorHash }

test.each(signals)("a signal, $kind: round-trips, and is refused if extended or cut off", (signal) => {
  expectWhole(encodeSignal(signal), decodeSignal, signal, signal.kind === "neighbour")
})

test.each(controls)("$kind: comes back as it went, and is refused with anything behind it or cut off", (control) => {
  expectWhole(encodeControl(control), decodeControl, control, control.kind.startsWith("former"))
})

/** `open`: its last field goes to the end, and is others' to read. */
function expectWhole<T>(whole: Uint8Array, decode: (bytes: Uint8Array) => T | null, value: T, open: boolean): void {
  expect(decode(whole)).toEqual(value)
  if (!open) expect(decode(Uint8Array.of(...whole, 0))).toBeNull()
  const end = open ? 1 : whole.length
  for (let length = 0; length < end; length++) expect(decode(whole.subarray(0, length))).toBeNull()
}

test(`${INPUTS} mutated inputs cause no foreign exception or second encoding in a mesh`, COMPUTED, () => {
  const taken = tryDecoders(random, decoders, INPUTS)
  // Or nothing but the first check of all would have been tried.
  for (const [name, count] of taken) expect(count, name).toBeGreaterThan(INPUTS / taken.size / 100)
})

const keys = associationKeys(new Uint8Array(32).fill(6), new Uint8Array(32)).hop

test("opens or refuses anything inside the seal, without an exception", COMPUTED, () => {
  const outcomes = { opened: 0, refused: 0 }
  for (let i = 0; i < INPUTS_SEALED; i++) {
    const [role, other] = i % 2 === 0 ? (["initiator", "responder"] as const) : (["responder", "initiator"] as const)
    const channel = new SealedChannel(createHop(keys, role), role, random, 0, null)
    const { sealer, unreliableSealer } = createHop(keys, other)
    const plain = plainFrames[i >> 1] ?? mutated(random, plainFrames)
    channel.openUnreliable(unreliableSealer.seal(plain))
    if ("refused" in channel.open(sealer.seal(plain), 0)) outcomes.refused++
    else outcomes.opened++
    channel.flush()
  }
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(INPUTS_SEALED / 20)
})

test("refuses altered advertisements and signals without an exception", COMPUTED, () => {
  const nonce = random.bytes(24)
  const signature = random.bytes(64)
  const from = bytesToHex(card.address) as RoomAddress
  const advertisement = sealAdvertisement(invitation.advertisement, scope, card, signature, nonce)
  const keyring = new Keyring(invitation)
  const entry = (self: MemberId) =>
    new Envelopes({ scope, keyring, self, ephemeralSecret: random.bytes(32), nonce: random.bytes(16) })
  const [sender, receiver] = [entry(ada), entry(bob)]
  const to = { ...card, ephemeral: receiver.ephemeral, nonce: receiver.nonce }
  const envelopes = signals.map((signal) => {
    return sender.draft(bob, to, keyring.current, encodeSignal(signal))!.seal(signature)
  })
  const samples = [advertisement, ...envelopes]
  const genuine = new Set(samples.map(bytesToHex))
  for (let i = 0; i < INPUTS_SEALED; i++) {
    const input = mutated(random, samples)
    const isGenuine = genuine.has(bytesToHex(input))
    const card = openAdvertisement(invitation.advertisement, scope, input)
    if (!isGenuine) expect([card, "refused" in receiver.open(input, from, 0)]).toEqual([null, true])
  }
  expect(openAdvertisement(invitation.advertisement, scope, advertisement)?.card).toEqual(card)
  for (const [i, envelope] of envelopes.entries()) {
    const opened = receiver.open(envelope, from, 0)
    expect("refused" in opened ? null : decodeSignal(opened.body)).toEqual(signals[i])
  }
})
