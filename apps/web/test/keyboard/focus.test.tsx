// @vitest-environment jsdom
import type { AdmissionState } from "@keymoot/core"
import { act, type ReactNode, useState } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { Composer } from "../../src/chat/composer/Composer.tsx"
import { Drawer } from "../../src/conference/Drawer.tsx"
import type { DrawerTab } from "../../src/conference/useDrawerTabs.ts"
import { LeaveButton } from "../../src/conference/LeaveButton.tsx"
import { CopyTopBar } from "../../src/conference/TopBar.tsx"
import { KnockBanner } from "../../src/hosts/KnockBanner.tsx"
import { Knocks } from "../../src/hosts/Knocks.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

vi.mock("../../src/chat/ChatPanel.tsx", () => ({ ChatPanel: () => null }))
vi.mock("../../src/conference/members/PeoplePanel.tsx", () => ({ PeoplePanel: () => null }))
vi.mock("../../src/settings/SettingsButton.tsx", () => ({ SettingsButton: () => null }))
vi.mock("../../src/hosts/LobbyChat.tsx", () => ({ LobbyChat: () => null }))
vi.mock("../../src/chat/composer/ComposerTools.tsx", () => ({ ComposerTools: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const show = (content: ReactNode): Promise<void> => act(async () => root.render(content))
const button = (name: string): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>("button")].find((one) => (one.ariaLabel ?? one.textContent) === name)!
const press = (name: string): Promise<void> => {
  button(name).focus()
  return act(async () => button(name).click())
}
/** As with a mouse: the browser counts its clicks. */
const click = (element: HTMLElement): Promise<void> => {
  element.focus()
  return act(async () => void element.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })))
}
const focused = (): string => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? ""
const room = (changes: object): Session =>
  ({
    unread: store(0),
    admission: store({ knocks: [] }),
    handle: { title: "Plan", timeFrame: { opensAtMs: 0, endsAtMs: 1 }, self: { id: "ada" } },
    presence: { doing: store(new Map()) },
    ...changes,
  }) as unknown as Session

const SidePanel = ({ session }: { readonly session: Session }) => {
  const [tab, setTab] = useState<DrawerTab | null>(null)
  return (
    <>
      <CopyTopBar session={session} drawer={tab} onDrawer={setTab} onClose={() => undefined} />
      {tab !== null && <Drawer session={session} tab={tab} onTab={setTab} />}
    </>
  )
}

it("moves the focus into the side panel when it opens, and back when it closes", async () => {
  await show(<SidePanel session={room({})} />)
  await press("People")
  expect([document.activeElement?.role, focused()]).toEqual(["tab", "People"])
  const close = page.querySelector<HTMLElement>(".drawer button.icon-button")!
  close.focus()
  await act(async () => close.click())
  expect(document.activeElement).toBe(page.querySelector('[data-opens="people"]'))
})

it("focuses no button after a click, so that the space bar still talks", async () => {
  await show(<SidePanel session={room({})} />)
  await click(button("People"))
  expect(document.activeElement).toBe(document.body)
  document.body.dispatchEvent(new KeyboardEvent("keydown", { code: "Space", bubbles: true }))
  await click(page.querySelector<HTMLElement>(".drawer button.icon-button")!)
  expect(document.activeElement).toBe(document.body)
})

it("returns the focus after a click when the panel is closed by keyboard", async () => {
  await show(<SidePanel session={room({})} />)
  await press("People")
  await click(page.querySelector<HTMLElement>(".drawer .tab-content")!)
  const close = page.querySelector<HTMLElement>(".drawer button.icon-button")!
  close.focus()
  close.dispatchEvent(new KeyboardEvent("keydown", { code: "Enter", bubbles: true }))
  await act(async () => close.click())
  expect(document.activeElement).toBe(page.querySelector('[data-opens="people"]'))
})

const showLeave = (): Promise<void> => {
  const session = room({
    draft: store("half a sentence"),
    pending: store([]),
    held: store(0),
    view: store({ members: [{}, {}] }),
    files: { largeOwn: () => 0 },
    handle: { admission: { policy: "link" } },
  })
  return show(<LeaveButton session={session} onLeave={() => undefined} />)
}

it("returns the focus to the button when a person stays", async () => {
  await showLeave()
  await press("Leave")
  await press("Stay")
  await expect.poll(() => document.activeElement === button("Leave")).toBe(true)
})

it("does not return the focus to the button when a person stays by a click", async () => {
  await showLeave()
  await click(button("Leave"))
  await click(button("Stay"))
  // The dialog returns the focus after a timeout of its own, which began before this one.
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(document.activeElement).toBe(document.body)
})

it.each([
  ["the panel", Knocks, "eve", "the people"],
  ["a banner", KnockBanner, "eve wants to join. ", "the tab"],
])("moves the focus to the next person when one of %s is answered", async (_, Part, next, end) => {
  const people = (...ids: string[]) =>
    ({ knocks: ids.map((id) => ({ id, name: id, messages: [] })) }) as unknown as AdmissionState
  const admission = store(people("bob", "eve", "dan"))
  const handle = { admit: async () => undefined, refuse: async () => undefined }
  const session = room({ admission, handle, lobbyDrafts: store(new Map()) })
  await show(
    <div className="people">
      <Part session={session} />
      <h2 className="panel-lead" tabIndex={-1}>
        the people
      </h2>
      <button type="button" className="tab" data-state="active">
        the tab
      </button>
    </div>,
  )
  await press("Let bob in")
  await act(async () => admission.set(people("eve", "dan")))
  expect(focused()).toContain(next)
  ;(document.activeElement as HTMLElement).blur()
  await act(async () => admission.set(people("dan")))
  expect(document.activeElement, "somebody else answered").toBe(document.body)
  await press("Refuse dan")
  await act(async () => admission.set(people()))
  expect(focused()).toBe(end)
})

it("leaves the focus alone when another host answers after a failed answer", async () => {
  const knock = { id: "bob", name: "bob", messages: [] }
  const admission = store({ knocks: [knock] } as unknown as AdmissionState)
  const handle = { admit: () => Promise.reject(new Error("offline")) }
  const session = room({ admission, handle, lobbyDrafts: store(new Map()) })
  await show(
    <>
      <KnockBanner session={session} />
      <button type="button" className="tab" data-state="active">
        the tab
      </button>
    </>,
  )
  await press("Let bob in")
  ;(document.activeElement as HTMLElement).blur()
  await act(async () => admission.set({ knocks: [] } as unknown as AdmissionState))
  expect(document.activeElement).toBe(document.body)
})

it("moves the focus to the message when its answer is given up", async () => {
  const session = room({
    draft: store("yes"),
    replyingTo: store<string | null>("m1"),
    shownTranscript: store([]),
    marks: store(new Map()),
    find: () => undefined,
  })
  await show(<Composer session={session} onSent={() => undefined} />)
  const cancel = page.querySelector<HTMLElement>(".replying-to button")!
  cancel.focus()
  await act(async () => cancel.click())
  expect(document.activeElement).toBe(page.querySelector("textarea"))
})
