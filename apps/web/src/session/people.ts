import type { ConferenceHandle, ConferenceView, Member, ViewChange } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"
import { assignColours } from "./colours.ts"
import type { Colours } from "./colours.ts"
import type { SecurityLog } from "./log.ts"
import type { Comings, Notice } from "./order.ts"

export type SessionPeople = {
  readonly view: Readable<ConferenceView>
  readonly colours: Readable<Colours>
  /** Arrivals and departures for the live region; a new object each time, so that equal news are read out again. */
  readonly news: Readable<Comings | null>
  /** Members that were disconnected without a goodbye and have not returned. */
  readonly lost: Readable<readonly Member[]>
  /** The epoch since which nobody here can receive messages, though somebody will return; null otherwise. */
  readonly aloneSince: Readable<number | null>
  /** Members that have just returned: the changes of both sides have been merged. */
  readonly reunited: Readable<readonly Member[]>
  /** Members that the page has shown and that have not left: present, disconnected, or named as absent. */
  shownMembers(): readonly Member["id"][]
}

/** The present people, with arrivals and departures. `notice` goes between the messages. */
export function openPeople(
  handle: ConferenceHandle,
  log: SecurityLog,
  notice: (notice: Notice) => void,
  signal: AbortSignal,
): SessionPeople {
  const view = store(handle.view)
  const colours = store<Colours>(assignColours(new Map(), [], handle.view))
  const news = store<Comings | null>(null)
  const lost = store<readonly Member[]>([])
  const reunited = store<readonly Member[]>([])
  const aloneSince = store<number | null>(null)
  const shown = new Set<Member["id"]>()
  const named = handle.admission.policy === "roster" ? handle.admission.people.map(({ id }) => id) : []
  showView(handle.view)

  handle.on("status", showView, { signal })
  handle.on(
    "view",
    (next, change) => {
      showView(next)
      for (const { id } of change.left) if (!change.lost.some((member) => member.id === id)) shown.delete(id)
      const others = comings(change, lost.get())
      log.append({ kind: "view", epoch: next.epoch, cause: change.cause, ...others })
      followLost(next, change.lost)
      const isAlone = lost.get().length > 0 && next.members.length === 1
      aloneSince.set(isAlone ? (aloneSince.get() ?? next.epoch) : null)
      if (change.cause === "created" || Object.values(others).every((members) => members.length === 0)) return
      news.set(others)
      // Before all messages of its view, which start at sequence 0.
      const position = { epoch: next.epoch, view: next.id, sequence: -1 }
      notice({ kind: "notice", id: `view ${next.id}`, position, ...others })
    },
    { signal },
  )

  function showView(next: ConferenceView): void {
    colours.set(assignColours(colours.get(), view.get().members, next))
    view.set(next)
    for (const { id } of next.members) shown.add(id)
  }

  function followLost({ members }: ConferenceView, newlyLost: readonly Member[]): void {
    const isHere = ({ id }: Member): boolean => members.some((member) => member.id === id)
    const returned = lost.get().filter(isHere)
    if (returned.length + newlyLost.length === 0) return
    lost.set([...lost.get().filter((member) => !isHere(member)), ...newlyLost])
    reunited.set(returned)
    if (returned.length > 0) log.append({ kind: "merged", with: returned })
  }

  return { view, colours, news, lost, aloneSince, reunited, shownMembers: () => [...named, ...shown] }
}

/** `missed`: members whose connection was lost before. */
function comings({ joined, left, lost, removed }: ViewChange, missed: readonly Member[]): Comings {
  const wasMissed = ({ id }: Member): boolean => missed.some((member) => member.id === id)
  return {
    joined: joined.filter((member) => isOther(member) && !wasMissed(member)),
    returned: joined.filter((member) => isOther(member) && wasMissed(member)),
    left: left.filter(isOther),
    lost: lost.filter(isOther),
    removed,
  }
}

function isOther(member: Member): boolean {
  return !member.self
}
