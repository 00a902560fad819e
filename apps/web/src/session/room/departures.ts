import type { ConferenceView, Member } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"

/** How long the loss of a member is not announced. A reload of its page takes less, and is nobody's news. */
export const RELOAD_MS = 10_000

type Held = { readonly member: Member; readonly view: ConferenceView; readonly timer: ReturnType<typeof setTimeout> }

export type Departures = {
  /** Members whose loss has not been announced yet. The lock and the security log tell it at once. */
  readonly held: Readable<ReadonlySet<Member["id"]>>
  hold(members: readonly Member[], view: ConferenceView): void
  /** Drops the losses of members that are back. Returns those members: their return is not announced either. */
  drop(members: readonly Member[]): readonly Member[]
}

/** @param announce the members that were lost with this view and have not returned in time */
export function openDepartures(
  announce: (members: readonly Member[], view: ConferenceView) => void,
  signal: AbortSignal,
): Departures {
  const waiting = new Map<Member["id"], Held>()
  const held = store<ReadonlySet<Member["id"]>>(new Set())
  const changed = (): void => held.set(new Set(waiting.keys()))

  function due(ids: readonly Member["id"][], view: ConferenceView): void {
    const gone = ids.flatMap((id) => {
      const one = waiting.get(id)
      // Lost again since: that loss has a timer of its own.
      return one?.view === view && waiting.delete(id) ? [one.member] : []
    })
    changed()
    if (gone.length > 0) announce(gone, view)
  }

  signal.addEventListener("abort", () => {
    for (const { timer } of waiting.values()) clearTimeout(timer)
  })
  return {
    held,
    hold(members, view) {
      if (members.length === 0) return
      const ids = members.map(({ id }) => id)
      const timer = setTimeout(() => due(ids, view), RELOAD_MS)
      for (const member of members) waiting.set(member.id, { member, view, timer })
      changed()
    },
    drop(members) {
      const back = members.filter(({ id }) => waiting.delete(id))
      if (back.length > 0) changed()
      return back
    },
  }
}
