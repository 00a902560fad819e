import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { MORE_GERMAN, withMoreGerman } from "../build/boardGerman.ts"

type Texts = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

const distribution = dirname(createRequire(import.meta.url).resolve("@excalidraw/excalidraw"))

function fileOf(kind: string, language: string): string {
  const folder = join(distribution, "..", kind, "locales")
  const name = readdirSync(folder).find((file) => file.startsWith(`${language}-`) && file.endsWith(".js"))
  return join(folder, name ?? `${language} is missing`)
}

/** As the page gets it, without what it shares with other files, which no text needs. */
async function load(file: string, code: string): Promise<Texts> {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-german-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const alone = join(directory, "texts.mjs")
  writeFileSync(alone, withMoreGerman(code, file).replaceAll(/import[^"]*"[^"]*";|\/\/# sourceMappingURL.*/g, ""))
  return (await import(/* @vite-ignore */ pathToFileURL(alone).href)) as Texts
}

it.each(["prod", "dev"])(
  "the installed whiteboard (%s) says in German what it lacks, and nothing twice",
  async (kind) => {
    const german = fileOf(kind, "de-DE")
    const code = readFileSync(german, "utf8")
    const [before, after] = [await load("", code), await load(german, code)]
    for (const [section, texts] of Object.entries(MORE_GERMAN)) {
      expect(after[section]).toMatchObject({ ...before[section], ...texts })
      for (const name of Object.keys(texts))
        expect([section, name, before[section]?.[name]]).toEqual([section, name, undefined])
    }
    expect(after["labels"]?.["paste"]).toBe(before["labels"]?.["paste"])
  },
)

it("each of them stands for an English text of the whiteboard", () => {
  const folder = join(distribution, "..", "dev")
  const scripts = readdirSync(folder).filter((file) => file.endsWith(".js"))
  const english = scripts.map((file) => readFileSync(join(folder, file), "utf8")).join("\n")
  for (const name of Object.values(MORE_GERMAN).flatMap((texts) => Object.keys(texts)))
    expect(english).toMatch(new RegExp(`\\b${name}: "`, "u"))
})

it("other languages stay as they are", () => {
  expect(withMoreGerman("export { labels }", "/locales/fr-FR-ABC.js")).toBe("export { labels }")
})
