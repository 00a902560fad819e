import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const ROOT = join(import.meta.dirname, "../..")

interface Started {
  readonly child: ChildProcess
  readonly lines: () => string[]
}

/** `npm start` as a newcomer types it, or what runs it; npm's own heading is left out of `lines`. */
function start([program, ...args]: readonly [string, ...string[]] = ["npm", "start"]): Started {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-start-"))
  const env = { PATH: process.env["PATH"], PORT: "0", DATA_DIR: directory, npm_config_loglevel: "error" }
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
  onTestFinished(() => {
    child.kill("SIGKILL")
    rmSync(directory, { recursive: true, force: true })
  })
  return { child, lines: () => output.split("\n").filter((line) => line !== "" && !line.startsWith("> ")) }
}

/** Processes that run for this one, itself included. */
function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}

const runs = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const READY = [
  expect.stringContaining("Building the page"),
  expect.stringMatching(/^Keymoot is ready at http:\/\/localhost:\d+$/u),
  "Press Ctrl+C to stop it.",
]
const notLinux = process.platform !== "linux"
if (notLinux)
  console.log("Skipped: what npm start leaves behind. Processes are looked up in /proc, which only Linux has.")

test.skipIf(notLinux)("prints three lines, and leaves no process behind when it is stopped", async () => {
  const { child, lines } = start()
  await expect.poll(lines, { timeout: 120_000 }).toEqual(READY)
  const family = familyOf(child.pid!)
  expect(family.length).toBeGreaterThan(1)
  child.kill("SIGTERM")
  await once(child, "exit")
  await expect.poll(() => family.filter(runs)).toEqual([])
})

test.skipIf(notLinux).each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "leaves no process behind when %s comes while it builds",
  async (signal) => {
    const { child, lines } = start()
    await expect.poll(lines).toEqual(READY.slice(0, 1))
    // npm, the script, and the build.
    await expect.poll(() => familyOf(child.pid!).length).toBe(3)
    const family = familyOf(child.pid!)
    child.kill(signal)
    await once(child, "exit")
    await expect.poll(() => family.filter(runs)).toEqual([])
  },
)

test("prints usage and settings, and starts nothing, when it is asked for help", async () => {
  const { child, lines } = start(["npm", "start", "--", "--help"])
  expect(await once(child, "close")).toEqual([0, null])
  expect(lines()).toEqual(
    expect.arrayContaining(["Usage: [NAME=value ...] npm start", expect.stringMatching(/^ {2}PORT /u)]),
  )
  expect(lines()).not.toContainEqual(READY[0])
})

test("refuses an unknown argument before it builds", async () => {
  const { child, lines } = start(["npm", "start", "--", "--port=80"])
  expect(await once(child, "close")).toEqual([1, null])
  expect(lines()).toEqual(['Unknown argument "--port=80": see --help.'])
})

const withoutTerminal = notLinux || !existsSync("/usr/bin/script")
if (withoutTerminal) console.log("Skipped: npm start in a terminal that closes. util-linux's script is not installed.")

test.skipIf(withoutTerminal)("stops in order when its terminal is closed", async () => {
  const log = join(mkdtempSync(join(tmpdir(), "keymoot-terminal-")), "log")
  onTestFinished(() => rmSync(dirname(log), { recursive: true }))
  const { child, lines } = start(["script", "-qec", `LOG_LEVEL=info npm start 2>${log}`, "/dev/null"])
  const shown = () => lines().flatMap((line) => line.trim() || [])
  await expect.poll(shown, { timeout: 120_000 }).toEqual(READY)
  const family = familyOf(child.pid!)
  // The terminal goes with the program that holds its other end.
  child.kill("SIGKILL")
  await once(child, "exit")
  await expect.poll(() => family.filter(runs)).toEqual([])
  expect(readFileSync(log, "utf8")).toContain('"msg":"stopped"')
})
