import type { StorageState } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it, vi } from "vitest"
import { type HowEnded, howEnded } from "../../src/ending/howEnded.ts"
import { startI18n } from "../../src/i18n/index.ts"
import type { Problem } from "../../src/problem.ts"
import { ProblemScreen } from "../../src/screens/ProblemScreen.tsx"
import type { Remains } from "../../src/session/remains.ts"

vi.mock("../../src/conference/lazyConference.ts", () => ({
  RemainsActions: ({ evidence }: { readonly evidence: string | null }) => `Evidence: ${evidence}.`,
}))

beforeAll(() => void startI18n(["en-GB"]))

const DELETED = "The copy of this conference on this device was deleted."
const NOT_DELETED = "The copy of this conference on this device could not be deleted."

function show(problem: Problem, storage: StorageState): readonly [deleted: boolean, notDeleted: boolean] {
  const screen = <ProblemScreen problem={problem} storage={storage} onRetry={null} onStart={() => undefined} />
  const markup = renderToStaticMarkup(screen)
  return [markup.includes(DELETED), markup.includes(NOT_DELETED)]
}

it.each<[Problem, StorageState, boolean, boolean]>([
  ["removed", "off", true, false],
  ["removed", "failing", false, true],
  ["refused", "failing", false, true],
  ["refused", "off", false, false],
  ["conference-over", "failing", false, false],
])("says after %s, with the storage %s, what became of the copy", (problem, storage, deleted, notDeleted) => {
  expect(show(problem, storage)).toEqual([deleted, notDeleted])
})

it.each<[HowEnded | null, boolean]>([
  [{ by: "host", atMs: 0 }, true],
  [null, false],
])("says that a host ended a conference only when one did: %o", (ended, said) => {
  const markup = renderToStaticMarkup(
    <ProblemScreen problem="conference-over" ended={ended} onRetry={null} onStart={() => undefined} />,
  )
  expect(markup).toContain("This conference is over</h1>")
  expect(markup).not.toContain("The time is up")
  expect(markup.includes("A host ended this conference (")).toBe(said)
})

it.each([
  ["a host has ended it", 1, { by: "host", atMs: expect.any(Number) }],
  ["its time is up", 3_600_000, null],
])("knows how a conference ended when %s", (_, endsAtMs, known) => {
  expect(howEnded({ timeFrame: { opensAtMs: 1, endsAtMs, latestEndMs: 7_200_000 } }, false)).toEqual(known)
})

it("says that nobody answered when a person has asked the others", () => {
  const markup = renderToStaticMarkup(
    <ProblemScreen
      problem="conference-over"
      ended={{ by: "nobody" }}
      onRetry={() => undefined}
      onStart={() => undefined}
    />,
  )
  expect(markup).toContain("Nobody answered that it goes on.")
})

it("leads first to the copy of an ended conference, unless it lacks something", () => {
  const markup = (storage: StorageState): string =>
    renderToStaticMarkup(
      <ProblemScreen problem="conference-over" storage={storage} onRetry={() => undefined} onStart={() => undefined} />,
    )
  expect(markup("kept")).toContain('class="button primary"')
  expect(markup("failing")).not.toContain('class="button primary"')
})

const REMAINS = { id: "Board meeting", transcript: [], incomplete: false, marks: {}, board: "{}" } as unknown as Remains

it.each<[Problem, StorageState, Remains | null, isFirst: boolean]>([
  ["engine-failed", "kept", REMAINS, true],
  ["engine-failed", "failing", REMAINS, false],
  ["engine-failed", "off", REMAINS, false],
  ["engine-failed", "off", null, true],
])("leads first to a return after %s, with the storage %s, if that loses nothing", (...given) => {
  const [problem, storage, remains, isFirst] = given
  expect(leaving(problem, storage, remains).includes('class="button primary"')).toBe(isFirst)
})

it.each<[Problem, StorageState, string | null]>([
  ["engine-failed", "kept", "return"],
  ["engine-failed", "off", null],
  ["conference-over", "kept", "copy"],
  ["conference-over", "off", null],
  ["removed", "off", "deleted"],
])("names after %s, with the storage %s, the place of the evidence: %s", (problem, storage, evidence) => {
  expect(leaving(problem, storage, REMAINS)).toContain(`Evidence: ${evidence}.`)
})

function leaving(problem: Problem, storage: StorageState, remains: Remains | null): string {
  const nothing = (): void => undefined
  return renderToStaticMarkup(
    <ProblemScreen problem={problem} storage={storage} remains={remains} onRetry={nothing} onStart={nothing} />,
  )
}
