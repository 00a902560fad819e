import type { Member } from "@keymoot/core"
import type { SessionCall } from "../../session/call.ts"
import { type Readable, store } from "../../store.ts"

/** Minimum time that a member is in no call before a notice comes again for them that was hidden, or went twice. */
export const QUIET_MS = 300_000
/** Members for whom that is known. Beyond it, the one that left the call first is forgotten. */
export const QUIET_MEMBERS_MAX = 300

export type CallNotice = {
  /**
   * Members of a call that this person has not joined and whose notice is not hidden, in the order in which they came;
   * empty otherwise.
   */
  readonly begun: Readable<readonly Member[]>
  /** For this call; see also `QUIET_MS`. */
  hideBegun(): void
}

/**
 * Tells of a call until that is hidden. No member can bring a hidden notice back by leaving and entering, or make one
 * come, go or change again and again.
 */
export function openCallNotice(
  { state, before, participants }: Pick<SessionCall, "state" | "before" | "participants">,
  now: () => number,
): CallNotice {
  const begun = store<readonly Member[]>([])
  /** When each member was last seen in a call of which no notice tells, the earliest first. */
  const quiet = new Map<Member["id"], number>()
  /** When the notice of each member last went because the member left, the earliest first. */
  const gone = new Map<Member["id"], number>()
  let inCall: readonly Member[] = []
  let hidden = false

  function note(times: typeof quiet, { id }: Member): void {
    times.delete(id)
    times.set(id, now())
    if (times.size > QUIET_MEMBERS_MAX) times.delete(times.keys().next().value!)
  }

  function update(): void {
    const told = begun.get()
    for (const member of inCall) if (quiet.has(member.id)) note(quiet, member)
    inCall = participants.get().map(({ member }) => member)
    for (const times of [quiet, gone]) for (const [id, atMs] of times) if (now() - atMs >= QUIET_MS) times.delete(id)
    for (const member of told.filter(({ id }) => !inCall.some((one) => one.id === id))) {
      if (gone.has(member.id)) note(quiet, member)
      note(gone, member)
    }
    hidden = inCall.length > 0 && (hidden || state.get() !== "out" || before.get() !== null)
    if (hidden) for (const member of inCall) note(quiet, member)
    const untold = inCall.filter(({ id }) => !hidden && !quiet.has(id))
    const known = told.flatMap(({ id }) => untold.find((member) => member.id === id) ?? [])
    begun.set([...known, ...untold.filter((member) => !known.includes(member))])
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
