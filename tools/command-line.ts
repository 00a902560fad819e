/** Command lines of the tools: each tells how it is used. */

/** As for other programs: the arguments are wrong. */
const USAGE_WRONG = 2

/** As automake has it for a skipped test: a program is missing, so something was not run, and nothing that ran failed. */
export const NOT_RUN = 77

/**
 * Returns what `read` makes of the command line. With `--help` it prints `usage` and ends the process. If `read` throws,
 * it prints the reason too, and ends it with 2.
 */
export function fromCommandLine<T>(usage: string, read: () => T): T {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return read()
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(USAGE_WRONG)
  }
}

/** The number above 0 that an option gives. @throws Error for another text, which would otherwise be NaN and end a run at once */
export function positive(name: string, text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new Error(`${name} is no number above 0: ${text}.`)
}
