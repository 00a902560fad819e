import { t } from "i18next"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import type { Problem } from "../../src/problem.ts"
import { EnterScreen } from "../../src/screens/EnterScreen.tsx"
import type { Preview } from "../../src/screens/usePreview.ts"

const facts = { history: "everything", endedAtMs: null }

beforeAll(() => void startI18n(["en-GB"]))

it.each([
  ["invalid-link", "This link does not work"],
  ["unknown-conference", "This link does not work"],
  ["descriptor-mismatch", "Do not join"],
  ["not-admitted", "You can’t join"],
  ["conference-over", "This conference is over"],
] as const)("does not invite anybody to join when the link fails with %s", (problem, title) => {
  const markup = screen({ kind: "failed", problem })
  expect(markup).toContain(`>${title}</h1>`)
  expect(markup).not.toContain("You are invited")
  expect(markup).not.toContain(">Join<")
})

it("still offers Join when a retry can succeed", () => {
  const markup = screen({ kind: "failed", problem: "server-unreachable" })
  expect(markup).toContain("You are invited")
  expect(markup).toContain(">Join<")
})

it("offers the own card to somebody who is not on the guest list", () => {
  const creator = { name: "Bob", self: false, verified: false, changedKey: false }
  const seen = (policy: "roster" | "link") => {
    const preview = { ...facts, title: "", timeFrame: {}, admission: { policy, people: [] }, creator }
    return { kind: "seen", preview } as unknown as Preview
  }
  expect(screen(seen("roster"), "not-admitted")).toContain("My card for a guest list")
  expect(screen(seen("roster"), "not-admitted").split("<details")[0]).toContain("Copy my card")
  expect(screen(seen("link"), "not-admitted")).not.toContain("My card")
  expect(screen(seen("roster"))).not.toContain("My card")
})

it("shows title, creator, name and Join first, and the rest folded", () => {
  const creator = { name: "Bob", self: false, verified: false, changedKey: false }
  const seen = (policy: "link" | "approval") =>
    screen({
      kind: "seen",
      preview: { ...facts, title: "The roof", timeFrame: { endsAtMs: 0 }, admission: { policy }, creator },
    } as unknown as Preview)
  const [first, folded] = seen("link").split("<details")
  for (const text of ["The roof", "Bob", "Not verified", "Your name"]) expect(first).toContain(text)
  // The folded facts are drawn when they are opened: a test in browsers does that.
  for (const text of ["Who may join", "Newcomers see", "Ends", "Hide my internet address"])
    expect(first).not.toContain(text)
  expect(folded).toContain("Hide my internet address")
  expect(seen("approval").split("<details")[0]).toContain("You will wait for a host.")
})

it("does not say that the creator waits for a host when it returns", () => {
  const seen = (self: boolean) => {
    const creator = { name: "Bob", self, verified: false, changedKey: false }
    const preview = { ...facts, title: "", timeFrame: { endsAtMs: 0 }, admission: { policy: "approval" }, creator }
    return screen({ kind: "seen", preview } as unknown as Preview)
  }
  const rule = "People with the link whom a host lets in, one by one."
  expect(seen(false)).toContain(`<dd>${rule} You will wait for a host.</dd>`)
  expect(seen(true)).toContain(`<dd>${rule}</dd>`)
})

it("shows the title to people who are not let in, as its field says", () => {
  const creator = { name: "Bob", self: false, verified: false, changedKey: false }
  const about = { title: "The roof", timeFrame: { endsAtMs: 0 }, admission: { policy: "approval" }, creator }
  expect(screen({ kind: "seen", preview: { ...facts, ...about } } as unknown as Preview)).toContain("The roof")
  expect(t("start.title")).toContain("everybody with the link")
})

it.each([
  [false, "Bob ended this conference ("],
  [true, "You ended this conference ("],
])("says in place of Join when its creator (self: %s) has ended the conference", (self, words) => {
  const creator = { name: "Bob", self, verified: false, changedKey: false }
  const about = { title: "The roof", timeFrame: { endsAtMs: 0 }, admission: { policy: "link" }, creator }
  const markup = screen({ kind: "seen", preview: { ...facts, ...about, endedAtMs: 5 } } as unknown as Preview)
  for (const text of ["This conference is over</h1>", words, "The roof"]) expect(markup).toContain(text)
  for (const text of ["You are invited", ">Join<", "Your name"]) expect(markup).not.toContain(text)
})

function screen(preview: Preview, problem: Problem | null = null): string {
  const nothing = () => undefined
  return renderToStaticMarkup(
    <EnterScreen
      preview={preview}
      problem={problem}
      lastName="Ada"
      onJoin={nothing}
      onIdentity={nothing}
      onFinal={nothing}
      onInstead={nothing}
    />,
  )
}
