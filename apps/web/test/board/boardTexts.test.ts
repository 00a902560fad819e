import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { BOARD_TEXTS, withBoardTexts } from "../../build/boardTexts.ts"
import { OTHER_REGISTER } from "../texts/register.ts"

type Tree = { readonly [name: string]: string | Tree | undefined }

/** Sections of features that we leave out: publishing, rooms, AI, Excalidraw's own start page and its back ends. */
const UNSEEN = [
  "commandPalette",
  "encrypted",
  "errorSplash",
  "exportDialog",
  "mermaid",
  "overwriteConfirm",
  "publishDialog",
  "publishSuccessDialog",
  "roomDialog",
  "shareDialog",
  "userList",
  "welcomeScreen",
]

const LANGUAGES = Object.keys(BOARD_TEXTS)
const KINDS = ["prod", "dev"]
const distribution = join(dirname(createRequire(import.meta.url).resolve("@excalidraw/excalidraw")), "..")

function fileOf(kind: string, language: string): string {
  const folder = join(distribution, kind, "locales")
  const name = readdirSync(folder).find((file) => file.startsWith(`${language}-`) && file.endsWith(".js"))
  return join(folder, name ?? `${language} is missing`)
}

/** As the page gets it, without what it shares with other files, which no text needs. */
async function load(file: string, code: string): Promise<ReadonlyMap<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-board-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const alone = join(directory, "texts.mjs")
  writeFileSync(alone, withBoardTexts(code, file).replaceAll(/import[^"]*"[^"]*";|\/\/# sourceMappingURL.*/g, ""))
  return textsOf((await import(/* @vite-ignore */ pathToFileURL(alone).href)) as Tree)
}

const before = (file: string) => load("", readFileSync(file, "utf8"))
const after = (file: string) => load(file, readFileSync(file, "utf8"))

async function english(): Promise<ReadonlyMap<string, string>> {
  return textsOf((await import(/* @vite-ignore */ pathToFileURL(fileOf("prod", "en")).href)) as Tree)
}

/** Without empty texts, for which the whiteboard shows English as well. */
function textsOf(tree: Tree): ReadonlyMap<string, string> {
  const { default: _, ...sections } = tree
  return new Map(pathsOf(sections).filter(([, text]) => text !== ""))
}

function pathsOf(tree: Tree, prefix = ""): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([name, value = ""]) => {
    const path = `${prefix}${name}`
    return typeof value === "string" ? [[path, value] as const] : pathsOf(value, `${path}.`)
  })
}

const isSeen = (path: string) => !UNSEEN.includes(path.split(".")[0] ?? "")
const parametersOf = (text = "") => [...text.matchAll(/\{\{?\w+\}?\}|<\/?\w+>/gu)].map(String).sort()

describe.each(LANGUAGES)("%s of the whiteboard", (language) => {
  it.each(KINDS)("says every visible text that English has (%s)", async (kind) => {
    const texts = await after(fileOf(kind, language))
    const missing = [...(await english()).keys()].filter((path) => isSeen(path) && !texts.has(path))
    expect(missing).toEqual([])
  })

  it("addresses people as our own texts do", async () => {
    const forbidden = OTHER_REGISTER[language.slice(0, 2)]!
    const texts = [...(await after(fileOf("prod", language)))]
    expect(texts.filter(([path, text]) => isSeen(path) && forbidden.test(text))).toEqual([])
  })

  it("adds nothing that the whiteboard already says in the right register", async () => {
    const old = await before(fileOf("prod", language))
    const twice = pathsOf(BOARD_TEXTS[language]!).filter(([path, text]) => old.get(path) === text)
    expect(twice).toEqual([])
  })

  it("has the names and parameters of English texts", async () => {
    const originals = await english()
    for (const [path, text] of pathsOf(BOARD_TEXTS[language]!))
      expect([path, parametersOf(text)]).toEqual([path, parametersOf(originals.get(path))])
  })

  it("keeps the other texts of a section", async () => {
    const texts = await after(fileOf("prod", language))
    const own = new Set(pathsOf(BOARD_TEXTS[language]!).map(([path]) => path))
    for (const [path, text] of await before(fileOf("prod", language)))
      if (!own.has(path)) expect([path, texts.get(path)]).toEqual([path, text])
  })
})

it("leaves other languages as they are", () => {
  expect(withBoardTexts("export { labels }", "/locales/it-IT-ABC.js")).toBe("export { labels }")
})
