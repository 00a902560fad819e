import type { AdmissionState, ConferenceHandle, ConferenceView, Member, ViewChange } from "@keymoot/core"
import { t } from "i18next"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { describeChange } from "../../src/conference/names.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { openLog } from "../../src/session/log.ts"
import type { Notice } from "../../src/session/order.ts"
import { openPeople } from "../../src/session/people.ts"
import { ENTERING_MS } from "../../src/session/room/firstMeeting.ts"

beforeAll(() => void startI18n(["en-GB"]))
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const person = (name: string): Member => ({ id: name, name, role: "editor", self: name === "Ada" }) as unknown as Member
const [ada, bob, eve] = [person("Ada"), person("Bob"), person("Eve")]

/** Ada's page, alone in a view of its own. */
function enter(created = false) {
  const listeners = new Map<string, (...values: unknown[]) => void>()
  const viewOf = (epoch: number, members: readonly Member[]): ConferenceView =>
    ({ id: `v${epoch}`, epoch, status: "secured", members, securedAtMs: 0 }) as unknown as ConferenceView
  const handle = {
    view: viewOf(1, [ada]),
    admission: { policy: "approval" },
    server: "up",
    on: (event: string, listener: (...values: unknown[]) => void) => {
      const former = listeners.get(event)
      listeners.set(event, (...values) => [former, listener].forEach((each) => each?.(...values)))
    },
  } as unknown as ConferenceHandle
  const notices: Notice[] = []
  const log = openLog()
  const { signal } = new AbortController()
  openPeople(
    handle,
    log,
    (notice) => notices.push(notice),
    () => null,
    created,
    signal,
  )
  let epoch = 1
  return {
    log,
    said: () => notices.map((notice) => describeChange(notice, t, "en")),
    waits: (waiting: boolean) => listeners.get("admission")!({ waiting, knocks: [] } as unknown as AdmissionState),
    knock: (who: Member) => listeners.get("admission")!({ waiting: false, knocks: [who] } as unknown as AdmissionState),
    meet: (present: readonly Member[], joined: readonly Member[], cause: ViewChange["cause"] = "joined") => {
      const change = { joined, left: [], lost: [], removed: [], cause }
      listeners.get("view")!(viewOf(++epoch, [ada, ...present]), change)
    },
  }
}

it("does not say that the people joined who were there when this page entered", () => {
  const { said, meet, log } = enter()
  meet([bob], [bob])
  expect(said()).toEqual([])
  // The record of who could read is complete.
  expect(log.lines.get()).toMatchObject([{ kind: "view", joined: [bob] }])
  meet([bob, eve], [eve])
  expect(said()).toEqual(["Eve joined."])
})

it("does not say so either when a host lets this person in after long", () => {
  const { said, meet, waits } = enter()
  waits(true)
  vi.advanceTimersByTime(10 * ENTERING_MS)
  waits(false)
  meet([bob], [bob])
  expect(said()).toEqual([])
})

it("says that a person joined when this page had found nobody", () => {
  const { said, meet } = enter()
  vi.advanceTimersByTime(ENTERING_MS)
  meet([bob], [bob])
  expect(said()).toEqual(["Bob joined."])
})

it("says that a person joined when this host has let them in at once", () => {
  const { said, meet, knock } = enter()
  knock(bob)
  meet([bob], [bob])
  expect(said()).toEqual(["Bob joined."])
})

it("says that a person joined when this page has just created the conference", () => {
  const { said, meet } = enter(true)
  meet([bob], [bob])
  expect(said()).toEqual(["Bob joined."])
})

it("says that a person joined when the first view already had others", () => {
  const { said, meet } = enter()
  meet([bob], [ada, bob], "created")
  meet([bob, eve], [eve])
  expect(said()).toEqual(["Eve joined."])
})
