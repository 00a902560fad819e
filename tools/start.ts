/** `npm start`: builds the page quietly, then runs the server in this process. */
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const WEB = join(import.meta.dirname, "../apps/web")
const SERVER = new URL("../apps/signaling/src/main.ts", import.meta.url)
/** How often this process checks that its parent is still there. */
const PARENT_CHECK_MS = 250
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** null without the development dependencies. */
function findVite(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js")
  } catch {
    return null
  }
}

/** Shows what the build printed only if it failed. @returns its exit code */
async function build(vite: string): Promise<number> {
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: WEB })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => printed.push(chunk))
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  const code = await new Promise<number>((ended) => child.on("close", (exit) => ended(exit ?? 1)))
  for (const signal of SIGNALS) process.off(signal, stop)
  if (code !== 0) process.stderr.write(Buffer.concat(printed))
  return code
}

/**
 * npm passes SIGINT and SIGTERM on, since `exec` in package.json leaves no shell between. It ends of any other signal
 * without passing it on, which would leave this process behind.
 */
function endWithParent(): void {
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    process.kill(process.pid, "SIGTERM")
  }, PARENT_CHECK_MS).unref()
}

/** @returns the exit code; 0 while the server runs */
async function start(): Promise<number> {
  const vite = findVite()
  if (vite === null) {
    process.stderr.write('The page cannot be built without Vite: run "npm ci", without --omit=dev.\n')
    return 1
  }
  process.stdout.write("Building the page. This takes some seconds.\n")
  const code = await build(vite)
  if (code !== 0) {
    process.stderr.write("The page could not be built. The messages above say why.\n")
    return code
  }
  // A terminal is for people; a log of starts and stops is for those who set LOG_LEVEL.
  process.env["LOG_LEVEL"] ??= "warn"
  await import(SERVER.href)
  // A server that could not start has said why, and set another exit code.
  if ((process.exitCode ?? 0) === 0) process.stdout.write("Press Ctrl+C to stop it.\n")
  return Number(process.exitCode ?? 0)
}

if (process.argv.length > 2) {
  // The server knows the settings, and refuses other arguments. Nothing is built before.
  if (process.argv[2] === "--help") process.stdout.write("Usage: [NAME=value ...] npm start\n\n")
  await import(SERVER.href)
} else {
  endWithParent()
  process.exitCode = await start()
}
