/** Decides from the sound of a peer when its connection needs another path. */

/**
 * Time without a sound of a peer whose microphone is on. A microphone sends 50 packets a second, silence included. A
 * link has at most five heartbeats a second. Browsers notice a silent path after seconds.
 */
export const SILENCE_MS = 200
/** Such a time after which ICE is restarted, if the link has kept its path. */
export const RESTART_MS = 500

export type PathInput = {
  readonly nowMs: number
  /** Frames of sound that have arrived. */
  readonly sounds: number
  /** Whether the peer's microphone is on. */
  readonly expected: boolean
  /** When the link to the peer left its direct path the last time; -Infinity if it never did. */
  readonly linkLostAtMs: number
}

/**
 * report: to the link, which leaves its path if that is silent too. restart: ICE. Silence alone can come from a slow
 * change of the key, so this must cost little. replace: by another connection. The link has lost its direct path since
 * the last sound, so media has too. After a restart of ICE Chromium keeps a dead path beside a live one of lower
 * priority for 3.5 s.
 */
export type PathOutput = "report" | "restart" | "replace" | null

export class PathWatch {
  /** `seenAtMs`: Infinity if silence means nothing now. */
  #sound = { count: 0, seenAtMs: Infinity }
  /** Last answer in this silence. Each is given once. */
  #answer: PathOutput = null

  /** Takes the state of a connection, a few times a second. */
  step({ nowMs, sounds, expected, linkLostAtMs }: PathInput): PathOutput {
    if (!expected || sounds !== this.#sound.count) {
      this.#sound = { count: sounds, seenAtMs: expected && sounds > 0 ? nowMs : Infinity }
      this.#answer = null
    }
    const { seenAtMs } = this.#sound
    if (nowMs - seenAtMs <= SILENCE_MS || this.#answer === "replace") return null
    const kept = nowMs - seenAtMs > RESTART_MS ? "restart" : "report"
    const answer = linkLostAtMs > seenAtMs ? "replace" : kept
    return answer === this.#answer ? null : (this.#answer = answer)
  }
}
