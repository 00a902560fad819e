import { concatBytes } from "@noble/hashes/utils.js"
import type { Decoder } from "@keymoot/transport/testing"
import { requests } from "@keymoot/transport/signaling-protocol"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { decoders as agreementDecoders } from "../../../gke/test/all-decoders.ts"
import { decodeControl, encodeControl } from "../../../transport/src/network/messages/control.ts"
import { card as cardCoder } from "../../../transport/src/network/messages/room-card.ts"
import { decodeSignal, encodeSignal } from "../../../transport/src/network/messages/signal.ts"
import { packParcels, Unpacker } from "../../../transport/src/network/association/channel.ts"
import { decodeDiscovery, decodeOverlayMessage } from "../../../transport/src/overlay/wire.ts"
import { decodeFrame, decodeLinkMessage } from "../../../transport/src/wire/frame.ts"
import { decoders as meshDecoders } from "../../../transport/test/network/all-decoders.ts"
import { card, controls, signals } from "../../../transport/test/network/sample-messages.ts"
import { bytesOf, overlaySession, session, upperLayer } from "../../../transport/test/wire/sample-session.ts"
import { encodeFileMessage, type FileMessage } from "../../src/files/messages.ts"
import { parseCertificate } from "../../src/identity/certificates/certificate.ts"
import { readAuthority } from "../../src/identity/certificates/authority.ts"
import { decodeOrNull } from "../../src/wire/index.ts"
import { decoders as appDecoders } from "./app-decoders.ts"
import { decoders as coreDecoders } from "../wire/all-decoders.ts"
import { personNamed } from "../protocol-vectors/people.ts"
import * as media from "./media-machines.ts"
import * as engine from "./engine-machines.ts"
import { chunksOf, documentSeeds, runDocuments, runFiles, runTransfers } from "./content-machines.ts"
import { majorityStatements, MODULES, runAgreement, runAssociation, runGroup } from "./machines.ts"
import { endServer, prefixed, runMesh, runServer, runSocketPackets, runStun, stunSeeds } from "./network-machines.ts"
import { scriptOf } from "./scripts.ts"

/** `run` throws for an input that shows a fault. Seeds are inputs that get far. */
export type Target = {
  readonly seeds: readonly Uint8Array[]
  /** Whether a run takes many milliseconds. */
  readonly isSlow?: true
  /** Whether inputs of more than 2 KiB are needed to reach all code. */
  readonly isLong?: true
  readonly run: (bytes: Uint8Array) => void | Promise<void>
  /** Called after the last run. */
  readonly end?: () => Promise<void>
}

/** Any number of decoders on one input each: the first byte says which. */
function allOf(decoders: Readonly<Record<string, Decoder>>): Target {
  const list = Object.entries(decoders)
  return {
    seeds: list.flatMap(([, [samples]], i) => samples.map((sample) => Uint8Array.of(i, ...sample))),
    isLong: true,
    run([which = 0, ...rest]) {
      const [name, [, again]] = list[which % list.length]!
      const input = Uint8Array.from(rest)
      const encoded = again(input)
      if (encoded && bytesToHex(encoded) !== bytesToHex(input)) throw new Error(`${name}: two encodings`)
    },
  }
}

const steps = [...session, ...overlaySession, ...upperLayer]
const frames = steps.flatMap(({ frame }) => (frame ? [frame] : []))
/** Behind version, kind, conference tag, view, origin, service and sequence. */
const PAYLOAD_OFFSET = 1 + 1 + 32 + 32 + 16 + 1 + 4

const fileId = "0f".repeat(16)
const fileMessages: readonly FileMessage[] = [
  { kind: "want", file: fileId, part: "data", from: 0, count: 2 },
  { kind: "want", file: fileId, part: "hashes", from: 0, count: 1 },
]
/** Packets of a client behind the handshake, one for each kind of request. */
const REQUESTS = Object.keys(requests).map((name, i) => `42${i}["${name}",{"id":"${fileId}","room":"${fileId}"}]`)
const ada = await personNamed("Ada")

export const TARGETS: Readonly<Record<string, Target>> = {
  "content-decoders": allOf(coreDecoders),
  "agreement-decoders": allOf(agreementDecoders),
  "mesh-decoders": allOf(meshDecoders),
  "app-decoders": allOf(appDecoders),
  stun: { seeds: stunSeeds, run: runStun },
  "socket-packets": {
    seeds: [
      ...REQUESTS.map((request) => scriptOf([], [prefixed(0, utf8ToBytes(request))])),
      scriptOf(
        [],
        [
          prefixed(0, utf8ToBytes(`451-["relay",{"_placeholder":true,"num":0}]`)),
          Uint8Array.of(1, 7),
          Uint8Array.of(0, 50),
        ],
      ),
      ...[`431[{"ok":true}]`, "41", `44{"message":"full"}`].map((frame) =>
        scriptOf([], [prefixed(0, utf8ToBytes(frame))]),
      ),
    ],
    run: runSocketPackets,
  },
  "link-messages": {
    seeds: steps.map(bytesOf),
    run(bytes) {
      decodeLinkMessage(bytes)
      decodeFrame(bytes.subarray(1))
      decodeOverlayMessage(bytes.subarray(1))
      decodeDiscovery(bytes)
    },
  },
  "mesh-messages": {
    seeds: [...controls.map(encodeControl), ...signals.map(encodeSignal), cardCoder.encode(card)],
    run(bytes) {
      decodeControl(bytes)
      decodeSignal(bytes)
      decodeOrNull(cardCoder, bytes)
    },
  },
  "hop-plaintexts": {
    seeds: packParcels(
      controls.map((control) => ({ control: true, bytes: encodeControl(control) })),
      (frame) => frame.slice(),
    ),
    isLong: true,
    run: (bytes) => void new Unpacker().unpack(bytes),
  },
  certificates: {
    seeds: [ada.certificate],
    async run(bytes) {
      await (await parseCertificate(bytes))?.verifySelfSignature()
      await readAuthority(bytes)
    },
  },
  documents: { seeds: documentSeeds, run: runDocuments },
  "key-agreement": {
    seeds: [
      ...MODULES.map((_, module) =>
        scriptOf(
          [module],
          Object.values(agreementDecoders).flatMap(([samples]) => samples.slice(0, 1)),
        ),
      ),
      ...majorityStatements().map((statement) => scriptOf([MODULES.indexOf("majority")], [statement])),
      scriptOf([MODULES.indexOf("kem-ckd")], agreementDecoders["post-quantum message"]![0].slice(1)),
    ],
    isLong: true,
    run: runAgreement,
  },
  association: {
    seeds: [0, 1, 2, 3, 4, 5].map((place) =>
      concatBytes(Uint8Array.of(place, place + 1, 0, 1, 0, 1, 1), new Uint8Array(64).fill(9)),
    ),
    run: runAssociation,
  },
  group: {
    seeds: frames.map(({ staticPart }) =>
      scriptOf(
        [],
        [Uint8Array.of(staticPart[1]!, staticPart[PAYLOAD_OFFSET - 5]!, 1, ...staticPart.subarray(PAYLOAD_OFFSET))],
      ),
    ),
    run: runGroup,
  },
  "media-frames": { seeds: media.frameSeeds, run: media.runFrames },
  "media-signals": { seeds: media.signalSeeds, run: media.runSignal },
  "media-descriptions": { seeds: media.descriptionSeeds, run: media.runDescription },
  calls: { seeds: media.callSeeds, run: media.runCall },
  mesh: {
    seeds: [
      ...signals.map((signal) => scriptOf([], [prefixed(0, encodeSignal(signal))])),
      ...controls.map((control) => scriptOf([], [prefixed(1, encodeControl(control))])),
      ...steps.slice(0, 4).map((step) => scriptOf([], [prefixed(2, bytesOf(step))])),
      scriptOf(
        [],
        [prefixed(3, new Uint8Array(40)), prefixed(4, Uint8Array.of(2, 1, 3, 0)), prefixed(4, Uint8Array.of(3, 1))],
      ),
    ],
    isSlow: true,
    run: runMesh,
  },
  engine: {
    seeds: [
      ...steps.map((step) => prefixed(engine.LINK_MESSAGE, bytesOf(step))),
      ...coreDecoders["notice"]![0].map((notice) => prefixed(engine.NOTICE, notice)),
      ...[...fileMessages.map(encodeFileMessage), ...media.signalSeeds].map((direct) =>
        prefixed(engine.DIRECT, direct),
      ),
      ...Array.from({ length: engine.KINDS }, (_, kind) => Uint8Array.of(engine.GROUP_MESSAGE, kind, kind, 1, 2, 3)),
      ...Array.from({ length: engine.HOST_EVENTS }, (_, type) => Uint8Array.of(engine.HOST_EVENT, type, 1, 1, 2, 3)),
    ].flatMap((_, i, all) => (i % 4 === 0 ? [scriptOf([(i / 4) % engine.CONFERENCES], all.slice(i, i + 4))] : [])),
    isSlow: true,
    isLong: true,
    run: engine.runEngine,
  },
  "history-transfers": {
    seeds: [1, 2].map((view) => scriptOf([], [...chunksOf(view, Uint8Array.of(1, 2, 3)), new Uint8Array()])),
    run: runTransfers,
  },
  files: {
    seeds: fileMessages.map((message) => scriptOf([], [encodeFileMessage(message)])),
    isSlow: true,
    run: runFiles,
  },
  server: {
    seeds: REQUESTS.map((request) =>
      scriptOf(
        [],
        ["40", request].map((text) => prefixed(0, utf8ToBytes(text))),
      ),
    ),
    isSlow: true,
    run: runServer,
    end: endServer,
  },
}
