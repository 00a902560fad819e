/** Links to members: to most over the mesh, to distant ones over the overlay. */
import {
  decodeFrame,
  encodeLinkMessage,
  frameKind,
  type LinkMessage,
  type MemberId,
  type Mesh,
  type Sending,
} from "@keymoot/transport"
import { openTrusted } from "../frames/frame-opener.ts"
import type { OverlayLinks } from "../overlay/overlay-links.ts"

export type LinkSender = Pick<Mesh, "send" | "congested" | "isUnderWay" | "heartbeatLane" | "windowBytes">
type Overlay = Pick<OverlayLinks, "isDistant" | "carry" | "admitted" | "dismissed" | "receive">

/** Time after which a heartbeat that may be lost is repeated, unless the next one comes first. */
const REPEATED_MS = 300
/** Time after which a heartbeat that is still under way is late, so that further ones wait for its acknowledgement. */
const LATE_MS = 1_000

type SentHeartbeat = { readonly bytes: Uint8Array; readonly sinceMs: number }

export class MemberLinks {
  readonly #mesh: LinkSender
  /** Null in a conference that cannot outgrow a full mesh. */
  readonly overlay: Overlay | null
  /** The last heartbeats to linked members whose links did not take them, or may lose them. */
  readonly #unsure = new Map<MemberId, SentHeartbeat>()
  /** The earliest heartbeats to linked members that their links may still carry. */
  readonly #underWay = new Map<MemberId, SentHeartbeat>()
  #nowMs = 0

  constructor(mesh: LinkSender, overlay: Overlay | null) {
    this.#mesh = mesh
    this.overlay = overlay
  }

  /** Whether one of the links has so much in flight that more would only wait. */
  isCongested(members: readonly MemberId[]): boolean {
    return members.some((member) => this.#mesh.congested(member))
  }

  /** Smallest window of these members' links in bytes; infinite if none is linked. */
  windowBytes(members: readonly MemberId[]): number {
    return Math.min(...members.map((member) => this.#mesh.windowBytes(member) ?? Infinity))
  }

  send(to: readonly MemberId[], message: LinkMessage, how: Sending): void {
    const { overlay } = this
    const distant = overlay ? to.filter((peer) => overlay.isDistant(peer)) : []
    for (const peer of distant) this.#unsure.delete(peer)
    if (distant.length > 0) overlay!.carry(distant, message, carriedFrame(message), how)
    const near = distant.length > 0 ? to.filter((peer) => !overlay!.isDistant(peer)) : to
    const peers = near.filter((peer) => how !== "repeated" || !this.#mesh.congested(peer))
    if (peers.length === 0) return
    const bytes = encodeLinkMessage(message)
    // A slow neighbour misses data frames that its link rejects. It requests them after it has caught up.
    const payload = message.type === "frame" && frameKind(message.bytes) === "data"
    for (const peer of peers) {
      if (message.type === "heartbeat") this.#sendHeartbeat(peer, bytes)
      // A link that is up loses nothing, so a frame that it still carries is only late.
      else if (how !== "repeated" || !this.#mesh.isUnderWay(peer, bytes))
        this.#mesh.send(peer, bytes, { payload, reliability: how === "unreliable" ? how : "reliable" })
    }
  }

  /** A heartbeat that waits for a silent link describes the past when it arrives. */
  #sendHeartbeat(peer: MemberId, bytes: Uint8Array): void {
    const reliability = this.#laneOf(peer)
    const sent = { bytes, sinceMs: this.#nowMs }
    this.#unsure.delete(peer)
    if (reliability !== "reliable" && this.#isLinked(peer)) this.#unsure.set(peer, sent)
    if (reliability === "reliable" && !this.#underWay.has(peer)) this.#underWay.set(peer, sent)
    if (reliability !== null) this.#mesh.send(peer, bytes, { reliability })
  }

  /** Null also if an earlier heartbeat is late. Behind a long message on a slow line they would queue up. */
  #laneOf(peer: MemberId): ReturnType<Mesh["heartbeatLane"]> {
    const earlier = this.#underWay.get(peer)
    if (earlier && !this.#mesh.isUnderWay(peer, earlier.bytes)) this.#underWay.delete(peer)
    else if (earlier && this.#nowMs - earlier.sinceMs > LATE_MS) return null
    return this.#mesh.heartbeatLane(peer)
  }

  #isLinked(peer: MemberId): boolean {
    return this.#mesh.windowBytes(peer) !== null && !this.overlay?.isDistant(peer)
  }

  /** Whether a heartbeat may have been lost that is to be repeated. */
  get isUnsure(): boolean {
    return this.#unsure.size > 0
  }

  /**
   * Repeats heartbeats that may have been lost, on links that carry them for certain now. A calm group does not repeat
   * itself, and the other end waits.
   */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
    for (const peer of this.#underWay.keys()) if (!this.#isLinked(peer)) this.#underWay.delete(peer)
    for (const [peer, { bytes, sinceMs }] of this.#unsure) {
      if (!this.#isLinked(peer)) this.#unsure.delete(peer)
      else if (nowMs - sinceMs >= REPEATED_MS && this.#laneOf(peer) === "reliable") this.#sendHeartbeat(peer, bytes)
    }
  }
}

function carriedFrame(message: LinkMessage) {
  return message.type === "frame" ? openTrusted(decodeFrame(message.bytes)!) : null
}
