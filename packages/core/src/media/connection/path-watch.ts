/** Decides from the sound of a peer when its connection needs another path. */

/**
 * Time without a sound of a peer whose microphone is on, after which its link is asked. A microphone sends at least 25
 * packets a second, silence included. A link has at most five heartbeats a second. Browsers notice a silent path after
 * seconds.
 */
export const REPORT_MS = 100
/** After a report in vain the next one waits twice as long, up to 800 ms. A busy machine hears nothing for moments. */
const VAIN_REPORTS_MAX = 3
/** After this time without a report in vain, the first time holds again. */
export const VAIN_MS = 10_000
/**
 * Such a time after which another connection is made, if the link has lost its path. It is also the time to the next such
 * answer.
 */
export const SILENCE_MS = 350
/** The same, if the link has kept its path. */
export const REPLACE_MS = 1000

export type PathInput = {
  readonly nowMs: number
  /** When the peer's sound stopped. Null while it comes. Infinity before the first. */
  readonly silentSinceMs: number | null
  /** Whether the peer's microphone is on. */
  readonly expected: boolean
  /** Whether the view has no key yet. Then nobody sends. */
  readonly agreeing: boolean
  /** When the link to the peer left its direct path the last time; -Infinity if it never did. */
  readonly linkLostAtMs: number
}

/**
 * report: to the link, once in each silence. It leaves its path if that is silent too. replace: by another connection,
 * unless packets come over this one. follow: the same, since the link has lost its direct path after the last sound, and
 * media has too. ICE is not restarted. Chromium would keep a dead path beside a live one of lower priority for 3.5 s. Firefox
 * can stay without a path while Chromium sends over the new one.
 */
export type PathOutput = "report" | "replace" | "follow" | null

export class PathWatch {
  /** Silence counts from this time at the earliest. Infinity: it means nothing before the next sound. */
  #countsFromMs = Infinity
  #isReported = false
  #vain = { count: 0, atMs: -Infinity }
  #askedAtMs = -Infinity

  /** Takes the state of a connection, at each report of sounds. */
  step({ nowMs, silentSinceMs, expected, agreeing, linkLostAtMs }: PathInput): PathOutput {
    if (nowMs - this.#vain.atMs > VAIN_MS) this.#vain.count = 0
    if (!expected || silentSinceMs === null) this.#hear(nowMs, expected)
    const heardAtMs = Math.max(silentSinceMs ?? nowMs, this.#countsFromMs)
    const isLost = linkLostAtMs > heardAtMs
    if (agreeing && !isLost && heardAtMs < nowMs) this.#countsFromMs = nowMs
    const silentMs = nowMs - Math.max(heardAtMs, this.#countsFromMs)
    const limitMs = isLost ? SILENCE_MS : REPLACE_MS
    if (silentMs > limitMs && nowMs - this.#askedAtMs > limitMs) {
      this.#askedAtMs = nowMs
      return isLost ? "follow" : "replace"
    }
    if (silentMs <= REPORT_MS * 2 ** this.#vain.count || this.#isReported) return null
    this.#isReported = true
    return "report"
  }

  #hear(nowMs: number, expected: boolean): void {
    this.#countsFromMs = expected ? -Infinity : Infinity
    if (this.#isReported) this.#vain = { count: Math.min(this.#vain.count + 1, VAIN_REPORTS_MAX), atMs: nowMs }
    this.#isReported = false
    this.#askedAtMs = -Infinity
  }
}
