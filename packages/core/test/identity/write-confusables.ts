/**
 * Writes the engine's table of look-alikes from Unicode's: `npm run confusables -- confusables.txt`, with the file from
 * https://www.unicode.org/Public/17.0.0/security/confusables.txt (or a later version's).
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { skeletonOf } from "../../src/identity/name-skeleton.ts"

const TARGET = join(import.meta.dirname, "../../src/identity/confusables.ts")
const LINE_CHARACTERS = 140

const text = readFileSync(process.argv[2]!, "utf8")
const version = /^# Version: (\S+)/mu.exec(text)![1]!
const all = [...text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gmu)].map(([, source, prototype]) => {
  const [from, to] = [source!, prototype!].map((hex) =>
    String.fromCodePoint(...hex.split(" ").map((each) => Number.parseInt(each, 16))),
  )
  return [from!, to!] as const
})
// UTS #39 decomposes before it looks anything up: it never meets these.
const entries = all.filter(([from]) => from.normalize("NFD") === from)

// A character that normalization already takes to its prototype needs no entry.
const kept = new Map(entries.filter(([from]) => from.normalize("NFKD") === from))
for (const [from, to] of entries) if (skeletonOf(from, kept) !== skeletonOf(to, kept)) kept.set(from, to)
const wrong = entries.filter(([from, to]) => skeletonOf(from, kept) !== skeletonOf(to, kept))
if (entries.length === 0 || wrong.length > 0)
  throw new Error(`${wrong.length} of ${entries.length} entries are not kept`)

const points = (text: string): number[] => Array.from(text, (each) => each.codePointAt(0)!)
const hex = (numbers: readonly number[]): string => numbers.map((each) => each.toString(16)).join(" ")
const sorted = [...kept].map(([from, to]) => [points(from)[0]!, points(to)] as const).toSorted(([a], [b]) => a - b)
const differences = sorted.map(([from], index) => from - (sorted[index - 1]?.[0] ?? 0))

/** Joins the items by the separator, or by a new line where the line would be too long. */
function inLines(items: readonly string[], separator: string): string {
  const lines = [""]
  for (const item of items) {
    const last = lines.at(-1)!
    if (last !== "" && last.length + item.length >= LINE_CHARACTERS) lines.push(item)
    else lines[lines.length - 1] = last === "" ? item : last + separator + item
  }
  return lines.join("\n")
}

// Two lists compress better than one list of pairs.
const characters = inLines(hex(differences).split(" "), " ")
const prototypes = inLines(
  sorted.map(([, to]) => hex(to)),
  ",",
)
writeFileSync(
  TARGET,
  `/**
 * Characters that look alike: UTS #39's confusables.txt, Unicode ${version}, without those that normalization takes to their prototype.
 * Written by packages/core/test/identity/write-confusables.ts. Data © Unicode, Inc., https://www.unicode.org/license.txt
 */
export const CONFUSABLES = \`
${characters};
${prototypes}
\`
`,
)
console.log(`${kept.size} of ${entries.length} entries, Unicode ${version}`)
