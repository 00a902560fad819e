/** Finds who speaks, by the loudness of the microphones. */
import type { MemberId } from "@keymoot/transport"

const LOUD_LEVEL = 0.02
/** Somebody speaks for so long after a loud moment. Pauses between words are shorter. */
const SPEAKING_MS = 1000

export class Speakers {
  readonly #loudAtMs = new Map<MemberId, number>()
  #speaking = ""

  /** Takes the present loudness of all other members in the call, 0 to 1. Returns whether others speak than before. */
  step(levels: ReadonlyMap<MemberId, number>, nowMs: number): boolean {
    for (const member of this.#loudAtMs.keys()) if (!levels.has(member)) this.#loudAtMs.delete(member)
    for (const [member, level] of levels) if (level > LOUD_LEVEL) this.#loudAtMs.set(member, nowMs)
    const before = this.#speaking
    this.#speaking = [...levels.keys()].filter((member) => this.isSpeaking(member, nowMs)).join()
    return this.#speaking !== before
  }

  isSpeaking(member: MemberId, nowMs: number): boolean {
    return nowMs - (this.#loudAtMs.get(member) ?? -Infinity) < SPEAKING_MS
  }
}
