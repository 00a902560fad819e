/** Time in which a member passes on a host's statement before it closes at the end that the statement sets. */
export const PASS_ON_MS = 2_000
/** Time in which a member that enters after the end looks for a statement that has extended the conference. */
export const LATE_MS = 10_000

export type EndInput = {
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number
  /** Monotonic clock. */
  readonly tickMs: number
  /** End by the statements known now. */
  readonly endsAtMs: number
  /** Whether a host's statement has set that end. */
  readonly isSet: boolean
  /** Outer bound of every end. */
  readonly expiresAtMs: number
}

/**
 * Decides when a conference is over for this member. `late`: it has entered after the end and looks for a statement
 * that extends it. It installs no view meanwhile.
 */
export class Ending {
  #entered = false
  #endedMs: number | null = null

  step({ nowMs, tickMs, endsAtMs, isSet, expiresAtMs }: EndInput): "open" | "late" | "over" {
    if (nowMs >= expiresAtMs) return "over"
    if (nowMs < endsAtMs) {
      this.#entered = true
      this.#endedMs = null
      return "open"
    }
    this.#endedMs ??= tickMs
    const graceMs = !this.#entered ? LATE_MS : isSet ? PASS_ON_MS : 0
    if (tickMs - this.#endedMs >= graceMs) return "over"
    return this.#entered ? "open" : "late"
  }
}
