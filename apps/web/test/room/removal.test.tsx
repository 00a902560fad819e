// @vitest-environment jsdom
import type { Member } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { PeoplePanel } from "../../src/conference/members/PeoplePanel.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

vi.mock("../../src/hosts/Knocks.tsx", () => ({ Knocks: () => null }))
vi.mock("../../src/people/InvitationCodeButton.tsx", () => ({ InvitationCodeButton: () => null }))
vi.mock("../../src/conference/members/DoingMark.tsx", () => ({ DoingMark: () => null }))
vi.mock("../../src/conference/members/MemberDot.tsx", () => ({ MemberDot: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

const person = (name: string): Member => {
  const rights = { role: "host", rank: 0, mayRemove: true, maySetRole: false, changedKey: false, verified: false }
  return { ...rights, id: name, name, publicKey: name, self: name === "Ada" } as unknown as Member
}

/** Ada, a host, with two others. `leave` takes one of them out of the conference. */
async function meet(remove: () => Promise<void>) {
  const view = store({ status: "secured", members: ["Ada", "Bob", "Eve"].map(person), namesakes: [] })
  const leave = (): void => view.set({ ...view.get(), members: ["Ada", "Eve"].map(person) })
  const session = {
    handle: { self: person("Ada"), admission: { policy: "approval" }, remove },
    view,
    links: store(new Map()),
    lost: store([]),
    late: store(false),
    reloading: store(new Set()),
    following: store(null),
    verifying: store(null),
    call: { participants: store([]), state: store("out") },
  } as unknown as Session
  await act(async () => root.render(<PeoplePanel session={session} />))
  return leave
}

const press = (key: string): Promise<void> =>
  act(async () => void document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))
/** The dialog returns the focus after a timeout of its own, which began before this one. */
const dialogClosed = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve)))

async function askToRemove(): Promise<void> {
  document.querySelector<HTMLElement>('[aria-label="More about Bob"]')!.focus()
  await press("Enter")
  const items = [...document.querySelectorAll<HTMLElement>("[role=menuitem]")]
  await act(async () => items.find(({ textContent }) => textContent.includes("Remove"))!.click())
  document.querySelector<HTMLElement>("[role=dialog] .danger")!.focus()
}

const confirm = (): void => act(() => (document.activeElement as HTMLElement).click())

it.each(["at once", "while the dialog closes", "later"])(
  "moves the focus to the heading when a removed person goes %s",
  async (moment) => {
    const leave: () => void = await meet(async () => {
      if (moment === "at once") leave()
    })
    await askToRemove()
    confirm()
    if (moment === "later") await dialogClosed()
    act(leave)
    await dialogClosed()
    expect(document.querySelectorAll(".person-row")).toHaveLength(2)
    expect(document.activeElement?.textContent).toBe("2 people in the conference")
  },
)

it("moves the focus to the heading when a person leaves before the removal", async () => {
  const leave = await meet(async () => undefined)
  await askToRemove()
  act(leave)
  await dialogClosed()
  expect(document.activeElement?.textContent).toBe("2 people in the conference")
})

it("leaves the focus alone when a person leaves after a failed removal", async () => {
  const leave = await meet(() => Promise.reject(new Error("offline")))
  await askToRemove()
  confirm()
  await dialogClosed()
  ;(document.activeElement as HTMLElement).blur()
  act(leave)
  expect(document.activeElement).toBe(document.body)
})
