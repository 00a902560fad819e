/** Timeout of an attempt, from the first packet to the server's welcome. */
const ATTEMPT_TIMEOUT_MS = 10_000
/**
 * Timeout of the first attempt after the server fell silent: three times as long as the last successful one took, but
 * no less than this. It grows with each further attempt, since the network may have become slower.
 */
const PROBE_TIMEOUT_MS_MIN = 1_500
const PROBE_TIMEOUT_FACTOR = 3
const PROBE_TIMEOUT_GROWTH = 1.5
/** Initial back-off, doubled with each failure. */
export const RETRY_DELAY_MS = 300
const RETRY_DELAY_MS_MAX = 5_000

/**
 * The timeouts of attempts to reach the server, and the pauses between them.
 *
 * An attempt without a network hangs, and the system repeats its first packet later and later. So the first attempts
 * after the server fell silent are short, and follow one another without a back-off. They are at most five, in some 20
 * seconds. A server that closes connections, refuses attempts or restarts meets the back-off alone.
 */
export class AttemptSchedule {
  #failures = 0
  /** Duration of the last attempt that succeeded. */
  #lastMs = ATTEMPT_TIMEOUT_MS

  /** Timeout of the next attempt. */
  timeoutMs = ATTEMPT_TIMEOUT_MS

  connected(durationMs: number): void {
    this.#lastMs = durationMs
    this.timeoutMs = ATTEMPT_TIMEOUT_MS
  }

  /** A connection has ended. `wasSilent`: the server has sent nothing for long. `wasStable`: it was no failure. */
  lost(wasSilent: boolean, wasStable: boolean): void {
    if (wasStable) this.#failures = 0
    const shortMs = Math.max(PROBE_TIMEOUT_MS_MIN, PROBE_TIMEOUT_FACTOR * this.#lastMs)
    if (wasSilent) this.timeoutMs = Math.min(ATTEMPT_TIMEOUT_MS, shortMs)
  }

  /** An attempt has failed. `isAnswered`: the server or the network has refused it. */
  failed(isAnswered: boolean): void {
    const longerMs = isAnswered ? ATTEMPT_TIMEOUT_MS : PROBE_TIMEOUT_GROWTH * this.timeoutMs
    this.timeoutMs = Math.min(ATTEMPT_TIMEOUT_MS, longerMs)
  }

  /** From 50 % to 150 % of the nominal pause, so that members return one by one. `fraction`: random, in [0, 1). */
  nextPauseMs(fraction: number): number {
    const nominalMs = Math.min(RETRY_DELAY_MS_MAX, RETRY_DELAY_MS * 2 ** this.#failures)
    if (this.timeoutMs === ATTEMPT_TIMEOUT_MS) this.#failures += 1
    return nominalMs * (0.5 + fraction)
  }
}
