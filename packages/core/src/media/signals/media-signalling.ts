/** The engine's part of calls: passes signals between the page and the members that have a link. */
import { decodeMediaSignal, encodeMediaSignal, type MediaSignal } from "./media-signal.ts"
import type { MemberId } from "@keymoot/transport"
import { CostMeter } from "../../queues/cost-meter.ts"

/** Signals of one member that reach the page. A connection has about 30, candidates included. */
export const MEDIA_SIGNALS_PER_SECOND = 50
export const MEDIA_SIGNALS_BURST = 500

export type MediaSignallingConfig = {
  /** Sends a direct message. Returns false without a link. */
  readonly send: (to: MemberId, bytes: Uint8Array) => boolean
  readonly emit: (from: MemberId, signal: MediaSignal) => void
  readonly report: (code: "bad-frame" | "flooding", member: MemberId, detail: string) => void
}

export class MediaSignalling {
  readonly #config: MediaSignallingConfig
  readonly #meter = new CostMeter<MemberId>({ perSecond: MEDIA_SIGNALS_PER_SECOND, burst: MEDIA_SIGNALS_BURST })

  constructor(config: MediaSignallingConfig) {
    this.#config = config
  }

  tick(nowMs: number): void {
    this.#meter.tick(nowMs)
  }

  /** A signal that is too long or has no link is lost. The connection then finds no path or is tried again. */
  send(to: readonly MemberId[], signal: MediaSignal): void {
    try {
      const bytes = encodeMediaSignal(signal)
      for (const member of to) this.#config.send(member, bytes)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }

  receive(from: MemberId, bytes: Uint8Array): void {
    const { report, emit } = this.#config
    if (this.#meter.isOver(from)) return report("flooding", from, "it sends too many messages about a call")
    this.#meter.spend(from, 1)
    const signal = decodeMediaSignal(bytes)
    if (signal) emit(from, signal)
    else report("bad-frame", from, "a message about a call is malformed")
  }
}
