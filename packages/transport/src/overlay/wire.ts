/** Encodings of the messages between neighbours of an overlay. */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberId } from "../members/ids.ts"
import { byteString, list, memberId, oneOf, safeInteger, tagged, tryDecode } from "../wire/codec.ts"
import { frameDigest, type Frame } from "../wire/frame.ts"
import {
  ALTERNATIVES_MAX,
  ANNOUNCED_MAX,
  HOPS_MAX,
  LINK_RECORD_BYTES_MAX,
  LINK_RECORDS_MAX,
  LINK_STATES_MAX,
} from "../bounds/overlay-bounds.ts"
import type { DiscoveryMessage, Want } from "./discovery/discovery-messages.ts"
import type { GossipId } from "./dissemination/plumtree.ts"
import type { Version } from "./link-state/link-states.ts"
import type { LinkRecord } from "./link-record.ts"
import type { OverlayMessage } from "./overlay.ts"

/** A forwarded frame whose signatures are verified here. `syncs`: the frames inside a CUT or an INSTALL. */
export type CarriedFrame = { readonly frame: Frame; readonly syncs: readonly Frame[] }

export type OverlayWireMessage =
  | { readonly kind: "discovery"; readonly message: DiscoveryMessage }
  | { readonly kind: "versions"; readonly versions: readonly Version[] }
  /** Link records. */
  | { readonly kind: "records"; readonly records: readonly Uint8Array[] }
  | { readonly kind: "news"; readonly versions: readonly Version[] }
  | { readonly kind: "wanted"; readonly origins: readonly MemberId[] }
  | { readonly kind: "gossip"; readonly frame: Uint8Array }
  | { readonly kind: "announce"; readonly ids: readonly GossipId[] }
  | { readonly kind: "graft"; readonly id: GossipId }
  | { readonly kind: "prune" }
  | { readonly kind: "routed"; readonly target: MemberId; readonly hopsLeft: number; readonly frame: Uint8Array }

type VersionsMessage = Extract<OverlayWireMessage, { kind: "versions" | "news" }>

const GOSSIP_ID_BYTES = 16

/** The id follows from the frame: no member can choose another's, and each can compute it. */
export function gossipIdOf(frame: Pick<Frame, "staticPart">): GossipId {
  return bytesToHex(frameDigest(frame).subarray(0, GOSSIP_ID_BYTES)) as GossipId
}

/**
 * The id of an encoded frame, whose static part lies between its length and its signature. For other bytes the result
 * has no use.
 */
export function gossipIdOfBytes(frame: Uint8Array): GossipId {
  return gossipIdOf({ staticPart: frame.subarray(4, -64) })
}

const want = oneOf<Want>(["spare", "need", "parent", "reunion"])
const nothing = P.struct({})
const discoveryCoder = tagged<DiscoveryMessage>("kind", {
  request: [0, P.struct({ want })],
  accept: [1, nothing],
  refuse: [2, P.struct({ alternatives: list(ALTERNATIVES_MAX, memberId) })],
  heartbeat: [3, P.struct({ degree: P.U8 })],
  end: [4, nothing],
  many: [5, nothing],
})
const gossipId: P.CoderType<GossipId> = P.apply(P.bytes(GOSSIP_ID_BYTES), {
  encode: (bytes: Uint8Array) => bytesToHex(bytes) as GossipId,
  decode: (id: GossipId) => hexToBytes(id),
})
const version = P.struct({ origin: memberId, incarnation: safeInteger, sequence: safeInteger })
const hopsLeft = P.validate(P.U8, (hops) => {
  if (hops < 1 || hops > HOPS_MAX) throw new RangeError(`${hops} hops left`)
  return hops
})
/** The bound leaves room for the record's signature and length. */
const record = byteString(LINK_RECORD_BYTES_MAX + 68)
const messageCoder = tagged<OverlayWireMessage>("kind", {
  discovery: [0, P.struct({ message: discoveryCoder })],
  versions: [1, P.struct({ versions: list(LINK_STATES_MAX, version) })],
  records: [2, P.struct({ records: list(LINK_RECORDS_MAX, record) })],
  gossip: [3, P.struct({ frame: P.bytes(null) })],
  announce: [4, P.struct({ ids: list(ANNOUNCED_MAX, gossipId) })],
  graft: [5, P.struct({ id: gossipId })],
  prune: [6, nothing],
  routed: [7, P.struct({ target: memberId, hopsLeft, frame: P.bytes(null) })],
  news: [8, P.struct({ versions: list(LINK_STATES_MAX, version) })],
  wanted: [9, P.struct({ origins: list(LINK_STATES_MAX, memberId) })],
})

export function encodeDiscovery(message: DiscoveryMessage): Uint8Array {
  return discoveryCoder.encode(message)
}

/** Null unless the bytes are exactly one canonical message. */
export function decodeDiscovery(bytes: Uint8Array): DiscoveryMessage | null {
  return tryDecode(discoveryCoder, bytes)
}

export function encodeOverlayMessage(message: OverlayWireMessage): Uint8Array {
  return messageCoder.encode(message)
}

/** Null unless the bytes are exactly one canonical message. Its content is not checked here. */
export function decodeOverlayMessage(bytes: Uint8Array): OverlayWireMessage | null {
  return tryDecode(messageCoder, bytes)
}

/** Splits long lists into several messages. */
export function overlayWireMessages(message: OverlayMessage<CarriedFrame, LinkRecord>): OverlayWireMessage[] {
  switch (message.type) {
    case "discovery":
      return [{ kind: "discovery", message: message.message }]
    case "linkState":
      if (message.message.kind === "wanted")
        return inPieces(LINK_STATES_MAX, message.message.origins, (origins) => ({ kind: "wanted", origins }))
      if (message.message.kind !== "records") return versionsInPieces(message.message)
      return inPieces(LINK_RECORDS_MAX, message.message.records, (records) => ({
        kind: "records",
        records: records.map(({ bytes }) => bytes),
      }))
    case "gossip":
      if (message.message.kind === "gossip")
        return [{ kind: "gossip", frame: message.message.gossip.message.frame.bytes }]
      if (message.message.kind === "announce")
        return inPieces(ANNOUNCED_MAX, message.message.ids, (ids) => ({ kind: "announce", ids }))
      return [message.message]
    case "routed": {
      const { target, hopsLeft, message: carried } = message
      return [{ kind: "routed", target, hopsLeft, frame: carried.frame.bytes }]
    }
  }
}

/** An empty list of versions is sent too: it states that nothing is known. */
function versionsInPieces({ kind, versions }: VersionsMessage): OverlayWireMessage[] {
  if (versions.length === 0) return [{ kind, versions }]
  return inPieces(LINK_STATES_MAX, versions, (piece) => ({ kind, versions: piece }))
}

function inPieces<T>(
  size: number,
  all: readonly T[],
  messageOf: (piece: readonly T[]) => OverlayWireMessage,
): OverlayWireMessage[] {
  const messages: OverlayWireMessage[] = []
  for (let at = 0; at < all.length; at += size) messages.push(messageOf(all.slice(at, at + size)))
  return messages
}
