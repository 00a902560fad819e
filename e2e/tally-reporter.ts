import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter"

/** Ends the run with one line of plain counts. A test that passed only when repeated counts as failed. */
export default class TallyReporter implements Reporter {
  #tests: readonly TestCase[] = []

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests()
  }

  printsToStdio(): boolean {
    return true
  }

  onExit(): Promise<void> {
    const count = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
    for (const test of this.#tests) count[test.outcome()]++
    const failed = count.unexpected + count.flaky
    process.stdout.write(`\nbrowsers: ${count.expected} passed, ${failed} failed, ${count.skipped} skipped\n`)
    return Promise.resolve()
  }
}
