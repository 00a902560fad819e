/** OpenMLS as `npm run bench:openmls` has built it (bench/openmls): as WebAssembly, and as a program of this machine. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { MlsPeer } from "./removals.ts"

const VERSION = "OpenMLS 0.9.2"
const TARGET = join(import.meta.dirname, "../../openmls/target")
const WASM = join(TARGET, "wasm32-wasip1/release/keymoot_openmls.wasm")
const PROGRAM = join(TARGET, "release/keymoot-openmls")

/** X25519, and X-Wing. */
const SUITES = ["classical", "hybrid"] as const
type Suite = (typeof SUITES)[number]

type Exports = Readonly<Record<Suite, (n: number) => void>> & {
  readonly restore: () => void
  readonly make: () => number
  readonly process: () => number
  readonly agree: () => number
}

/** Warm groups of n, of those that are built here. */
export async function openMlsPeers(n: number): Promise<readonly MlsPeer[]> {
  const peers: MlsPeer[] = []
  for (const suite of SUITES) {
    if (existsSync(WASM)) peers.push(await webAssembly(n, suite))
    if (existsSync(PROGRAM)) peers.push(await native(n, suite))
  }
  return peers
}

function nameOf(suite: Suite, face: string): string {
  return `${VERSION}, ${suite === "hybrid" ? "X-Wing, " : ""}${face}`
}

/** Null if nothing is missing. */
export function missingOpenMls(): string | null {
  const missing = [WASM, PROGRAM].filter((path) => !existsSync(path))
  if (missing.length === 0) return null
  const faces = missing.map((path) => (path === WASM ? "as WebAssembly" : "as a program of this machine"))
  return `OpenMLS ${faces.join(" and ")} is left out: it is not built. npm run bench:openmls builds it, with cargo and its target wasm32-wasip1.`
}

async function webAssembly(n: number, suite: Suite): Promise<MlsPeer> {
  // Loaded when asked for: where its warning is not silenced, it comes as soon as it is loaded.
  const { WASI } = await import("node:wasi")
  const wasi = new WASI({ version: "preview1" })
  const module = await WebAssembly.compile(await readFile(WASM))
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject() as WebAssembly.Imports)
  wasi.initialize(instance)
  const { restore, make, process, agree, ...groups } = instance.exports as unknown as Exports
  groups[suite](n)
  return {
    module: nameOf(suite, "WebAssembly"),
    removal: async () => {
      restore()
      const startMs = performance.now()
      make()
      const madeMs = performance.now()
      const hasProcessed = process() === 1
      const processedMs = performance.now()
      if (agree() !== 1) throw new Error("OpenMLS has not come to one epoch")
      return { made: madeMs - startMs, processed: hasProcessed ? processedMs - madeMs : null }
    },
    close: () => {},
  }
}

async function native(n: number, suite: Suite): Promise<MlsPeer> {
  const child = spawn(PROGRAM, [`${n}`, suite], { stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const next = await lines.next()
    if (next.done === true) throw new Error("OpenMLS's program has ended")
    return next.value
  }
  if ((await line()) !== suite) throw new Error("OpenMLS's program is an old one: npm run bench:openmls builds it anew")
  return {
    module: nameOf(suite, "native"),
    removal: async () => {
      child.stdin.write("\n")
      const [made, processed] = (await line()).split(" ").map(Number)
      return { made: made!, processed: processed! < 0 ? null : processed! }
    },
    close: () => void child.stdin.end(),
  }
}
