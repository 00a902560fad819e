/**
 * `npm run lint:commits`: checks the subjects of new commits, "area: imperative summary" in at most 72 characters.
 * A clone without the history before the rule checks nothing, and says so.
 */
import { execFileSync } from "node:child_process"

/** The last commit that was made before the rule. */
const BEFORE_THE_RULE = "92d122cf2054"
export const SUBJECT_MAX = 72
const SHAPE = /^[a-z][a-z0-9./-]*: [A-Za-z0-9`@].*[^.]$/u

/** Says what is wrong with a subject; null if nothing is. */
export function complaintAbout(subject: string): string | null {
  if (subject.length > SUBJECT_MAX) return `has ${subject.length} characters; at most ${SUBJECT_MAX}`
  return SHAPE.test(subject) ? null : 'is not "area: imperative summary" without a full stop'
}

function git(...arguments_: readonly string[]): string {
  return execFileSync("git", arguments_, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  })
}

function newSubjects(): string[] | null {
  try {
    return git("log", "--no-merges", "--format=%s", `${BEFORE_THE_RULE}..HEAD`).split("\n").filter(Boolean)
  } catch {
    return null
  }
}

if (import.meta.main) {
  const subjects = newSubjects()
  if (!subjects) console.log(`Commit subjects are not checked: this clone does not have ${BEFORE_THE_RULE}.`)
  for (const subject of subjects ?? []) {
    const complaint = complaintAbout(subject)
    if (!complaint) continue
    console.error(`"${subject}" ${complaint}`)
    process.exitCode = 1
  }
}
