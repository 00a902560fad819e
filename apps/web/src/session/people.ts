import type { ConferenceHandle, ConferenceView, Member, ViewChange } from "@keymoot/core"
import { type Readable, store } from "../store.ts"
import { assignColours, type Colours } from "./colours.ts"
import { openFirstMeeting } from "./room/firstMeeting.ts"
import { openFormerNames } from "./room/formerNames.ts"
import { type Departures, openDepartures } from "./room/departures.ts"
import { openLosses } from "./room/losses.ts"
import type { SecurityLog } from "./log.ts"
import type { Comings, Notice } from "./order.ts"

export type SessionPeople = {
  readonly view: Readable<ConferenceView>
  readonly colours: Readable<Colours>
  /** Arrivals and departures for the live region. Equal news differ in their id, and are read out again. */
  readonly news: Readable<Notice | null>
  /** Members that were disconnected without a goodbye in the last minutes, and have not returned. */
  readonly lost: Readable<readonly Member[]>
  /** Those of them that may only be reloading their page. */
  readonly reloading: Departures["held"]
  /** My role, after a host has changed it; a new object each time. */
  readonly myNewRole: Readable<Pick<Member, "role"> | null>
  /** The epoch since which nobody here can receive messages, though a lost member may return; null otherwise. */
  readonly aloneSince: Readable<number | null>
  /** Members that have just returned: the changes of both sides have been merged. */
  readonly reunited: Readable<readonly Member[]>
  /** Members that the page has shown and that have not left: present, disconnected, or named as absent. */
  shownMembers(): readonly Member["id"][]
}

type Position = Notice["position"]
const NOBODY: Comings = { joined: [], returned: [], left: [], lost: [], removed: [] }

/**
 * The present people, with arrivals and departures. `notice` goes between the messages.
 * @param latest the position of the newest message
 * @param created whether this page has just created the conference
 */
export function openPeople(
  handle: ConferenceHandle,
  log: SecurityLog,
  notice: (notice: Notice) => void,
  latest: () => Position | null,
  created: boolean,
  signal: AbortSignal,
): SessionPeople {
  const view = store(handle.view)
  const colours = store<Colours>(assignColours(new Map(), [], handle.view))
  const news = store<Notice | null>(null)
  const losses = openLosses(() => handle.server === "up", signal)
  const reunited = store<readonly Member[]>([])
  const aloneSince = store<number | null>(null)
  const myNewRole = store<Pick<Member, "role"> | null>(null)
  const names = openFormerNames()
  const showsEarlier = openFirstMeeting(handle, created, signal)
  const departures = openDepartures((gone, { id, epoch }) => {
    // Before the messages of the view in which they were lost.
    announce({ ...NOBODY, left: gone, lost: gone }, `lost in ${id}`, { epoch, view: id, sequence: -1 })
  }, signal)
  let roleChanges = 0
  const shown = new Set<Member["id"]>()
  const named = handle.admission.policy === "roster" ? handle.admission.people.map(({ id }) => id) : []
  showView(handle.view)

  handle.on("status", showView, { signal })
  handle.on(
    "view",
    (next, change) => {
      showView(next)
      for (const { id } of change.left) if (!change.lost.some((member) => member.id === id)) shown.delete(id)
      const came = comings(change, losses.remembered())
      const renamed = came.joined.flatMap((member) => names.of(member, next.members) ?? [])
      const joined = came.joined.filter((member) => !renamed.some((one) => one.member === member))
      const others = { ...came, joined, renamed }
      names.note(next.members)
      log.append({ kind: "view", epoch: next.epoch, cause: change.cause, ...others })
      // Without the server nobody comes back soon, so it is no reload.
      const held = handle.server === "up" ? others.lost : []
      departures.hold(held, next)
      const reloaded = departures.drop(others.returned)
      followLost(next, change.lost, reloaded)
      // Also after the lost are no longer expected: nobody has received the messages.
      const isAlone = losses.remembered().length > 0 && next.members.length === 1
      aloneSince.set(isAlone ? (aloneSince.get() ?? next.epoch) : null)
      const announced = { ...others, joined: showsEarlier(next) ? [] : joined }
      if (change.cause === "created") return
      // Before all messages of its view, which start at sequence 0.
      const position = { epoch: next.epoch, view: next.id, sequence: -1 }
      const isQuiet = (member: Member): boolean => [...held, ...reloaded].some(({ id }) => id === member.id)
      const [returned, left] = [others.returned, others.left].map((all) => all.filter((member) => !isQuiet(member)))
      const lostNow = others.lost.filter((member) => !isQuiet(member))
      announce({ ...announced, returned: returned!, left: left!, lost: lostNow }, `view ${next.id}`, position)
    },
    { signal },
  )

  function announce(comings: Comings, id: string, position: Position): void {
    if (Object.values(comings).every((members) => members.length === 0)) return
    const said: Notice = { kind: "notice", id, atMs: Date.now(), position, ...comings }
    news.set(said)
    notice(said)
  }

  function showView(next: ConferenceView): void {
    const before = view.get()
    colours.set(assignColours(colours.get(), before.members, next))
    view.set(next)
    for (const { id } of next.members) shown.add(id)
    announceRoles(before, next)
  }

  /** Roles are known with the first key. So the first ones that a newcomer sees are no change. */
  function announceRoles(before: ConferenceView, next: ConferenceView): void {
    if (before.status !== "secured" || next.status !== "secured") return
    const roles = next.members.filter(({ id, role }) => {
      const known = before.members.find((member) => member.id === id)
      return known !== undefined && known.role !== role
    })
    if (roles.length === 0) return
    const mine = roles.find(({ self }) => self)
    if (mine !== undefined) myNewRole.set({ role: mine.role })
    const newest = latest()
    const start = { epoch: next.epoch, view: next.id, sequence: -1 }
    const position = newest !== null && newest.view === next.id ? newest : start
    announce({ ...NOBODY, roles }, `roles ${++roleChanges}`, position)
  }

  /** @param reloaded members whose loss nobody was told */
  function followLost({ members }: ConferenceView, newlyLost: readonly Member[], reloaded: readonly Member[]): void {
    const { returned, forgotten } = losses.onView(members, newlyLost)
    for (const { id } of forgotten) shown.delete(id)
    if (returned.length + newlyLost.length === 0) return
    reunited.set(returned.filter(({ id }) => !reloaded.some((member) => member.id === id)))
    if (returned.length > 0) log.append({ kind: "merged", with: returned })
  }

  return {
    view,
    colours,
    news,
    lost: losses.expected,
    reloading: departures.held,
    myNewRole,
    aloneSince,
    reunited,
    shownMembers: () => [...named, ...shown],
  }
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
