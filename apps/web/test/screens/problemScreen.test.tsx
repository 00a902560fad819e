import type { StorageState } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import type { Problem } from "../../src/problem.ts"
import { ProblemScreen } from "../../src/screens/ProblemScreen.tsx"

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

it("leads first to the copy of an ended conference, unless it lacks something", () => {
  const markup = (storage: StorageState): string =>
    renderToStaticMarkup(
      <ProblemScreen problem="conference-over" storage={storage} onRetry={() => undefined} onStart={() => undefined} />,
    )
  expect(markup("kept")).toContain('class="button primary"')
  expect(markup("failing")).not.toContain('class="button primary"')
})
