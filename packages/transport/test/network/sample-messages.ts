/** Samples of each kind of message between two meshes. */
import type { MemberId } from "../../src/members/ids.ts"
import type { RoomCard } from "../../src/network/messages/room-card.ts"
import type { Control } from "../../src/network/messages/control.ts"
import type { Signal } from "../../src/network/messages/signal.ts"
import { encodeDiscovery } from "../../src/overlay/index.ts"
import { loopbackSdp } from "../../src/testing/loopback/loopback-peers.ts"
import { Random } from "../../src/testing/random/random.ts"

const random = new Random(6)
export const [ada, bob] = ["a1", "b2"].map((byte) => byte.repeat(16)) as [MemberId, MemberId]
export const card: RoomCard = {
  protocol: { major: 1, features: [2, 700] },
  certificate: random.bytes(70),
  incarnation: 3,
  entry: 2,
  address: random.bytes(16),
  ephemeral: random.bytes(32),
  nonce: random.bytes(16),
  extension: Uint8Array.of(9),
}
export const sdp = loopbackSdp("x1", "ab".repeat(32))
export const bytes = Uint8Array.of(1, 2, 3)

export const signals: readonly Signal[] = [
  { kind: "hello", card },
  { kind: "description", attempt: 1, type: "offer", sdp },
  { kind: "description", attempt: 2 ** 40, type: "answer", sdp },
  { kind: "neighbour", bytes: encodeDiscovery({ kind: "refuse", alternatives: [ada, bob] }) },
  { kind: "relay", attempt: 7, opening: Uint8Array.of(1, 2, 3) },
  { kind: "candidate", attempt: 1, candidate: "candidate:1 1 udp 1 ü.local 9 typ host", sdpMid: "0", sdpMLineIndex: 0 },
  { kind: "candidate", attempt: 1, candidate: "", sdpMid: null, sdpMLineIndex: null },
]
export const controls: readonly Control[] = [
  { kind: "resume", own: random.bytes(16), known: random.bytes(16), received: 9 },
  { kind: "resume", own: random.bytes(16), known: null, received: 0 },
  { kind: "start", next: 1 },
  { kind: "ack", received: 2 ** 53 - 1 },
  { kind: "over", attempt: 1 },
  { kind: "bye" },
  { kind: "rekeyOffer", ephemeral: random.bytes(32), encapsulationKey: new Uint8Array(0) },
  { kind: "rekeyOffer", ephemeral: random.bytes(32), encapsulationKey: random.bytes(1184) },
  // With this nobody shares a secret.
  { kind: "rekeyOffer", ephemeral: new Uint8Array(32), encapsulationKey: new Uint8Array(0) },
  { kind: "rekeyAnswer", ephemeral: random.bytes(32), ciphertext: random.bytes(1088) },
  { kind: "rekeyDone" },
  { kind: "formerNeighbours", rest: random.bytes(25) },
  { kind: "formerRelay", rest: bytes },
  { kind: "certificateRequest", member: ada },
  { kind: "certificate", member: ada, certificate: random.bytes(70) },
  { kind: "certificate", member: ada, certificate: null },
]
