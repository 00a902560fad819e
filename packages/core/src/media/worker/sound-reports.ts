/** Decides when the page needs to hear whether sound of others arrives. Each report wakes the worker and the page. */

/** A sound that arrived within this time still comes. Microphones send 25 packets a second or more, also in silence. */
export const SOUND_GAP_MS = 80
/** So long after a sound has stopped, the page hears of it at each look. It decides about another path in this time. */
export const WATCHED_MS = 5000
/** Interval of reports while nothing changes. */
export const RESTING_MS = 1000

/** Time since the last frame of a peer's microphone, by connection, with or without a key. 0 while they come. */
export type Sounds = ReadonlyMap<number, number>

export class SoundReports {
  #said: Sounds = new Map()
  #saidAtMs = -Infinity

  /**
   * Call it every `LOOK_MS`. Returns the next report, or null if the page needs none now.
   * @param heardAtMs when the last frame came; connections without one are absent
   */
  step(heardAtMs: ReadonlyMap<number, number>, nowMs: number): Sounds | null {
    const sounds = new Map([...heardAtMs].map(([connection, atMs]) => [connection, silenceOf(nowMs - atMs)]))
    const isNews = [...sounds].some(([connection, silentMs]) => {
      const before = this.#said.get(connection)
      return (before === 0) !== (silentMs === 0) || (silentMs > 0 && silentMs < WATCHED_MS)
    })
    const isDue = sounds.size > 0 && nowMs - this.#saidAtMs >= RESTING_MS
    if (!isNews && !isDue) return null
    this.#said = sounds
    this.#saidAtMs = nowMs
    return sounds
  }
}

function silenceOf(silentMs: number): number {
  return silentMs < SOUND_GAP_MS ? 0 : silentMs
}
