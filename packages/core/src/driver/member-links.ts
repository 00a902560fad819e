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

export type LinkSender = Pick<Mesh, "send" | "congested" | "heartbeatLane" | "windowBytes">
type Overlay = Pick<OverlayLinks, "isDistant" | "carry" | "admitted" | "dismissed" | "receive">

/** Time after which a heartbeat that may be lost is repeated, unless the next one comes first. */
const REPEATED_MS = 300

export class MemberLinks {
  readonly #mesh: LinkSender
  /** Null in a conference that cannot outgrow a full mesh. */
  readonly overlay: Overlay | null
  /** The last heartbeats to linked members whose links did not take them, or may lose them. */
  readonly #unsure = new Map<MemberId, { readonly bytes: Uint8Array; readonly sinceMs: number }>()
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
      else {
        const reliability = how === "unreliable" ? how : "reliable"
        this.#mesh.send(peer, bytes, { payload, reliability, isRepeated: how === "repeated" })
      }
    }
  }

  /** A heartbeat that waits for a silent link describes the past when it arrives. */
  #sendHeartbeat(peer: MemberId, bytes: Uint8Array): void {
    const reliability = this.#mesh.heartbeatLane(peer)
    this.#unsure.delete(peer)
    if (reliability !== "reliable" && this.#isLinked(peer)) this.#unsure.set(peer, { bytes, sinceMs: this.#nowMs })
    if (reliability !== null) this.#mesh.send(peer, bytes, { reliability })
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
    for (const [peer, { bytes, sinceMs }] of this.#unsure) {
      if (!this.#isLinked(peer)) this.#unsure.delete(peer)
      else if (nowMs - sinceMs >= REPEATED_MS && this.#mesh.heartbeatLane(peer) === "reliable")
        this.#sendHeartbeat(peer, bytes)
    }
  }
}

function carriedFrame(message: LinkMessage) {
  return message.type === "frame" ? openTrusted(decodeFrame(message.bytes)!) : null
}
