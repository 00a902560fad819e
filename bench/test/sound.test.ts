import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { loadExperiments } from "../src/experiments.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import { ONLY_FROM_TERMINAL } from "../src/only-from-terminal.ts"

const experiments = await loadExperiments()
/** Experiments with a part of their own in the page. */
const IN_PAGE = ["peers", "tab"]

test("each experiment runs at a tiny size with its units and spreads checked", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".test.ts"),
  )
  const tests = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("\n")
  const asked = [...tests.matchAll(/expectSound\("(\w+)"/gu)].map(([, name]) => name)
  expect([...new Set(asked)].toSorted()).toEqual(experiments.map(({ name }) => name).toSorted())
})

test("offers each experiment in the page or only from a terminal", () => {
  const here = experimentsAnywhere.map(({ name }) => name)
  expect([...here, ...IN_PAGE, ...Object.keys(ONLY_FROM_TERMINAL)].toSorted()).toEqual(
    experiments.map(({ name }) => name).toSorted(),
  )
})
