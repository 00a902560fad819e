import type { ConferenceHandle, ConferenceView, Member, Role, ViewChange } from "@keymoot/core"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { t } from "i18next"
import { describeChange } from "../../src/conference/names.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { RELOAD_MS } from "../../src/session/room/departures.ts"
import { EXPECTED_BACK_MINUTES, REMEMBERED_MAX } from "../../src/session/room/losses.ts"
import { openLog } from "../../src/session/log.ts"
import type { Notice } from "../../src/session/order.ts"
import { openPeople } from "../../src/session/people.ts"

beforeAll(() => void startI18n(["en-GB"]))
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const UNCHANGED: ViewChange = { joined: [], left: [], lost: [], removed: [], cause: "joined" }
const person = (name: string, role: Role = "editor"): Member =>
  ({ id: name, name, role, self: name === "Ada" }) as unknown as Member
const viewOf = (epoch: number, ...members: readonly Member[]): ConferenceView =>
  ({ id: `v${epoch}`, epoch, status: "secured", members, securedAtMs: 0 }) as ConferenceView

function open(server: "up" | "down" = "up") {
  const [ada, bob] = [person("Ada", "host"), person("Bob")]
  const listeners = new Map<string, (...values: unknown[]) => void>()
  const handle = {
    view: viewOf(1, ada, bob),
    admission: { policy: "link" },
    server,
    on: (event: string, listener: (...values: unknown[]) => void) => listeners.set(event, listener),
  } as unknown as ConferenceHandle
  const setServer = (next: "up" | "down"): void => void Object.assign(handle, { server: next })
  const notices: Notice[] = []
  const log = openLog()
  const people = openPeople(
    handle,
    log,
    (notice) => notices.push(notice),
    () => null,
    false,
    new AbortController().signal,
  )
  return {
    ada,
    bob,
    people,
    log,
    setServer,
    said: () => notices.map((notice) => describeChange(notice, t, "en")),
    view: (view: ConferenceView, change: Partial<ViewChange>) =>
      listeners.get("view")!(view, { ...UNCHANGED, ...change }),
    status: (view: ConferenceView) => listeners.get("status")!(view),
  }
}

test("says nothing of a person who is back before the time of a reload", () => {
  const { ada, bob, people, said, view, log } = open()
  view(viewOf(2, ada), { left: [bob], lost: [bob], cause: "left" })
  expect(people.lost.get()).toEqual([bob])
  expect(people.reloading.get().has(bob.id)).toBe(true)
  vi.advanceTimersByTime(RELOAD_MS - 1)
  view(viewOf(3, ada, bob), { joined: [bob] })
  vi.advanceTimersByTime(10 * RELOAD_MS)
  expect(said()).toEqual([])
  expect(people.reunited.get()).toEqual([])
  // The record of who could read is complete.
  expect(log.lines.get().map(({ kind }) => kind)).toEqual(["view", "view", "merged"])
})

test("tells of a loss and a return at once when the server is out of reach", () => {
  const { ada, bob, people, said, view } = open("down")
  view(viewOf(2, ada), { left: [bob], lost: [bob], cause: "left" })
  expect(said()).toEqual(["Lost the connection to Bob."])
  view(viewOf(3, ada, bob), { joined: [bob] })
  expect(said()).toEqual(["Lost the connection to Bob.", "Bob is back."])
  expect(people.reunited.get()).toEqual([bob])
})

test("tells of the loss after that time, and of the return", () => {
  const { ada, bob, people, said, view } = open()
  view(viewOf(2, ada), { left: [bob], lost: [bob], cause: "left" })
  vi.advanceTimersByTime(RELOAD_MS)
  view(viewOf(3, ada, bob), { joined: [bob] })
  expect(said()).toEqual(["Lost the connection to Bob.", "Bob is back."])
  expect(people.reunited.get()).toEqual([bob])
})

test("announces a page once that reloads again and again, and then stays away", () => {
  const { ada, bob, said, view } = open()
  for (let epoch = 2; epoch < 20; epoch += 2) {
    view(viewOf(epoch, ada), { left: [bob], lost: [bob], cause: "left" })
    vi.advanceTimersByTime(RELOAD_MS / 2)
    view(viewOf(epoch + 1, ada, bob), { joined: [bob] })
  }
  view(viewOf(20, ada), { left: [bob], lost: [bob], cause: "left" })
  vi.advanceTimersByTime(10 * RELOAD_MS)
  expect(said()).toEqual(["Lost the connection to Bob."])
})

test("a goodbye and a removal are announced at once", () => {
  const { ada, bob, said, view } = open()
  const eve = person("Eve")
  view(viewOf(2, ada, eve), { left: [bob], joined: [eve], cause: "left" })
  view(viewOf(3, ada), { left: [eve], removed: [eve], cause: "left" })
  expect(said()).toEqual(["Eve joined. Bob left.", "A host removed Eve."])
})

test("announces changed roles to the room, and to the person concerned", () => {
  const { people, said, status } = open()
  status(viewOf(1, person("Ada", "viewer"), person("Bob", "host")))
  expect(said()).toEqual(["You can only watch now. A host can change that. Bob is a host now."])
  expect(people.myNewRole.get()).toEqual({ role: "viewer" })
  status(viewOf(1, person("Ada", "viewer"), person("Bob", "host")))
  expect(said()).toHaveLength(1)
})

test("the first roles that a newcomer learns are no change", () => {
  const { people, said, status } = open()
  status({ ...viewOf(1, person("Ada", "viewer"), person("Bob")), status: "agreeing" })
  status(viewOf(2, person("Ada", "host"), person("Bob")))
  expect(said()).toEqual([])
  expect(people.myNewRole.get()).toBeNull()
})

const EXPECTED_BACK_MS = EXPECTED_BACK_MINUTES * 60_000

test("names only the last loss when another person closed the tab hours ago", () => {
  const { ada, bob, people, view } = open()
  const eve = person("Eve")
  view(viewOf(2, ada, eve), { left: [bob], joined: [eve], lost: [bob] })
  vi.advanceTimersByTime(2 * 3_600_000)
  expect(people.lost.get()).toEqual([])
  view(viewOf(3, ada), { left: [eve], lost: [eve] })
  expect(people.lost.get()).toEqual([eve])
  expect(people.aloneSince.get()).toBe(3)
  vi.advanceTimersByTime(EXPECTED_BACK_MS)
  expect(people.lost.get()).toEqual([])
})

test("keeps messages waiting until somebody can receive them, however long", () => {
  const { ada, bob, people, view } = open()
  view(viewOf(2, ada), { left: [bob], lost: [bob] })
  vi.advanceTimersByTime(2 * 3_600_000)
  expect(people.lost.get()).toEqual([])
  expect(people.aloneSince.get()).toBe(2)
  // The key is renewed while Ada is alone.
  view(viewOf(3, ada), { cause: "refreshed" })
  expect(people.aloneSince.get()).toBe(2)
  view(viewOf(4, ada, bob), { joined: [bob] })
  expect(people.aloneSince.get()).toBeNull()
})

test("tells of the return when a person is back after hours", () => {
  const { ada, bob, people, said, view } = open()
  view(viewOf(2, ada), { left: [bob], lost: [bob] })
  vi.advanceTimersByTime(2 * 3_600_000)
  view(viewOf(3, ada, bob), { joined: [bob] })
  expect(said().at(-1)).toBe("Bob is back.")
  expect(people.reunited.get()).toEqual([bob])
})

test("keeps expecting the others when the server is out of reach for hours", () => {
  const { ada, bob, people, view, setServer } = open("down")
  view(viewOf(2, ada), { left: [bob], lost: [bob] })
  vi.advanceTimersByTime(2 * 3_600_000)
  expect(people.lost.get()).toEqual([bob])
  expect(people.aloneSince.get()).toBe(2)
  setServer("up")
  vi.advanceTimersByTime(EXPECTED_BACK_MS)
  expect(people.lost.get()).toEqual([])
})

test("forgets the longest lost members when hundreds close their tab", () => {
  const { ada, people, view } = open()
  const guests = Array.from({ length: 300 }, (_, i) => person(`Guest ${i}`))
  for (const [i, guest] of guests.entries()) {
    view(viewOf(2 * i + 2, ada, guest), { joined: [guest] })
    view(viewOf(2 * i + 3, ada), { left: [guest], lost: [guest] })
  }
  const remembered = guests.slice(-REMEMBERED_MAX)
  expect(people.lost.get()).toEqual(remembered)
  expect(people.shownMembers()).toEqual([ada.id, "Bob", ...remembered.map(({ id }) => id)])
})
