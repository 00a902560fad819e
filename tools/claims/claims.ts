/** The security claims of README and docs/threats.md, and the tests in docs/threats-tests.md that back them. */
import { type FoundTest, testsIn } from "./test-titles.ts"

export type Claims = {
  /** Documents with claims, by path. In each, a claim's row names its id: in the first cell (threats) or the last (README). */
  readonly threats: string
  readonly readme: string
  /** The rows that name tests. */
  readonly tests: string
}

export type ClaimFiles = {
  /** The text of a file of the repository; null if there is none. */
  readonly read: (path: string) => string | null
}

type TestRow = { readonly id: string; readonly file: string; readonly title: string }

const ID = /^[A-Z]\d{1,2}$/u
const README_HEADING = "## What is protected, and from whom"
/** A shorter part of a title would be found in titles that mean something else. */
const TITLE_CHARACTERS_MIN = 16

/** @returns one complaint a line, empty if every claim has a test and every row leads somewhere. */
export function unbackedClaims({ threats, readme, tests }: Claims, { read }: ClaimFiles): string[] {
  const rows = testRowsOf(tests)
  const tested = new Set(rows.map(({ id }) => id))
  const claimed = rowsOf(threats).flatMap(([id = ""]) => (ID.test(id) ? [id] : []))
  const promised = rowsOf(sectionOf(readme)).slice(1)
  return [
    ...(claimed.length === 0 ? ["docs/threats.md has no row with an id"] : []),
    ...(promised.length === 0 ? [`README.md has no table under "${README_HEADING}"`] : []),
    ...claimed.filter((id, index) => claimed.indexOf(id) !== index).map((id) => `${id} names two claims`),
    ...claimed.filter((id) => !tested.has(id)).map((id) => `no test is named for ${id}`),
    ...rows.filter(({ id }) => !claimed.includes(id)).map(({ id }) => `a test is named for ${id}, which is no claim`),
    ...promised.flatMap((cells) => readmeComplaints(cells, claimed)),
    ...rows.flatMap((row) => missingTest(row, read(row.file))),
  ]
}

function readmeComplaints(cells: readonly string[], claimed: readonly string[]): string[] {
  const ids = cells.at(-1)!.split(/[\s,]+/u)
  const unknown = ids.filter((id) => !claimed.includes(id))
  return unknown.length === 0
    ? []
    : [`README.md, "${cells[0]}": names no claim of docs/threats.md: ${unknown.join(" ")}`]
}

export function missingTest({ id, file, title }: TestRow, text: string | null): string[] {
  if (text === null) return [`${id}: there is no file ${file}`]
  const titles = testsIn(file, text).flatMap(titlesOf)
  if (title.length < TITLE_CHARACTERS_MIN && !titles.includes(title)) return [`${id}: "${title}" is too short`]
  return titles.some((other) => other.startsWith(title)) ? [] : [`${id}: ${file} has no test "${title}" that runs`]
}

/** Rows whose test may be skipped, such as where a service is missing, as `id file`. */
export function conditionalRows(tests: string, { read }: ClaimFiles): string[] {
  const rows = testRowsOf(tests).filter(({ file, title }) => {
    const named = testsIn(file, read(file) ?? "").filter((test) =>
      titlesOf(test).some((other) => other.startsWith(title)),
    )
    return named.length > 0 && named.every(({ isConditional }) => isConditional)
  })
  return [...new Set(rows.map(({ id, file }) => `${id} ${file}`))]
}

/** A title may also be matched without a template's leading value. */
function titlesOf({ title }: FoundTest): string[] {
  return [title, title.replace(/^\$\{[^}]*\}:? /u, "")]
}

function sectionOf(readme: string): string {
  const [, after = ""] = readme.split(README_HEADING)
  return after.split(/^## /mu)[0]!
}

function testRowsOf(tests: string): TestRow[] {
  return rowsOf(tests).flatMap(([id = "", file = "", title = ""]) => (ID.test(id) ? [{ id, file, title }] : []))
}

/** The rows of all tables, headings included. */
export function rowsOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|") && !/^\|[\s|:-]+\|$/u.test(line))
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/u)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  )
}
