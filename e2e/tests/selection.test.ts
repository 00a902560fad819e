/** `npm test` has the browser tests that `later.ts` does not list. No part of the product may be left without one. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { expect, test } from "@playwright/test"
import { LATER } from "../later.ts"
import { endOfRun } from "../tally-reporter.ts"

type Suite = {
  readonly title: string
  readonly specs: readonly { readonly title: string }[]
  readonly suites?: readonly Suite[]
}

/** Tests by part of the product: a pattern of file and title. */
const AREAS: Readonly<Record<string, RegExp>> = {
  room: /^(?:attention|busy-page|newcomers|room|room-tools|three-people|two-people) /u,
  chat: /^chat /u,
  board: /^(?:board-files|fonts|undo) /u,
  files: /^files /u,
  hosts: /^hosts /u,
  "time of a conference": /^time-frame /u,
  "links and entering": /^(?:links|other-version) /u,
  "calls of Chromium": /^call-(?!.*firefox)/iu,
  "calls of Chromium with Firefox": /^call(?:-people)? .*(?:firefox and chromium|in firefox)/iu,
  "devices and paths of calls": /^call-(?:devices|firefox|late-workers|network|phone|screen|trouble) /u,
  "secrecy of calls": /^call-(?:attacks|descriptions|packets|secrecy) /u,
  "relay, paths and TURN": /^(?:apart|bad-networks|broken-connections|path-changes|paths|relay|turn) /u,
  "reload, crash and copies": /^(?:crash|killed-tab|reload) /u,
  "server that fails": /^(?:broken-parts|offline-page|server-down) /u,
  "hostile server": /^hostile-server /u,
  "hostile member": /^(?:call-hosts|flood|reload) .*(?:refuse|flood)/u,
  "content policy": /^(?:integrity|trusted-types) /u,
  privacy: /^(?:diagnostics|privacy) /u,
  keys: /^(?:edge-certificates|edge-signatures|hybrid|identity|keys-in-memory) /u,
  verification: /^verification /u,
  "directory and authorities": /^(?:authority|roster) /u,
  evidence: /^evidence /u,
  settings: /^settings /u,
  phone: /^(?:finger-and-pen|large-letters|window-size) /u,
  accessibility: /^accessibility /u,
  axe: /^[a-z-]+ (?:.* )?axe /u,
  keyboard: /^by-keyboard /u,
  WebKit: /^webkit .*joins/u,
  packages: /^(?:embedding|packages) /u,
  "app as served": /^(?:compressed-app|server-package|verify-site|webkit the entry) /u,
  benchmark: /^bench /u,
  "these rules": /^selection /u,
}

/** Their subject is what remains under load or after a fault, so their result depends on the processors. */
const TRIED_AGAIN = ["content/files", "failures/broken-parts", "security/flood"]

/** Lines of file, groups and title of the tests of a configuration, without their tags. */
function testsOf(config: string): string[] {
  const directory = join(import.meta.dirname, "..")
  const playwright = join(directory, "../node_modules/@playwright/test/cli.js")
  const listed = execFileSync(
    process.execPath,
    [playwright, "test", "--config", join(directory, config), "--list", "--reporter=json"],
    { encoding: "utf8" },
  )
  const { suites } = JSON.parse(listed) as { readonly suites: readonly Suite[] }
  return suites.flatMap((file) => titlesIn(file).map((title) => `${basename(file.title, ".test.ts")} ${title}`))
}

function titlesIn({ specs, suites = [] }: Suite): string[] {
  const own = specs.map(({ title }) => title.replace(/ @.*/u, ""))
  return [...own, ...suites.flatMap((group) => titlesIn(group).map((title) => `${group.title} › ${title}`))]
}

// One after another in one process, since a list takes seconds. Made here, and not as this file is loaded: a list loads it.
test.describe.configure({ mode: "default" })
let selected: readonly string[] = []
let everyDay: readonly string[] = []
test.beforeAll(() => {
  selected = testsOf("quick.config.ts")
  everyDay = [...testsOf("playwright.config.ts"), ...testsOf("alone.config.ts")]
})

test("npm test leaves out the listed browser tests only, and each of them exists", () => {
  const listed = Object.entries(LATER).flatMap(([file, titles]) => titles.map((title) => `${file} ${title}`))
  expect(everyDay.filter((line) => !selected.includes(line)).toSorted()).toEqual(listed.toSorted())
})

test("npm test has a browser test of each part of the product", () => {
  const empty = Object.entries(AREAS).filter(([, pattern]) => !selected.some((line) => pattern.test(line)))
  expect(empty.map(([area]) => area)).toEqual([])
})

test("each browser test belongs to a part of the product", () => {
  const patterns = Object.values(AREAS)
  expect(everyDay.filter((line) => !patterns.some((pattern) => pattern.test(line)))).toEqual([])
})

test("no browser test of a claim, of secrets or of hostile servers has a second try", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8")
  const named = [...read("../../docs/threats-tests.md").matchAll(/\| e2e\/tests\/(\S+)\.test\.ts \|/gu)]
  const security = readdirSync(join(import.meta.dirname, "security")).filter((name) => name.endsWith(".test.ts"))
  const concerned = new Set([
    ...named.map(([, name]) => name!),
    ...security.map((name) => `security/${basename(name, ".test.ts")}`),
  ])
  const once = /^test\.describe\.configure\(\{ retries: 0 \}\)$/mu
  const withSecondTry = [...concerned].filter((name) => !once.test(read(`${name}.test.ts`)))
  expect(named.length).toBeGreaterThan(20)
  expect(withSecondTry.toSorted()).toEqual(TRIED_AGAIN)
})

test("the end of a run names each test that was skipped, with the reason", () => {
  const of = (title: string, outcome: "expected" | "flaky" | "skipped", description?: string) => {
    const annotations = description === undefined ? [] : [{ type: "skip", description }]
    return { titlePath: () => ["", "", "a.test.ts", title], outcome: () => outcome, annotations, results: [{}] }
  }
  const tests = [of("one", "expected"), of("two", "skipped", "no camera"), of("three", "flaky"), of("four", "skipped")]
  expect(endOfRun(tests, 0)).toEqual([
    "passed at the second try: a.test.ts › three",
    "skipped: a.test.ts › two: no camera",
    "skipped: a.test.ts › four: it states no reason",
    "browsers: 2 passed, 1 at the second try, 0 failed, 2 skipped",
  ])
  // A run that was interrupted has not reached it.
  const unreached = { ...of("five", "skipped"), results: [] }
  expect(endOfRun([unreached], 7)).toEqual([
    "browsers: 0 passed, 0 failed, 1 skipped; 7 others: npm run test:browsers:all",
  ])
})
