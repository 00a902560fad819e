import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Protocol } from "@keymoot/transport"
import type { Said } from "./client-process.ts"

const RELEASE = fileURLToPath(new URL("last-release.tgz", import.meta.url))
const PROCESS = fileURLToPath(new URL("client-process.ts", import.meta.url))
const CONSTANT = /\bPROTOCOL\s*=\s*\{\s*major:\s*(\d+),\s*features:\s*(\[[\d,\s]*\])\s*\}/gu

const SIGNALING_PATH = "/signaling/v1"

/** The client of the last release, unpacked into a folder of its own. */
export class KeptClient {
  readonly #directory = mkdtempSync(join(tmpdir(), "keymoot-kept-"))
  readonly #module = join(this.#directory, "client.js")
  readonly #processes: ChildProcess[] = []

  /** `change`: makes another version of it, which differs in the constant only. */
  constructor(change: (protocol: Protocol) => Protocol = (protocol) => protocol) {
    execFileSync("tar", ["-xzf", RELEASE, "-C", this.#directory])
    const { major, features } = change(this.protocol)
    const changed = `PROTOCOL = { major: ${major}, features: ${JSON.stringify(features)} }`
    writeFileSync(this.#module, this.#code.replace(CONSTANT, changed))
  }

  /** Makes a copy of it that speaks another version with the server. */
  changeSignaling(path: string): void {
    if (this.#code.split(SIGNALING_PATH).length !== 2) throw new Error("the path of the server is not in one place")
    writeFileSync(this.#module, this.#code.replace(SIGNALING_PATH, path))
  }

  get protocol(): Protocol {
    const [found, another] = [...this.#code.matchAll(CONSTANT)]
    if (!found || another) throw new Error("the release does not have its version in one place")
    return { major: Number(found[1]), features: JSON.parse(found[2]!) as number[] }
  }

  get #code(): string {
    return readFileSync(this.#module, "utf8")
  }

  /** Joins in a process of its own; `said` grows with what it tells. */
  join(url: string): { readonly said: readonly Said[] } {
    const args = ["--conditions=keymoot-source", PROCESS, this.#module, url]
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] })
    this.#processes.push(child)
    const said: Said[] = []
    createInterface({ input: child.stdout }).on("line", (line) => void said.push(JSON.parse(line) as Said))
    return { said }
  }

  remove(): void {
    for (const child of this.#processes) child.kill("SIGKILL")
    rmSync(this.#directory, { recursive: true })
  }
}
