/** Compiles all code of a document against the packed packages, as a reader would. */
import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { PackedPackages, Project } from "./packed-packages.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md"]
const TSC = join(ROOT, "node_modules/.bin/tsc")

/** Names that a block may use without importing them. */
const AMBIENT = `
declare global {
  const identity: import("@keymoot/core").Identity
  const conference: import("@keymoot/core").Conference
  const chat: import("@keymoot/core").Channel
  const url: string
  function askTheAuthority(request: string): Promise<{ certificate: string; authority: string }>
}
export {}
`

/** The same for the blocks of one document. */
const CONTEXT: Readonly<Record<string, string>> = {
  "docs/embedding.md": `
    declare const myCipher: import("@keymoot/core/engine").DataCipher
    declare const myAgreement: import("@keymoot/core/engine").OwnKeyAgreement
  `,
  "packages/gke/README.md": `
    type MemberId = import("@keymoot/gke").MemberId
    declare const self: MemberId, peer: MemberId, from: MemberId
    declare const members: MemberId[], roster: MemberId[]
    declare const proposal: import("@keymoot/gke").ProposalId
    declare const session: import("@keymoot/gke").SessionName
    declare const attachments: ReadonlyMap<MemberId, Uint8Array>
    declare const sid: Uint8Array, bytes: Uint8Array, signedStatement: Uint8Array, nowMs: number
    declare function random64(): Uint8Array
    declare const publicKeys: ReadonlyMap<MemberId, Uint8Array>
  `,
}

const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    moduleDetection: "force",
    jsx: "react-jsx",
    strict: true,
    // Those of some packages do not compile. Ours do: the React example's are checked.
    skipLibCheck: true,
    checkJs: true,
    noEmit: true,
    types: ["node"],
  },
  include: ["blocks", "ambient.d.ts"],
}

type Block = { readonly language: string; readonly text: string; readonly file: string }

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(ROOT, document), "utf8")
  return [...text.matchAll(/^```(tsx?|jsx?|typescript|javascript)\b[^\n]*\n(.*?)^```/gmsu)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length
    const language = match[1]!.replace("typescript", "ts").replace("javascript", "js")
    // The name in the compiler's complaint leads to the place.
    return {
      language,
      text: `${match[2]!}\n${CONTEXT[document] ?? ""}`,
      file: `${document.replaceAll("/", "~")}~line-${line}.${language}`,
    }
  })
}

/** The compiler's complaints, or "". */
async function compile({ directory }: Project, config: string): Promise<string> {
  return promisify(execFile)(TSC, ["-p", config], { cwd: directory }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  )
}

async function compileBlocks(project: Project, blocks: readonly Block[]): Promise<string> {
  const folder = join(project.directory, "blocks")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const { file, text } of blocks) writeFileSync(join(folder, file), text)
  writeFileSync(join(project.directory, "ambient.d.ts"), AMBIENT)
  writeFileSync(join(project.directory, "blocks.json"), JSON.stringify(CONFIG))
  return compile(project, "blocks.json")
}

/** Inside the folder of the packing process: two that pack at once would disturb each other. */
export function testDocuments(packed: () => PackedPackages): void {
  let project: Project
  beforeAll(async () => {
    project = await packed().project("examples/react-whiteboard", ["node-datachannel", "@types/node", "webpack"])
  })
  afterAll(() => rmSync(project.directory, { recursive: true }))

  test("every block of code in the documents compiles", { timeout: 120_000 }, async () => {
    const documents = globSync(DOCUMENTS, { cwd: ROOT, exclude: (path) => path.includes("docs/api") })
    const blocks = documents.flatMap(blocksOf)
    expect(blocks.length).toBeGreaterThan(5)
    expect(await compileBlocks(project, blocks)).toBe("")
  })

  test("a block that calls what is not there does not", async () => {
    const text = `import { Conference } from "@keymoot/core"\nawait Conference.enter({ url, identity })\n`
    expect(await compileBlocks(project, [{ language: "ts", text, file: "wrong.ts" }])).toContain(
      "Property 'enter' does not exist",
    )
  })

  test("the React example compiles", async () => {
    expect(await compile(project, "tsconfig.json")).toBe("")
  })
}
