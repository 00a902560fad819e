/** All decoders of this package for what neighbours and forwarding members send outside of frames, with samples. */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { decodeRelayed } from "../../src/host/relay-connection.ts"
import { decodeOpen, encodeOpen, OPEN_KIND, proofCoder } from "../../src/network/association/handshake-messages.ts"
import { packParcels, Unpacker } from "../../src/network/association/channel.ts"
import { card as cardCoder } from "../../src/network/messages/room-card.ts"
import { decodeControl, encodeControl } from "../../src/network/messages/control.ts"
import { decodeSignal, encodeSignal } from "../../src/network/messages/signal.ts"
import { isIceRestart, sdpFingerprint } from "../../src/network/path/sdp.ts"
import { tryDecode } from "../../src/wire/codec.ts"
import { KEM_KEY_BYTES } from "../../src/network/shared/kem.ts"
import { PROTOCOL } from "../../src/network/shared/protocol.ts"
import { decodeLinkRecord } from "../../src/overlay/link-record.ts"
import { type Decoder, decoder } from "../../src/testing/random/mutated.ts"
import { Random } from "../../src/testing/random/random.ts"
import { records } from "../overlay/sample-messages.ts"
import { bytes, card, controls, sdp, signals } from "./sample-messages.ts"

const random = new Random(7)
const parcels = [
  ...controls.map((control) => ({ control: true, bytes: encodeControl(control) })),
  { control: false, bytes },
]
/** Each parcel by itself, and all together. */
export const plainFrames: readonly Uint8Array[] = [...parcels.map((parcel) => [parcel]), parcels].flatMap((some) =>
  packParcels(some, (frame) => frame.slice()),
)
const throughServer = [
  Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 5),
  Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3, ...bytes, 0, 1, 9),
  Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 5),
]
const opens = ([0, KEM_KEY_BYTES] as const).map((keyBytes) => ({
  protocol: PROTOCOL,
  role: "initiator" as const,
  linkType: 1,
  ephemeral: random.bytes(32),
  nonce: random.bytes(32),
  encapsulationKey: random.bytes(keyBytes),
}))
const proof = { certificate: random.bytes(40), macs: [random.bytes(32)], signature: random.bytes(64) }

/** Bytes that are kept as they are have no second encoding. */
function reader(samples: readonly Uint8Array[], isTaken: (input: Uint8Array) => boolean): Decoder {
  return [samples, (input) => (isTaken(input) ? input : null)]
}

export const decoders: Readonly<Record<string, Decoder>> = {
  signal: decoder(signals, encodeSignal, decodeSignal),
  control: decoder(controls, encodeControl, decodeControl),
  card: decoder(
    [card],
    (value) => cardCoder.encode(value),
    (input) => tryDecode(cardCoder, input),
  ),
  pieces: reader(plainFrames, (input) => !("refused" in new Unpacker().unpack(input))),
  relayed: reader(throughServer, (input) => decodeRelayed(input) !== null),
  description: reader([utf8ToBytes(sdp)], (input) => {
    const text = new TextDecoder().decode(input)
    isIceRestart(sdp, text)
    return sdpFingerprint(text).ok
  }),
  OPEN: decoder(opens, encodeOpen, (input) => {
    const open = decodeOpen(input, PROTOCOL.major)
    return input[0] !== OPEN_KIND || typeof open === "string" ? null : open
  }),
  PROOF: decoder(
    [proof],
    (value) => proofCoder.encode(value),
    (input) => tryDecode(proofCoder, input),
  ),
  "link record": reader(
    records.map((record) => record.bytes),
    (input) => decodeLinkRecord(input) !== null,
  ),
}
