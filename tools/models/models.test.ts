import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { allModels, modelOf, mutated } from "./model.ts"

const DOCS = join(import.meta.dirname, "../../docs")
const read = (path: string): string => readFileSync(join(DOCS, path), "utf8")
const models = allModels()

test("each lemma names claims of threats.md, or guarantees of group-communication.md", () => {
  const claims = [...read("threats.md").matchAll(/^\| ([A-Z]\d+) \|/gmu)].map(([, id]) => id)
  const [, section = ""] = read("group-communication.md").split("## Guarantees")
  const guarantees = [...section.split("## ")[0]!.matchAll(/^(\d+)\. /gmu)].map(([, number]) => `G${number}`)
  const ids = [...claims, ...guarantees]
  const lemmas = models.flatMap((model) => model.lemmas)
  expect(lemmas.filter(({ kind }) => kind === "lemma").length).toBeGreaterThan(10)
  for (const { name, kind, claims: named } of lemmas) {
    expect([name, named.filter((id) => !ids.includes(id))]).toEqual([name, []])
    expect([name, named.length > 0]).toEqual([name, kind === "lemma"])
  }
})

test.each(models)("$file: some mutant breaks each lemma, and something is reachable", ({ lemmas, mutants }) => {
  const names = lemmas.flatMap(({ name, kind }) => (kind === "lemma" ? [name] : []))
  expect(new Set([...mutants.values()].flat())).toEqual(new Set(names))
  expect(lemmas.some(({ kind }) => kind === "reachable")).toBe(true)
})

test.each(models)("$file declares what each mutant breaks", (model) => {
  const declared = [...model.text.matchAll(/ mutant ([\w-]+):/gu)].map(([, name]) => name)
  expect(new Set(declared)).toEqual(new Set(model.mutants.keys()))
})

test("docs/models.md has a row for each lemma, with its claims", () => {
  const rows = read("models.md").split("\n")
  for (const { file, lemmas } of models) {
    for (const { name, kind, claims } of lemmas) {
      if (kind === "lemma")
        expect(rows).toContainEqual(expect.stringContaining(`| ${file} | ${name} | ${claims.join(", ")} |`))
    }
  }
})

test("a mutant replaces the line in front of its declaration, wherever it is declared", () => {
  const text = "a\nb\n  (* mutant x: c *)\n  (* mutant y: d *)\ne\n-- mutant x: f\n"
  const model = modelOf("t.pv", text)
  expect(mutated(model, "x")).toBe("a\nc\nf\n")
  expect(mutated(model, "y")).toBe("a\nd\ne\n")
  expect(() => mutated(model, "z")).toThrow("declares no mutant z")
})
