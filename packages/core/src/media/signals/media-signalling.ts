/** The engine's part of calls: passes signals between the page and the members that have a link. */
import { decodeMediaSignal, encodeMediaSignal, type MediaSignal } from "./media-signal.ts"
import { encodeDirect, type MemberId, type Mesh } from "@keymoot/transport"
import type { Gate } from "../../admission/gate.ts"
import { CostMeter } from "../../queues/cost-meter.ts"

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

  constructor(mesh: Pick<Mesh, "send" | "unheard">, gate: Pick<Gate, "isInside">) {
    this.#mesh = mesh
    this.#gate = gate
  }

  tick(nowMs: number): void {
    this.#meter.tick(nowMs)
  }

  /**
   * A signal that is too long or has no link is lost. The connection then finds no path or is tried again. The page's
   * view still shows a removed member for a while, whose link is open for the notice of the removal.
   */
  send(to: readonly MemberId[], signal: MediaSignal): void {
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
    if (signal) return { type: "media", signal }
    return { type: "report", code: "bad-frame", detail: "a message about a call is malformed" }
  }
}
