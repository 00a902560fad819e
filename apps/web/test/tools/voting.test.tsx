// @vitest-environment jsdom
import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { LANGUAGES, startI18n } from "../../src/i18n/index.ts"
import { quickOptions } from "../../src/i18n/quickVotes.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import ToolsPanel from "../../src/tools/ToolsPanel.tsx"
import { openPolls } from "../../src/tools/votes/openPolls.ts"

vi.mock("../../src/tools/timer/TimerPart.tsx", () => ({ TimerPart: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const EVE = { id: "eve", name: "Eve", publicKey: "key of Eve", role: "editor", self: true }

/** A conference whose messages wait for a key. `deliver` and `fail` end the sending of one of them. */
function open({ role = "editor", copyOnly = false } = {}) {
  const sent: { text: string; resolve: (message: ChannelMessage) => void; reject: (error: Error) => void }[] = []
  let receive: (message: ChannelMessage) => void
  const arrived = (text: string, sequence: number): ChannelMessage =>
    ({ id: `m${sequence}`, from: EVE, text, transferred: null, position: { epoch: 1, view: "v", sequence } }) as never
  const channel = {
    on: (_: string, listener: typeof receive) => void (receive = listener),
    send: (text: string) => new Promise<ChannelMessage>((resolve, reject) => sent.push({ text, resolve, reject })),
  }
  const handle = { self: EVE, copyOnly, channel: () => channel } as unknown as ConferenceHandle
  const fail = (): void => undefined
  let held = 0
  const hold = () => {
    held++
    return () => void held--
  }
  const polls = openPolls(handle, fail, hold, new AbortController().signal)
  const session = { ...polls, handle, view: store({ members: [{ ...EVE, role }] }) } as unknown as Session
  const show = (): void => act(() => root.render(<ToolsPanel session={session} />))
  show()
  return {
    held: () => held,
    /** The person looks at another panel in between. */
    reopen: () => {
      act(() => root.render(null))
      show()
    },
    begin: (several: boolean, options = ["Soup", "Bread"]) =>
      act(() =>
        receive(arrived(JSON.stringify({ type: "poll", question: "Lunch?", options, several, hidden: false }), 0)),
      ),
    sent: () => sent.map(({ text }) => JSON.parse(text) as unknown),
    deliver: (at: number) => act(async () => sent[at]!.resolve(arrived(sent[at]!.text, at + 1))),
    fail: (at: number) => act(async () => sent[at]!.reject(new Error("not sent"))),
  }
}

const boxes = (): HTMLInputElement[] => [...page.querySelectorAll<HTMLInputElement>(".poll input")]
const tick = (at: number): Promise<void> => act(async () => boxes()[at]!.click())
const ticked = (): boolean[] => boxes().map(({ checked }) => checked)
const button = (name: string): HTMLButtonElement =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)!
function fill(at: number, text: string): void {
  const field = page.querySelectorAll<HTMLInputElement>(".field input")[at]!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}
const vote = (chosen: readonly number[], turn: number) => ({ type: "vote", of: "m0", chosen, turn })

it("adds a second answer to the first one, which is still being sent", async () => {
  const { begin, sent, deliver } = open()
  begin(true)
  await tick(0)
  await tick(1)
  expect(sent()).toEqual([vote([0], 0), vote([0, 1], 1)])
  expect(ticked()).toEqual([true, true])
  await deliver(0)
  expect(ticked()).toEqual([true, true])
  await deliver(1)
  expect(ticked()).toEqual([true, true])
  await tick(0)
  expect(sent().at(-1)).toEqual(vote([1], 2))
})

it("shows the former choice again when a vote could not be sent", async () => {
  const { begin, sent, deliver, fail } = open()
  begin(false)
  await tick(0)
  await deliver(0)
  await tick(1)
  expect(ticked()).toEqual([false, true])
  await fail(1)
  expect(ticked()).toEqual([true, false])
  await tick(1)
  expect(sent().at(-1)).toEqual(vote([1], 1))
})

it("opens one poll when Start is pressed twice", async () => {
  const { sent, fail } = open()
  await act(async () => button("Vote for or against").click())
  fill(0, "Lunch?")
  const start = (): Promise<void> => act(async () => page.querySelector("form")!.requestSubmit())
  await start()
  await start()
  expect(sent()).toHaveLength(1)
  await fail(0)
  await start()
  expect(sent()).toHaveLength(2)
})

it.each([
  ["the question", [], 0],
  ["the empty option", ["Lunch?", "Soup"], 2],
  ["the option that is there twice", ["Lunch?", "Soup", "Soup"], 2],
])("focuses %s when Start is pressed without it", async (_, texts, faulty) => {
  open()
  await act(async () => button("New poll").click())
  for (const [at, text] of texts.entries()) fill(at, text)
  button("Start").focus()
  await act(async () => button("Start").click())
  const field = page.querySelectorAll<HTMLInputElement>(".field input[maxlength]")[faulty]!
  expect([document.activeElement === field, field.ariaInvalid]).toEqual([true, "true"])
  fill(faulty, "Bread")
  expect(page.querySelector('[role="alert"]')).toBeNull()
})

it("keeps what was typed, and that it is being sent, while another panel is shown", async () => {
  const { sent, reopen, deliver } = open()
  await act(async () => button("New poll").click())
  for (const [at, text] of ["Lunch?", "Soup", "Bread"].entries()) fill(at, text)
  reopen()
  expect([...page.querySelectorAll<HTMLInputElement>(".field input[maxlength]")].map(({ value }) => value)).toEqual([
    "Lunch?",
    "Soup",
    "Bread",
  ])
  expect(document.activeElement).toBe(document.body)
  await act(async () => button("Start").click())
  reopen()
  expect(button("Start").disabled).toBe(true)
  await deliver(0)
  expect([sent().length, page.querySelector("form")]).toEqual([1, null])
})

it("leaves the next form as it is when the former one has been sent, or could not be", async () => {
  const { sent, deliver, fail } = open()
  for (const at of [0, 1]) {
    await act(async () => button("New poll").click())
    for (const [field, text] of ["Lunch?", "Soup", "Bread"].entries()) fill(field, text)
    await act(async () => button("Start").click())
    await act(async () => button("Cancel").click())
    await act(async () => button("New poll").click())
    fill(0, "Dinner?")
    await (at === 0 ? deliver(at) : fail(at))
    expect(page.querySelector<HTMLInputElement>(".field input")!.value).toBe("Dinner?")
    expect([page.querySelector('[role="alert"]'), sent().length]).toEqual([null, at + 1])
    await act(async () => button("Cancel").click())
  }
})

it("says that a poll could not be sent, also after another panel was shown", async () => {
  const { reopen, fail } = open()
  await act(async () => button("Vote for or against").click())
  fill(0, "Lunch?")
  await act(async () => button("Start").click())
  await fail(0)
  reopen()
  expect(page.querySelector('[role="alert"]')).not.toBeNull()
})

it.each(["Start", "Cancel"])("gives the focus back to the button that opened the form after %s", async (end) => {
  const { sent, deliver } = open()
  await act(async () => button("New poll").click())
  expect(document.activeElement).toBe(page.querySelector("input"))
  if (end === "Start") {
    for (const [at, text] of ["Lunch?", "Soup", "Bread"].entries()) fill(at, text)
    await act(async () => button(end).click())
    expect(sent()).toHaveLength(1)
    await deliver(0)
  } else await act(async () => button(end).click())
  expect(page.querySelector("form")).toBeNull()
  expect(document.activeElement).toBe(button("New poll"))
})

it("leaves the focus where the person went while a poll was being sent", async () => {
  const { begin, deliver } = open()
  begin(true)
  await act(async () => button("Vote for or against").click())
  fill(0, "Lunch?")
  await act(async () => button("Start").click())
  act(() => boxes()[0]!.focus())
  await deliver(0)
  expect(document.activeElement).toBe(boxes()[0])
})

it("holds the poll that is being written until it is sent or given up", async () => {
  const { held, deliver } = open()
  await act(async () => button("New poll").click())
  expect(held()).toBe(0)
  fill(1, "Soup")
  fill(2, "Bread")
  expect(held()).toBe(1)
  fill(0, "Lunch?")
  await act(async () => button("Start").click())
  expect(held()).toBe(1)
  await deliver(0)
  expect(held()).toBe(0)
  await act(async () => button("Vote for or against").click())
  expect(held()).toBe(0)
  fill(0, "Lunch?")
  expect(held()).toBe(1)
  await act(async () => button("Cancel").click())
  expect(held()).toBe(0)
})

it.each([
  ["tells a viewer that a host can let it vote", false, true],
  ["tells nobody to ask a host when the conference is over", true, false],
])("%s", (_, copyOnly, expected) => {
  open({ role: "viewer", copyOnly })
  expect(page.textContent.includes("A host can change that")).toBe(expected)
  expect(page.querySelector("button")).toBeNull()
})

const options = (): (string | null)[] => [...page.querySelectorAll(".poll-label")].map(({ textContent }) => textContent)

const TRANSLATED = LANGUAGES.filter((language) => language !== "ar")

it.each(TRANSLATED)("shows a vote for or against in the reader's language when its author's is %s", (language) => {
  open().begin(false, [...quickOptions(language)])
  expect(options()).toEqual(["👍 For", "👎 Against", "🤷 Abstain"])
})

it("shows other options as their author wrote them", () => {
  open().begin(false, ["👍 Dafür", "Suppe"])
  expect(options()).toEqual(["👍 Dafür", "Suppe"])
})

it("has the words of a vote for or against in each language", () => {
  expect(new Set(TRANSLATED.map(quickOptions)).size).toBe(TRANSLATED.length)
})
