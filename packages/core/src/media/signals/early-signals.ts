/** Signals that arrive before the view with their sender, or while its connection is made. */
import type { MemberId } from "@keymoot/transport"
import type { MediaSignal } from "./media-signal.ts"

/** Bound on one member's early signals. Further ones are dropped, and the connection is tried again. */
export const EARLY_MEDIA_SIGNALS_MAX = 70

/** Signal of a connection that is being made. */
export type ConnectingSignal = Extract<MediaSignal, { kind: "description" | "candidate" }>

export class EarlySignals {
  readonly #membersMax: number
  readonly #waiting = new Map<MemberId, readonly ConnectingSignal[]>()

  /** `membersMax`: members whose signals are kept at once. */
  constructor(membersMax: number) {
    this.#membersMax = membersMax
  }

  keep(from: MemberId, signal: ConnectingSignal): void {
    const early = this.#waiting.get(from) ?? []
    const hasPlace = early.length > 0 || this.#waiting.size < this.#membersMax
    if (early.length >= EARLY_MEDIA_SIGNALS_MAX || !hasPlace) return
    this.#waiting.set(from, [...early, signal])
  }

  /** Returns the member's signals in their order, and forgets them. */
  take(from: MemberId): readonly ConnectingSignal[] {
    const early = this.#waiting.get(from) ?? []
    this.#waiting.delete(from)
    return early
  }

  /** Keeps the signals of these members only. */
  retain(present: ReadonlySet<MemberId>): void {
    for (const member of this.#waiting.keys()) if (!present.has(member)) this.#waiting.delete(member)
  }
}
