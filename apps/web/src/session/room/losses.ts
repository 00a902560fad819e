import { CONFERENCE_MEMBERS_MAX, type Member } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"

/** How long a lost member is expected back. Most have closed their tab and do not return. */
export const EXPECTED_BACK_MINUTES = 10
/**
 * Lost members whose return is recognized: a partition can separate a full conference. The longest lost are forgotten,
 * and would join as new ones.
 */
export const REMEMBERED_MAX = CONFERENCE_MEMBERS_MAX

export type Losses = {
  /** Members that are expected back, the last one lost last. */
  readonly expected: Readable<readonly Member[]>
  /** These and the ones that were lost earlier. */
  readonly remembered: () => readonly Member[]
  /** Takes the members of a view and its losses. Returns the members that are back, and those forgotten for others. */
  onView(present: readonly Member[], lost: readonly Member[]): Record<"returned" | "forgotten", readonly Member[]>
}

/** Members that were disconnected without a goodbye. While the server is down their time stands still. */
export function openLosses(isServerUp: () => boolean, signal: AbortSignal): Losses {
  const expected = store<readonly Member[]>([])
  /** Minutes since the loss, in its order. */
  const minutes = new Map<Member, number>()

  function changed(): void {
    const next = [...minutes].flatMap(([member, since]) => (since < EXPECTED_BACK_MINUTES ? [member] : []))
    const before = expected.get()
    if (next.length !== before.length || next.some((member, i) => member !== before[i])) expected.set(next)
  }

  const ticking = setInterval(() => {
    if (!isServerUp()) return
    for (const [member, since] of minutes) minutes.set(member, since + 1)
    changed()
  }, 60_000)
  signal.addEventListener("abort", () => clearInterval(ticking))

  return {
    expected,
    remembered: () => [...minutes.keys()],
    onView(present, lost) {
      const returned = [...minutes.keys()].filter(({ id }) => present.some((member) => member.id === id))
      for (const member of returned) minutes.delete(member)
      for (const member of lost) minutes.set(member, 0)
      const forgotten = [...minutes.keys()].slice(0, -REMEMBERED_MAX)
      for (const member of forgotten) minutes.delete(member)
      changed()
      return { returned, forgotten }
    },
  }
}
