/** Samples of each kind of message between members of an overlay. */
import type { MemberId } from "../../src/members/ids.ts"
import { HOPS_MAX } from "../../src/bounds/overlay-bounds.ts"
import type { DiscoveryMessage } from "../../src/overlay/discovery/discovery-messages.ts"
import type { GossipId } from "../../src/overlay/dissemination/plumtree.ts"
import { completeLinkRecord, encodeLinkRecord } from "../../src/overlay/link-record.ts"
import type { OverlayWireMessage } from "../../src/overlay/wire.ts"
import { ada, bob, session } from "../wire/sample-session.ts"

export const heartbeat = session.flatMap(({ message }) => (message.type === "heartbeat" ? [message.heartbeat] : []))[0]!
export const frame = session.find(({ name }) => name === "a safe message")!.frame!
const signature = new Uint8Array(64).fill(7)
export const neighbours = [bob.id, "c3".repeat(16) as MemberId]
export const bare = { origin: ada.id, incarnation: 1, sequence: 5, neighbours: [], proofs: [], status: null }
export const full = { ...bare, neighbours, proofs: [new Uint8Array(16).fill(9)], status: heartbeat }
export const records = [bare, full].map((record) => completeLinkRecord(encodeLinkRecord(record), signature))
const id = "0f".repeat(16) as GossipId

export const discovery: readonly DiscoveryMessage[] = [
  ...(["spare", "need", "parent", "reunion"] as const).map((want) => ({ kind: "request", want }) as const),
  { kind: "accept" },
  { kind: "refuse", alternatives: neighbours },
  { kind: "heartbeat", degree: 8 },
  { kind: "end" },
  { kind: "many" },
]
export const messages: readonly OverlayWireMessage[] = [
  ...discovery.map((message) => ({ kind: "discovery", message }) as const),
  { kind: "versions", versions: [{ origin: ada.id, incarnation: 1, sequence: 5 }] },
  { kind: "records", records: records.map(({ bytes }) => bytes) },
  { kind: "gossip", frame: frame.bytes },
  { kind: "announce", ids: [id, id] },
  { kind: "graft", id },
  { kind: "prune" },
  { kind: "routed", target: bob.id, hopsLeft: HOPS_MAX, frame: frame.bytes },
  { kind: "news", versions: [{ origin: ada.id, incarnation: 1, sequence: 5 }] },
  { kind: "wanted", origins: neighbours },
]
