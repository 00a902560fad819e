/** `@keymoot/server` as packed. A stand-in takes the app's place here; the tests with browsers pack the real one. */
import { execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { manifestOf } from "./pack.ts"
import { type Project, serverProject } from "./packed-packages.ts"

/** An operator may run the server from here, and it would switch to another app. */
const BUILT = join(import.meta.dirname, "../../packages/server/dist")
const PAGE = "<!doctype html><title>Stand-in</title>"

let project: Project
let builtBefore: readonly string[]
const installed = () => join(project.directory, "node_modules/@keymoot/server")
const program = () => join(installed(), manifestOf(installed()).bin!["keymoot-server"]!)

function filesOfBuilt(): string[] {
  if (!existsSync(BUILT)) return []
  return readdirSync(BUILT, { encoding: "utf8", recursive: true }).map((path) => {
    const { ino, mtimeMs, size } = statSync(join(BUILT, path))
    return `${path} ${ino} ${mtimeMs} ${size}`
  })
}

beforeAll(async () => {
  builtBefore = filesOfBuilt()
  const webDir = mkdtempSync(join(tmpdir(), "keymoot-app-"))
  const hash = `sha384-${createHash("sha384").update(PAGE).digest("base64")}`
  writeFileSync(join(webDir, "index.html"), PAGE)
  writeFileSync(join(webDir, "integrity.json"), JSON.stringify({ "/index.html": hash }))
  project = await serverProject(webDir)
  rmSync(webDir, { recursive: true })
})
afterAll(() => rmSync(project.directory, { recursive: true }))

/** The installed server, in an empty directory of its own. */
function start(settings: Readonly<Record<string, string>>) {
  const cwd = join(project.directory, "run")
  mkdirSync(cwd, { recursive: true })
  const env = { PATH: process.env["PATH"], LOG_LEVEL: "error", ...settings }
  const child = spawn(process.execPath, [program()], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, "close").then(([code]) => code as number | null)
  return { child, ended, errors: () => errors }
}

test("leaves the built server of the repository as it is when a test packs another app", () => {
  expect(filesOfBuilt()).toEqual(builtBefore)
})

test("serves the app that came with it, and a healthy server", async () => {
  const { child } = start({ PORT: "0" })
  const lines = createInterface({ input: child.stdout })
  const [line] = (await once(lines, "line")) as [string]
  const url = /^Keymoot is ready at (http:\S+)$/u.exec(line)?.[1]
  expect(await (await fetch(url!)).text()).toBe(PAGE)
  for (const path of ["healthz", "readyz"]) expect((await fetch(`${url}/${path}`)).status).toBe(200)
})

test("says in one sentence that its port is taken", async () => {
  const occupant = createServer().listen(0, "127.0.0.1")
  onTestFinished(() => void occupant.close())
  await once(occupant, "listening")
  const { port } = occupant.address() as AddressInfo
  const server = start({ PORT: String(port) })
  expect(await server.ended).toBe(1)
  expect(server.errors()).toMatch(/^Port \d+ is already in use: [^\n]+\n$/u)
})

test("says in one sentence that its data directory cannot be written", async () => {
  const file = join(project.directory, "a-file")
  writeFileSync(file, "")
  const server = start({ PORT: "0", DATA_DIR: join(file, "data") })
  expect(await server.ended).toBe(1)
  expect(server.errors()).toMatch(/^The database in \S+ cannot be opened: [^\n]+\n$/u)
})

test("publint has nothing to say against it", async () => {
  await promisify(execFile)(join(import.meta.dirname, "../../node_modules/.bin/publint"), ["--strict", installed()])
})

test("depends on what it imports, in the versions that are tested here", () => {
  const script = readFileSync(program(), "utf8")
  const imported = [...script.matchAll(/(?:^import |\bfrom |\bimport\()"((?:@[^/"]+\/)?[^"/]+)/gmu)]
  const names = new Set(imported.map(([, name]) => name!).filter((name) => !name.startsWith("node:")))
  const { dependencies } = manifestOf(installed())
  expect([...names].toSorted()).toEqual(Object.keys(dependencies ?? {}))
  const { "@keymoot/transport": _, ...tested } = manifestOf(
    join(import.meta.dirname, "../../apps/signaling"),
  ).dependencies!
  expect(dependencies).toMatchObject(tested)
})
