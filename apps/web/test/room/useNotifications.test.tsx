// @vitest-environment jsdom
import type { AdmissionState, Member } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { NOTIFY_INTERVAL_MS } from "../../src/attention/notify.ts"
import { useNotifications } from "../../src/attention/useNotifications.ts"
import { WaitingForHost } from "../../src/hosts/WaitingForHost.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Mention } from "../../src/session/conversation.ts"
import type { Doing } from "../../src/session/presence.ts"
import type { Session } from "../../src/session/session.ts"
import { change } from "../../src/settings/settings.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))

const SECRET = "the roof leaks"
const BOB = { id: "bob", name: `Bob, ${SECRET}`, self: false } as unknown as Member
let nowMs = 0
let shown: { readonly text: string; readonly options: NotificationOptions | undefined }[] = []
let isHidden = true

beforeEach(() => {
  shown = []
  isHidden = true
  vi.spyOn(performance, "now").mockImplementation(() => nowMs)
  vi.spyOn(document, "hidden", "get").mockImplementation(() => isHidden)
  vi.stubGlobal(
    "Notification",
    class extends EventTarget {
      constructor(text: string, options?: NotificationOptions) {
        super()
        shown.push({ text, options })
      }
    },
  )
  change({ notifications: true, sounds: false })
})
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function room() {
  const stores = {
    admission: store({ knocks: [] } as unknown as AdmissionState),
    mentions: store<readonly Mention[]>([]),
    unread: store(0),
    doing: store<ReadonlyMap<Member["id"], Doing>>(new Map()),
  }
  const session = {
    ...stores,
    presence: { doing: stores.doing },
    polls: store([]),
    rings: store(0),
    handle: { id: "conference", self: { id: "ada" } },
  } as unknown as Session
  const Room = () => {
    useNotifications(session)
    return null
  }
  act(() => root.render(<Room />))
  const knocks = (...messages: readonly string[]) =>
    stores.admission.set({
      ...stores.admission.get(),
      knocks: [{ ...BOB, messages: messages.map((text) => ({ text, byHost: false })) }],
    } as unknown as AdmissionState)
  const hands = (hand: boolean, id = BOB.id) => stores.doing.set(new Map([[id, { hand } as Doing]]))
  const mentioned = () => {
    stores.mentions.set([...stores.mentions.get(), { id: "message", from: BOB }])
    stores.unread.set(stores.unread.get() + 1)
  }
  return { session, unread: stores.unread, knocks, hands, mentioned }
}

type Room = ReturnType<typeof room>

const EVENTS: readonly (readonly [string, string, (room: Room) => void, (room: Room) => void])[] = [
  ["a knock", "Somebody wants to join the conference", ({ knocks }) => knocks(), ({ knocks }) => knocks(SECRET)],
  ["a raised hand", "Somebody raised a hand in the conference", ({ hands }) => hands(true), ({ hands }) => hands(true)],
  ["a mention", "Somebody mentioned you in the conference", ({ mentioned }) => mentioned(), () => undefined],
]

it.each(EVENTS)("shows one notification without content when there is %s", (_, text, happens, goesOn) => {
  const here = room()
  happens(here)
  nowMs += NOTIFY_INTERVAL_MS
  goesOn(here)
  nowMs += NOTIFY_INTERVAL_MS
  expect(shown).toEqual([{ text, options: { tag: "conference", renotify: true } }])
})

it.each(EVENTS)("shows no notification of %s when the page is visible", (_, _text, happens) => {
  isHidden = false
  happens(room())
  nowMs += NOTIFY_INTERVAL_MS
  expect(shown).toEqual([])
})

it.each(EVENTS)("shows no notification of %s when they are off", (_, _text, happens) => {
  change({ notifications: false })
  happens(room())
  nowMs += NOTIFY_INTERVAL_MS
  expect(shown).toEqual([])
})

it("shows no notification when this person raises a hand", () => {
  room().hands(true, "ada" as Member["id"])
  nowMs += NOTIFY_INTERVAL_MS
  expect(shown).toEqual([])
})

/** A person that waits, and has written to a host. */
function waitingRoom() {
  const said = { text: "hello?", byHost: false }
  const before = { waiting: true, messages: [said] } as unknown as AdmissionState
  const admission = store(before)
  let closed: (reason: string) => void = () => undefined
  const handle = { id: "conference", title: "", on: (_: string, listener: typeof closed) => void (closed = listener) }
  const session = { handle, admission, otherVersions: store([]) } as unknown as Session
  act(() => root.render(<WaitingForHost session={session} onLeave={() => undefined} />))
  const says = (text: string, byHost: boolean) =>
    // The engine keeps the last sixteen.
    act(() =>
      admission.set({ ...admission.get(), messages: [...admission.get().messages, { text, byHost }].slice(-16) }),
    )
  return {
    says,
    admit: () => act(() => admission.set({ ...admission.get(), waiting: false })),
    close: (why: string) => closed(why),
  }
}

const texts = () => shown.map(({ text }) => text)

it.each([
  ["lets the person in", (room: ReturnType<typeof waitingRoom>) => room.admit()],
  ["refuses the person", (room: ReturnType<typeof waitingRoom>) => room.close("refused")],
])("tells a waiting person in another tab when a host %s", (_, answer) => {
  nowMs += NOTIFY_INTERVAL_MS
  answer(waitingRoom())
  expect(texts()).toEqual(["A host answered your request to join"])
})

it("tells a waiting person in another tab of each line of a host, without its text", () => {
  const room = waitingRoom()
  for (let i = 0; i < 20; i++) {
    room.says(`${SECRET} ${i}`, i % 2 === 0)
    nowMs += NOTIFY_INTERVAL_MS
  }
  expect(texts()).toEqual(Array.from({ length: 10 }, () => "New message in the conference"))
})

it("tells a person once when a host lets them in and there is an unread message", () => {
  nowMs += NOTIFY_INTERVAL_MS
  const { session, unread } = room()
  const waiting = store({ waiting: true, messages: [] } as unknown as AdmissionState)
  Object.assign(session, { admission: waiting, otherVersions: store([]) })
  Object.assign(session.handle, { title: "", on: () => undefined })
  act(() => root.render(<WaitingForHost session={session} onLeave={() => undefined} />))
  act(() => waiting.set({ ...waiting.get(), waiting: false, knocks: [] } as unknown as AdmissionState))
  const Room = () => {
    useNotifications(session)
    return null
  }
  act(() => root.render(<Room />))
  unread.set(1)
  expect(texts()).toEqual(["A host answered your request to join"])
})

it("tells a waiting person nothing when the page itself leaves", () => {
  waitingRoom().close("left")
  expect(shown).toEqual([])
})
