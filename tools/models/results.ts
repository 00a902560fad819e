import { createHash } from "node:crypto"
import type { Model } from "./model.ts"
import type { Verdict } from "./prover.ts"

/** The verdict of a run about a lemma, of the model or of a mutant. `error`: the run did not end well. */
export type Row = {
  readonly lemma: string
  readonly mutant: string | null
  readonly verdict: Verdict | "error"
  /** Time of the run. ProVerif decides all lemmas of a model in one. */
  readonly seconds: number
}

/** The recorded results of a model, which are a section of docs/models-results.md. */
export type Results = {
  readonly file: string
  /** Prover with version, date and commit. */
  readonly origin: string
  readonly hash: string
  readonly rows: readonly Row[]
}

const INTRODUCTION = `# Results of the models

\`npm run model -- --out\` writes this page, and \`npm run model -- view --out\` renews some sections. [models.md](models.md) states the lemmas.
A test fails if a model has changed since its run. It also fails if a lemma does not hold, or if a mutant breaks less than it should.
The times are of whole runs, on a machine with other work.
`
const SECTION = /^## (\S+)\n\n(.+), SHA-256 `(\w+)`\.$/u
const ROW = /^\| (\S+) \| (\S+) \| (\w+) \| ([\d.]+) \|$/u
/** In the column of mutants: the model itself. */
const MODEL = "none"

export const hashOf = ({ text }: Model): string => createHash("sha256").update(text).digest("hex")

export function parseResults(page: string): Results[] {
  const [, ...sections] = page.split(/^(?=## )/mu)
  return sections.map((section) => {
    const [title, fact] = section.split("\n\n")
    const [, file, origin, hash] = SECTION.exec(`${title}\n\n${fact}`) ?? []
    if (!file || !origin || !hash) throw new Error(`no section of results: ${title}`)
    const rows = section.split("\n").flatMap((line) => {
      const [, lemma, mutant, verdict, seconds] = ROW.exec(line) ?? []
      return lemma === undefined
        ? []
        : [
            {
              lemma,
              mutant: mutant === MODEL ? null : mutant!,
              verdict: verdict as Row["verdict"],
              seconds: Number(seconds),
            },
          ]
    })
    return { file, origin, hash, rows }
  })
}

/** The page, in which sections that have not run again stay. Models that are gone have none. */
export function renewedPage(page: string, renewed: readonly Results[], models: readonly Model[]): string {
  const results = new Map([...parseResults(page), ...renewed].map((each) => [each.file, each]))
  return [INTRODUCTION, ...models.flatMap(({ file }) => results.get(file) ?? []).map(section)].join("\n")
}

function section({ file, origin, hash, rows }: Results): string {
  const lines = rows.map(({ lemma, mutant, verdict, seconds }) => {
    return `| ${lemma} | ${mutant ?? MODEL} | ${verdict} | ${seconds.toFixed(1)} |`
  })
  return [
    `## ${file}\n`,
    `${origin}, SHA-256 \`${hash}\`.\n`,
    "| lemma | mutant | verdict | seconds |\n| --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n")
}

/** Faults of the recorded results of this model, each with the command that renews them. */
export function complaintsAbout(model: Model, results: Results | undefined): string[] {
  const renew = `\`npm run model -- ${model.file} --out\` renews docs/models-results.md`
  if (!results) return [`${model.file} has no results; ${renew}`]
  if (results.hash !== hashOf(model)) return [`${model.file} has changed since its run; ${renew}`]
  const expected = [
    ...model.lemmas.map(({ name }) => `${name} ${MODEL} holds`),
    ...[...model.mutants].flatMap(([mutant, lemmas]) => lemmas.map((lemma) => `${lemma} ${mutant} fails`)),
  ]
  const actual = new Set(results.rows.map(({ lemma, mutant, verdict }) => `${lemma} ${mutant ?? MODEL} ${verdict}`))
  return expected.filter((row) => !actual.has(row)).map((row) => `${model.file} lacks "${row}"; ${renew}`)
}
