/** Judges the requests of other members about this one's microphone. */
import type { MemberId } from "@keymoot/transport"
import type { Member } from "../../api/index.ts"

/** Interval between two requests of one host to unmute. `mute` needs none, since the member unmutes in between. */
export const ASK_APART_MS = 5000

export class HostRequests {
  /** Members of the present view whose requests were refused. Each is reported once. */
  readonly #reported = new Set<MemberId>()
  /** When each host has last asked to unmute. */
  readonly #askedAtMs = new Map<MemberId, number>()

  /** Returns null for a host that ranks above this member. Otherwise, whether the refusal must be reported. */
  refusal(from: Pick<Member, "id" | "rank">, self: Pick<Member, "rank">): { readonly report: boolean } | null {
    if (from.rank !== null && (self.rank === null || from.rank < self.rank)) return null
    const report = !this.#reported.has(from.id)
    this.#reported.add(from.id)
    return { report }
  }

  /** Whether a host repeats its request to unmute too soon. It starts the interval otherwise. */
  isTooSoon(host: MemberId, nowMs: number): boolean {
    if (nowMs - (this.#askedAtMs.get(host) ?? -Infinity) < ASK_APART_MS) return true
    this.#askedAtMs.set(host, nowMs)
    return false
  }

  onView(members: { has(member: MemberId): boolean }): void {
    this.#reported.clear()
    for (const member of this.#askedAtMs.keys()) if (!members.has(member)) this.#askedAtMs.delete(member)
  }
}
