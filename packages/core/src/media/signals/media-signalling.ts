/** The engine's part of calls: passes signals between the page and the members that have a link. */
import { decodeMediaSignal, encodeMediaSignal, type MediaSignal } from "./media-signal.ts"
import { encodeDirect, type MemberId, type Mesh, type View } from "@keymoot/transport"
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import type { Gate } from "../../admission/gate.ts"
import { CostMeter } from "../../queues/cost-meter.ts"
import { LruMap } from "../../wire/index.ts"

/** Signals of one member that reach the page. A connection has about 30, candidates included. */
export const MEDIA_SIGNALS_PER_SECOND = 50
export const MEDIA_SIGNALS_BURST = 500

export type MediaSignallingOutput =
  | { readonly type: "media"; readonly signal: MediaSignal }
  | { readonly type: "report"; readonly code: "bad-frame" | "flooding"; readonly detail: string }

export class MediaSignalling {
  readonly #mesh: Pick<Mesh, "send" | "unheard">
  readonly #gate: Pick<Gate, "isInside">
  readonly #meter = new CostMeter<MemberId>({ perSecond: MEDIA_SIGNALS_PER_SECOND, burst: MEDIA_SIGNALS_BURST })
  /** Whether this member has last told others that it is in the call. */
  #isIn = false
  /** Others that have last told so, and their incarnations. */
  readonly #others = new LruMap<MemberId, number>(CONFERENCE_MEMBERS_MAX)

  constructor(mesh: Pick<Mesh, "send" | "unheard">, gate: Pick<Gate, "isInside">) {
    this.#mesh = mesh
    this.#gate = gate
  }

  tick(nowMs: number): void {
    this.#meter.tick(nowMs)
  }

  /** Whether this member or one of these is in the call. */
  isCall(members: View["members"]): boolean {
    return this.#isIn || members.some(({ id, incarnation }) => this.#others.peek(id) === incarnation)
  }

  /**
   * A signal that is too long or has no link is lost. The connection then finds no path or is tried again. The page's
   * view still shows a removed member for a while, whose link is open for the notice of the removal.
   */
  send(to: readonly MemberId[], signal: MediaSignal): void {
    if (signal.kind === "state") this.#isIn = signal.session !== 0
    try {
      const bytes = encodeDirect(encodeMediaSignal(signal))
      for (const member of to) if (this.#gate.isInside(member)) this.#mesh.send(member, bytes)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }

  /** The page misses a member's voice. */
  unheard(member: MemberId): void {
    this.#mesh.unheard(member)
  }

  receive(from: MemberId, bytes: Uint8Array): MediaSignallingOutput {
    if (this.#meter.isOver(from)) {
      return { type: "report", code: "flooding", detail: "it sends too many messages about a call" }
    }
    this.#meter.spend(from, 1)
    const signal = decodeMediaSignal(bytes)
    if (signal?.kind === "state") this.#note(from, signal)
    if (signal) return { type: "media", signal }
    return { type: "report", code: "bad-frame", detail: "a message about a call is malformed" }
  }

  #note(from: MemberId, { session, incarnation }: MediaSignal & { readonly kind: "state" }): void {
    if (session === 0) this.#others.delete(from)
    else this.#others.set(from, incarnation)
  }
}
