import { readdirSync, readFileSync } from "node:fs"
import { basename, extname, join } from "node:path"

const HERE = import.meta.dirname

/** A statement about a model. `reachable` asks for a run: without one the other lemmas would hold for nothing. */
export type Lemma = {
  readonly name: string
  readonly kind: "lemma" | "reachable"
  /** Ids of docs/threats.md. */
  readonly claims: readonly string[]
}

/** A model with the lemmas and mutants that its comments declare, the lemmas in the order of the prover's results. */
export type Model = {
  readonly file: string
  readonly text: string
  readonly lemmas: readonly Lemma[]
  /** By mutant: the lemmas that it breaks. */
  readonly mutants: ReadonlyMap<string, readonly string[]>
}

const OPEN = String.raw`^\s*(?:\(\*|--|//)\s*`
const LEMMA = new RegExp(`${OPEN}(lemma|reachable) ([\\w-]+)((?: [A-Z]\\d+)*):`, "u")
const MUTANT = new RegExp(`${OPEN}mutant ([\\w-]+): (.*?)(?: \\*\\))?$`, "u")
const BREAKS = /^\s*(?:\(\*|--|\/\/)?\s*([\w-]+) breaks ([\w\- ]+?)(?: \*\))?$/u

export function modelOf(file: string, text: string): Model {
  const lines = text.split("\n")
  const lemmas = lines.flatMap((line) => {
    const [, kind, name = "", claims = ""] = LEMMA.exec(line) ?? []
    return kind === "lemma" || kind === "reachable"
      ? [{ kind, name, claims: claims.split(" ").filter(Boolean) } as const]
      : []
  })
  const mutants = lines.flatMap((line) => {
    const [, name, broken = ""] = BREAKS.exec(line) ?? []
    return name ? [[name, broken.split(" ")] as const] : []
  })
  return { file, text, lemmas, mutants: new Map(mutants) }
}

export function allModels(): Model[] {
  const paths = readdirSync(HERE, { recursive: true, encoding: "utf8" })
  const models = paths.filter((path) => [".pv", ".als", ".vp"].includes(extname(path)))
  const named = models
    .map((path) => [basename(path), path] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return named.map(([file, path]) => modelOf(file, readFileSync(join(HERE, path), "utf8")))
}

/** The text in which each line that declares this mutant replaces the line of the model in front of it. */
export function mutated({ file, text }: Model, mutant: string): string {
  const lines: string[] = []
  let changes = 0
  // The line that a declaration would replace: the last one that declares no mutant.
  let at = -1
  for (const line of text.split("\n")) {
    const [, name, replacement] = MUTANT.exec(line) ?? []
    if (name === undefined) at = lines.push(line) - 1
    else if (name === mutant && replacement !== undefined) {
      lines[at] = replacement
      changes++
    }
  }
  if (changes === 0) throw new Error(`${file} declares no mutant ${mutant}`)
  return lines.join("\n")
}
