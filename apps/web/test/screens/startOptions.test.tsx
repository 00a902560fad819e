// @vitest-environment jsdom
import { CONFERENCE_MEMBERS_MAX, Identities, Identity, type MemberId } from "@keymoot/core"
import { act, useState } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import type { NamedPerson } from "../../src/roster/named-person.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { type ConferenceOptions, DEFAULT_OPTIONS, StartOptionsFields } from "../../src/screens/StartOptionsFields.tsx"

vi.mock("../../src/certificates/read-file.ts", () => ({ readCertificateFile: async () => "ours" }))
vi.mock("../../src/directory/LazyDirectory.tsx", () => ({
  LazyFindPeople: ({ onCard }: { readonly onCard: (card: string) => void }) =>
    ["Ada", "Bob", "Bob.Robert", "Eve"].map((name) => (
      <button key={name} type="button" id={name} onClick={() => onCard(name)}>
        {name}
      </button>
    )),
}))

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

let options: ConferenceOptions

function Form({ first }: { readonly first: Partial<ConferenceOptions> }) {
  const [chosen, setOptions] = useState<ConferenceOptions>({ ...DEFAULT_OPTIONS, ...first })
  options = chosen
  const right = { peopleMissing: false, authorityMissing: false, openingWrong: false }
  return <StartOptionsFields options={chosen} onOptions={setOptions} {...right} />
}

const show = (first: Partial<ConferenceOptions>) => act(() => root.render(<Form first={first} />))
const press = (selector: string) => act(() => document.querySelector<HTMLElement>(selector)!.click())
const select = (label: string) =>
  [...document.querySelectorAll("label")].find((each) => each.textContent === label)!.control as HTMLSelectElement

function choose(label: string, index: number): void {
  const field = select(label)
  act(() => {
    field.selectedIndex = index
    field.dispatchEvent(new Event("change", { bubbles: true }))
  })
}

const ACME = { name: "Acme Ltd", certificate: "acme" }
const OTHER = { name: "Other Ltd", certificate: "other" }

/** An engine that starts when the test says so, with an identity that two authorities have certified. */
function startingEngine(): () => Promise<void> {
  const certifications = [{ authority: ACME }, { authority: OTHER }]
  const engine = { list: async () => [{ chosen: true, certifications }], close: () => undefined }
  let started = (_identities: Identities): void => undefined
  vi.spyOn(Identities, "open").mockReturnValue(new Promise((resolve) => (started = resolve)))
  return () => act(async () => started(engine as unknown as Identities))
}

/** The key of a card is what stands before its point, as Bob's on `Bob.Robert`. */
function personOf(card: string): NamedPerson {
  const [publicKey = "", name = publicKey] = card.split(".")
  return { id: card as MemberId, name, publicKey, card }
}

/** Reads of cards, each of which ends when the test says so. */
function slowCards(): (name: string) => Promise<void> {
  const waiting = new Map<string, () => void>()
  vi.spyOn(Identity, "readCard").mockImplementation(
    (card) => new Promise((resolve) => waiting.set(card, () => resolve(personOf(card) as never))),
  )
  return (name) => act(async () => waiting.get(name)!())
}

it("keeps what was chosen while the engine with the known authorities started", async () => {
  const start = startingEngine()
  show({ admission: "ca" })
  choose("Newcomers see", 1)
  await start()
  expect(options).toMatchObject({ history: "from-join", authority: ACME })
})

it("keeps the file that was chosen while the engine started, and shows it", async () => {
  const start = startingEngine()
  show({ admission: "ca" })
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!
  Object.defineProperty(input, "files", { value: [new File([], "ours.pem")] })
  await act(async () => void input.dispatchEvent(new Event("change", { bubbles: true })))
  await start()
  expect(options.authority?.name).toBe("ours.pem")
  expect(select("Organisation").value).toBe("ours.pem")
  choose("Organisation", 1)
  expect(options.authority).toEqual(ACME)
})

it("does not put a person back who was removed while another one's card was read", async () => {
  const finish = slowCards()
  show({ admission: "roster", people: [personOf("Ada")] })
  press("#Bob")
  press(".roster-list button")
  await finish("Bob")
  expect(options.people.map(({ name }) => name)).toEqual(["Bob"])
})

it("adds each of two people whose cards are read at the same time, once", async () => {
  const finish = slowCards()
  show({ admission: "roster" })
  press("#Bob")
  press("#Eve")
  press("#Bob")
  await finish("Eve")
  await finish("Bob")
  expect(options.people.map(({ name }) => name)).toEqual(["Eve", "Bob"])
  expect(document.querySelector("[role=alert]")).toBeNull()
})

it("keeps a card that is being typed when a found person is added", async () => {
  const finish = slowCards()
  show({ admission: "roster" })
  const field = select("Paste somebody’s card") as unknown as HTMLInputElement
  press("#Bob")
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, "half")
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
  await finish("Bob")
  expect(options.people.map(({ name }) => name)).toEqual(["Bob"])
  expect(field.value).toBe("half")
})

it("says that the guest list is full when it holds all that a conference takes", async () => {
  const finish = slowCards()
  const people = Array.from({ length: CONFERENCE_MEMBERS_MAX - 1 }, (_, i) => personOf(`${i}`))
  show({ admission: "roster", people })
  press("#Bob")
  await finish("Bob")
  expect(options.people).toHaveLength(127)
  expect(document.querySelector("[role=alert]")!.textContent).toContain("holds 127 people besides you")
})

it("names the entry of a person whose card comes again under another name", async () => {
  const finish = slowCards()
  show({ admission: "roster", people: [personOf("Bob")] })
  press("#Bob\\.Robert")
  await finish("Bob.Robert")
  expect(options.people).toEqual([personOf("Bob")])
  expect(document.querySelector("[role=alert]")!.textContent).toContain("Robert is on the list already, as Bob.")
})
