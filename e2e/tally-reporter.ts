import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter"

/** `later`: the number of tests that this configuration leaves to `npm run test:browsers:all`. */
type Options = { readonly later?: number }

/** Ends the run with plain counts, and with the name of each test that passed only at its second try. */
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
    const count = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
    for (const test of this.#tests) count[test.outcome()]++
    const { unexpected, skipped } = count
    const passed = count.expected + count.flaky
    const second = this.#tests
      .filter((test) => test.outcome() === "flaky")
      .map((test) => test.titlePath().filter(Boolean).join(" › "))
    for (const name of second) process.stdout.write(`\npassed at the second try: ${name}`)
    const tried = second.length > 0 ? `, ${second.length} at the second try` : ""
    const counts = `${passed} passed${tried}, ${unexpected} failed, ${skipped} skipped`
    const others = this.#later > 0 ? `; ${this.#later} others: npm run test:browsers:all` : ""
    process.stdout.write(`\nbrowsers: ${counts}${others}\n`)
    return Promise.resolve()
  }
}
