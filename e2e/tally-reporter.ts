import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter"

/** `later`: the number of tests that this configuration leaves to `npm run test:browsers:all`. */
type Options = { readonly later?: number }

/** The needed part of Playwright's test, which has the annotations of its last run. */
type Ran = Pick<TestCase, "titlePath" | "outcome" | "annotations"> & { readonly results: readonly unknown[] }

/** Plain counts, after the name of each test that passed only at its second try, or that was skipped, with the reason. */
export function endOfRun(tests: readonly Ran[], later: number): string[] {
  const of = (outcome: ReturnType<Ran["outcome"]>) => tests.filter((test) => test.outcome() === outcome)
  const nameOf = (test: Ran): string => test.titlePath().filter(Boolean).join(" › ")
  const [second, skipped] = [of("flaky"), of("skipped")]
  const passed = of("expected").length + second.length
  const tried = second.length > 0 ? `, ${second.length} at the second try` : ""
  const counts = `${passed} passed${tried}, ${of("unexpected").length} failed, ${skipped.length} skipped`
  return [
    ...second.map((test) => `passed at the second try: ${nameOf(test)}`),
    ...skipped
      .filter(({ results }) => results.length > 0)
      .map((test) => `skipped: ${nameOf(test)}: ${reasonOf(test) ?? "it states no reason"}`),
    `browsers: ${counts}${later > 0 ? `; ${later} others: npm run test:browsers:all` : ""}`,
  ]
}

function reasonOf({ annotations }: Ran): string | undefined {
  return annotations.find(({ type, description }) => type === "skip" && description)?.description
}

/** Ends the run with the lines of `endOfRun`. */
export default class TallyReporter implements Reporter {
  readonly #later: number
  #tests: readonly TestCase[] = []

  constructor({ later = 0 }: Options) {
    this.#later = later
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests()
  }

  printsToStdio(): boolean {
    return true
  }

  onExit(): Promise<void> {
    for (const line of endOfRun(this.#tests, this.#later)) process.stdout.write(`\n${line}`)
    process.stdout.write("\n")
    return Promise.resolve()
  }
}
