import type { Member } from "@keymoot/core"
import type { SessionCall } from "../../session/call.ts"
import { type Readable, store } from "../../store.ts"

/** Minimum time that a member is in no call before a hidden notice comes again for them. */
export const QUIET_MS = 300_000
/** Members for whom the notice stays hidden. Beyond it, the one that left the call first is forgotten. */
export const QUIET_MEMBERS_MAX = 300

export type CallNotice = {
  /** A member of a call that this person has not joined and whose notice is not hidden; null otherwise. */
  readonly begun: Readable<Member | null>
  /** For this call; see also `QUIET_MS`. */
  hideBegun(): void
}

/** Tells of a call until that is hidden. No member can bring a hidden notice back by leaving and entering. */
export function openCallNotice(
  { state, before, participants }: Pick<SessionCall, "state" | "before" | "participants">,
  now: () => number,
): CallNotice {
  const begun = store<Member | null>(null)
  /** When each member was last seen in a call, the earliest first. */
  const quiet = new Map<Member["id"], number>()
  let inCall: readonly Member[] = []
  let hidden = false

  function keepQuiet({ id }: Member): void {
    quiet.delete(id)
    quiet.set(id, now())
    if (quiet.size > QUIET_MEMBERS_MAX) quiet.delete(quiet.keys().next().value!)
  }

  function update(): void {
    inCall.filter(({ id }) => quiet.has(id)).forEach(keepQuiet)
    inCall = participants.get().map(({ member }) => member)
    for (const [id, atMs] of quiet) if (now() - atMs >= QUIET_MS) quiet.delete(id)
    hidden = inCall.length > 0 && (hidden || state.get() !== "out" || before.get() !== null)
    if (hidden) inCall.forEach(keepQuiet)
    const untold = inCall.filter(({ id }) => !hidden && !quiet.has(id))
    begun.set(untold.find(({ id }) => id === begun.get()?.id) ?? untold[0] ?? null)
  }

  for (const source of [state, before, participants]) source.subscribe(update)
  update()
  return {
    begun,
    hideBegun() {
      hidden = true
      update()
    },
  }
}
