/**
 * `npm run lint:prose`: checks documents, comments and the English texts of the app for plain English.
 *
 * `allowed.json` counts the findings of files that were written before the check. A file may not have more than its count.
 * If it has fewer, the check fails until `npm run lint:prose -- --update` has lowered the count, so counts only fall.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Finding, lintProse } from "./lint.ts"
import { type Allowed, complaints, countsOf } from "./ratchet.ts"

const root = join(import.meta.dirname, "../..")
const allowedPath = join(import.meta.dirname, "allowed.json")
const READ = /\.(?:md|ts|tsx)$/u
/** Generated, or quoted word by word. */
const NOT_READ = /^(?:docs\/api\/|packages\/[^/]+\/api\/|LICENSE)|confusables\.ts$/u

const update = process.argv.includes("--update")
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0")
const files = named.length
  ? named
  : tracked.filter((file) => READ.test(file) && !NOT_READ.test(file) && existsSync(join(root, file)))

const findings = new Map<string, Finding[]>()
for (const file of files) {
  const found = await lintProse(file, readFileSync(join(root, file), "utf8"))
  if (found.length) findings.set(file, found)
}
if (named.length) {
  for (const [file, found] of findings) for (const each of found) console.log(`${file}:${each.line} ${each.message}`)
} else if (update) {
  const allowed = countsOf(findings)
  writeFileSync(allowedPath, `${JSON.stringify(allowed, null, 2)}\n`)
  const sum = Object.values(allowed).reduce((all, count) => all + count, 0)
  console.log(`${sum} findings in ${Object.keys(allowed).length} of ${files.length} files`)
} else {
  const allowed = JSON.parse(readFileSync(allowedPath, "utf8")) as Allowed
  for (const complaint of complaints(findings, allowed)) {
    console.error(complaint)
    process.exitCode = 1
  }
}
