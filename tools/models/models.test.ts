import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { allModels, type Model, modelOf, mutated } from "./model.ts"
import { NOT_RUN } from "../command-line.ts"
import { withoutQueries, withoutSteps } from "./proverif/proverif.ts"
import { complaintsAbout, hashOf, parseResults, renewedPage, type Results, type Row } from "./results.ts"

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

test.each(models)("$file: some mutant breaks each lemma, and something is reachable", ({ file, lemmas, mutants }) => {
  const names = lemmas.flatMap(({ name, kind }) => (kind === "lemma" ? [name] : []))
  expect(new Set([...mutants.values()].flat())).toEqual(new Set(names))
  // Verifpal plays the honest run before it searches, and has no query for it.
  expect(lemmas.some(({ kind }) => kind === "reachable")).toBe(!file.endsWith(".vp"))
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

test("replaces the line in front of a declaration at any place in the file", () => {
  const text = "a\nb\n  (* mutant x: c *)\n  (* mutant y: d *)\ne\n-- mutant x: f\n"
  const model = modelOf("t.pv", text)
  expect(mutated(model, "x")).toBe("a\nc\nf\n")
  expect(mutated(model, "y")).toBe("a\nd\ne\n")
  expect(() => mutated(model, "z")).toThrow("declares no mutant z")
})

test("a run of ProVerif has no query but those that it is asked for", () => {
  const text = "a\n(* lemma x M1: t\n   t. *)\nquery p: q;\n  r.\n(* reachable y: u. *)\nquery s.\nb\n"
  const [x, y] = modelOf("t.pv", text).lemmas
  expect(withoutQueries(text, [x!])).toBe("a\n(* reachable y: u. *)\nquery s.\nb\n")
  expect(withoutQueries(text, [x!, y!])).toBe("a\nb\n")
  expect(() => withoutQueries("a", [x!])).toThrow("no query behind x")
})

test("a run of a mutant has no steps of a proof, which would fail first", () => {
  const { rest, steps } = withoutSteps("a\nlemma x: y;\n  x [induction].\n(* lemma z M1: t. *)\nquery z.\n")
  expect(rest).toBe("a\n(* lemma z M1: t. *)\nquery z.\n")
  expect(steps).toBe(1)
})

const recorded = new Map(parseResults(read("models-results.md")).map((each) => [each.file, each]))

test.each(models)("docs/models-results.md has the results of $file as it is", (model) => {
  expect(complaintsAbout(model, recorded.get(model.file))).toEqual([])
})

test("results are stale when a lemma or a mutant has another verdict", () => {
  const model = modelOf("t.pv", "(* lemma a M1: t. *)\nx\n(* mutant m: y *)\n(* m breaks a *)\n")
  const row = (mutant: string | null, verdict: Row["verdict"]): Row => ({ lemma: "a", mutant, verdict, seconds: 1 })
  const complaints = (rows: readonly Row[]): string[] => {
    const origin = "ProVerif 1, 2026-01-01, commit abc"
    const page = renewedPage("", [{ file: "t.pv", origin, hash: hashOf(model), rows }], [model])
    return complaintsAbout(model, parseResults(page)[0])
  }
  expect(complaints([row(null, "holds"), row("m", "fails")])).toEqual([])
  expect(complaints([row(null, "unknown"), row("m", "fails")])).toEqual([expect.stringContaining('"a none holds"')])
  expect(complaints([row(null, "holds"), row("m", "holds")])).toEqual([expect.stringContaining('"a m fails"')])
})

test("results are stale when the model has changed, with the command that renews", () => {
  const model = modelOf("t.pv", "x")
  const results = { file: "t.pv", origin: "ProVerif 1, 2026-01-01, commit abc", hash: hashOf(model), rows: [] }
  expect(complaintsAbout(model, results)).toEqual([])
  expect(complaintsAbout(modelOf("t.pv", "y"), results)).toEqual([
    expect.stringMatching(/has changed.*npm run model -- t\.pv --out/u),
  ])
  expect(complaintsAbout(model, undefined)).toEqual([expect.stringContaining("has no results")])
})

test("the page of results keeps the sections of models that did not run again", () => {
  const [a, b] = [modelOf("a.pv", "x"), modelOf("b.pv", "y")]
  const results = (model: Model, seconds: number): Results => {
    const rows = [{ lemma: "l", mutant: null, verdict: "holds", seconds } as const]
    return { file: model.file, origin: "ProVerif 1, 2026-01-01, commit abc", hash: hashOf(model), rows }
  }
  const first = renewedPage("", [results(a, 1), results(b, 2)], [a, b])
  expect(parseResults(renewedPage(first, [results(b, 3)], [a, b]))).toEqual([results(a, 1), results(b, 3)])
  expect(parseResults(renewedPage(first, [], [b]))).toEqual([results(b, 2)])
})

test("npm run model ends with a code of its own when the prover of a model is missing", () => {
  const env = { ...process.env, PROVERIF: "/nowhere" }
  const program = join(import.meta.dirname, "main.ts")
  const { status, stdout } = spawnSync(process.execPath, [program, "admission"], { encoding: "utf8", env })
  expect(stdout).toContain("NOT RUN admission.pv: ProVerif is not installed")
  expect(status).toBe(NOT_RUN)
})
