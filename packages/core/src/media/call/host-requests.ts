/** Judges the requests of other members about this one's microphone. */
import type { MemberId } from "@keymoot/transport"
import type { Member } from "../../api/index.ts"

export class HostRequests {
  /** Members of the present view whose requests were refused. Each is reported once. */
  readonly #reported = new Set<MemberId>()

  /** Returns null for a host that ranks above this member. Otherwise, whether the refusal must be reported. */
  refusal(from: Pick<Member, "id" | "rank">, self: Pick<Member, "rank">): { readonly report: boolean } | null {
    if (from.rank !== null && (self.rank === null || from.rank < self.rank)) return null
    const report = !this.#reported.has(from.id)
    this.#reported.add(from.id)
    return { report }
  }

  onView(): void {
    this.#reported.clear()
  }
}
