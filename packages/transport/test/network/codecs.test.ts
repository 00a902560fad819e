/**
 * Any alteration of the bytes between two meshes, by a member, the server or a man in the middle. No decoder throws,
 * and none accepts two encodings of one value.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { decodeRelayed } from "../../src/host/relay-link.ts"
import type { MemberId } from "../../src/members/ids.ts"
import { card as cardCoder, openAdvertisement, sealAdvertisement } from "../../src/network/messages/card.ts"
import { SealedChannel } from "../../src/network/association/channel.ts"
import { decodeOrNull } from "../../src/network/shared/coders.ts"
import { decodeControl, encodeControl } from "../../src/network/messages/control.ts"
import { Envelopes } from "../../src/network/messages/envelope.ts"
import { createHop } from "../../src/network/association/hop.ts"
import { Keyring } from "../../src/network/shared/keyring.ts"
import { packParcels, Unpacker } from "../../src/network/association/packing.ts"
import { isIceRestart, sdpFingerprint } from "../../src/network/path/sdp.ts"
import { decodeSignal, encodeSignal } from "../../src/network/messages/signal.ts"
import { associationKeys } from "../../src/network/association/transcript.ts"
import { mutated } from "../../src/testing/random/mutated.ts"
import { Random } from "../../src/testing/random/random.ts"
import { conferenceId, descriptorHash, invitation } from "./member.ts"
import { ada, bob, bytes, card, controls, sdp, signals } from "./sample-messages.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
const INPUTS = 100_000
/** Inputs that are first opened with a key take longer. */
const INPUTS_SEALED = 5000

const random = new Random(7)
const scope = { conferenceId, descriptorHash }
const parcels = [
  ...controls.map((control) => ({ control: true, bytes: encodeControl(control) })),
  { control: false, bytes },
]
/** Each by itself, and all together. */
const plainFrames = [...parcels.map((parcel) => [parcel]), parcels].flatMap((some) =>
  packParcels(some, (frame) => frame.slice()),
)
const throughServer = [
  Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 5),
  Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3, ...bytes, 0, 1, 9),
  Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 5),
]

test.each(signals)("a signal, $kind: round-trips, and is refused if extended or cut off", (signal) => {
  expectWhole(encodeSignal(signal), decodeSignal, signal, signal.kind === "neighbour")
})

test.each(controls)("$kind: comes back as it went, and is refused with anything behind it or cut off", (control) => {
  expectWhole(encodeControl(control), decodeControl, control, control.kind === "relay")
})

/** `open`: its last field goes to the end, and is others' to read. */
function expectWhole<T>(whole: Uint8Array, decode: (bytes: Uint8Array) => T | null, value: T, open: boolean): void {
  expect(decode(whole)).toEqual(value)
  if (!open) expect(decode(Uint8Array.of(...whole, 0))).toBeNull()
  const end = open ? 1 : whole.length
  for (let length = 0; length < end; length++) expect(decode(whole.subarray(0, length))).toBeNull()
}

type Decoder = {
  readonly samples: readonly Uint8Array[]
  /** The decoded value, encoded again; null if it is refused. */
  readonly again: (bytes: Uint8Array) => Uint8Array | null
}
const decoders: Readonly<Record<string, Decoder>> = {
  signal: {
    samples: signals.map(encodeSignal),
    again: (input) => {
      const signal = decodeSignal(input)
      return signal && encodeSignal(signal)
    },
  },
  control: {
    samples: controls.map(encodeControl),
    again: (input) => {
      const control = decodeControl(input)
      return control && encodeControl(control)
    },
  },
  card: {
    samples: [cardCoder.encode(card)],
    again: (input) => {
      const read = decodeOrNull(cardCoder, input)
      return read && cardCoder.encode(read)
    },
  },
  pieces: { samples: plainFrames, again: (input) => takenAsIs(input, new Unpacker().unpack(input)) },
  relayed: { samples: throughServer, again: (input) => decodeRelayed(input) && input },
  description: {
    samples: [utf8ToBytes(sdp)],
    again: (input) => {
      const text = new TextDecoder().decode(input)
      isIceRestart(sdp, text)
      return sdpFingerprint(text).ok ? input : null
    },
  },
}

function takenAsIs(input: Uint8Array, read: object): Uint8Array | null {
  return "refused" in read ? null : input
}

test(`${INPUTS} mutated inputs cause no foreign exception or second encoding in a mesh`, COMPUTED, () => {
  const names = Object.keys(decoders)
  const all = Object.values(decoders).flatMap(({ samples }) => samples)
  const taken = new Map(names.map((name) => [name, 0]))
  for (let i = 0; i < INPUTS; i++) {
    const name = names[i % names.length]!
    const { samples, again } = decoders[name]!
    const input = mutated(random, random.chance(0.8) ? samples : all)
    const encoded = again(input)
    if (encoded === null) continue
    taken.set(name, taken.get(name)! + 1)
    if (!equalBytes(encoded, input)) throw new Error(`${name}: two encodings of ${bytesToHex(input)}`)
  }
  // Or nothing but the first check of all would have been tried.
  for (const name of names) expect(taken.get(name), name).toBeGreaterThan(INPUTS / 100)
})

const keys = associationKeys(new Uint8Array(32).fill(6), new Uint8Array(32)).hop

test("whatever a member says inside the seal is opened or refused, never an exception", COMPUTED, () => {
  const outcomes = { opened: 0, refused: 0 }
  for (let i = 0; i < INPUTS_SEALED; i++) {
    const [role, other] = i % 2 === 0 ? (["initiator", "responder"] as const) : (["responder", "initiator"] as const)
    const channel = new SealedChannel(createHop(keys, role), role, (length) => random.bytes(length), 0, null)
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
    if (!isGenuine) expect([card, "refused" in receiver.open(input)]).toEqual([null, true])
  }
  expect(openAdvertisement(invitation.advertisement, scope, advertisement)?.card).toEqual(card)
  for (const [i, envelope] of envelopes.entries()) {
    const opened = receiver.open(envelope)
    expect("refused" in opened ? null : decodeSignal(opened.body)).toEqual(signals[i])
  }
})
