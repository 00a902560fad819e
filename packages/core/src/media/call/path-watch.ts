/** Decides from the sound of a peer when its connection needs another path. */

/**
 * Time without a sound of a peer whose microphone is on, after which its link is asked. A microphone sends at least 25
 * packets a second, silence included. A link has at most five heartbeats a second. Browsers notice a silent path after
 * seconds.
 */
export const REPORT_MS = 100
/** Such a time after which another connection is made, if the link has lost its path. A busy machine is often shorter silent. */
export const SILENCE_MS = 350
/** The same, if the link has kept its path. */
export const REPLACE_MS = 1000

export type PathInput = {
  readonly nowMs: number
  /** Frames of sound that have arrived. */
  readonly sounds: number
  /** Whether the peer's microphone is on. */
  readonly expected: boolean
  /** Whether the view has no key yet. Then nobody sends. */
  readonly agreeing: boolean
  /** When the link to the peer left its direct path the last time; -Infinity if it never did. */
  readonly linkLostAtMs: number
}

/**
 * report: to the link, once in each silence. It leaves its path if that is silent too. replace: by another connection,
 * since this one is silent. follow: the same, since the link has lost its direct path after the last sound, and media
 * has too. ICE is not restarted. Chromium would keep a dead path beside a live one of lower priority for 3.5 s. Firefox
 * can stay without a path while Chromium sends over the new one.
 */
export type PathOutput = "report" | "replace" | "follow" | null

export class PathWatch {
  /** `seenAtMs`: Infinity if silence means nothing now. */
  #sound = { count: 0, seenAtMs: Infinity }
  #isReported = false

  /** Takes the state of a connection, a few times a second. */
  step({ nowMs, sounds, expected, agreeing, linkLostAtMs }: PathInput): PathOutput {
    if (!expected || sounds !== this.#sound.count) {
      this.#sound = { count: sounds, seenAtMs: expected && sounds > 0 ? nowMs : Infinity }
      this.#isReported = false
    }
    const isLost = linkLostAtMs > this.#sound.seenAtMs
    if (agreeing && !isLost && this.#sound.seenAtMs < nowMs) this.#sound.seenAtMs = nowMs
    const silentMs = nowMs - this.#sound.seenAtMs
    if (isLost && silentMs > SILENCE_MS) return "follow"
    if (silentMs > REPLACE_MS) return "replace"
    if (silentMs <= REPORT_MS || this.#isReported) return null
    this.#isReported = true
    return "report"
  }
}
