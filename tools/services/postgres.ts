import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { freePort, unprivileged } from "./processes.ts"
import { findService, howToInstall } from "./services.ts"

const USER = "keymoot"
const READY = "database system is ready to accept connections"

/** A PostgreSQL of its own, on 127.0.0.1, without a password, in a directory that goes away with it. */
export interface Postgres {
  /** Makes an empty database and answers its `postgres://` URL. */
  freshDatabase(): string
  /** As an outage would: at once. */
  kill(): Promise<void>
  /** Again after `kill`, on the same port and with the same data. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** @throws Error when it is not installed or does not start */
export async function startPostgres(): Promise<Postgres> {
  const program = findService("postgres")
  if (program === null) throw new Error(howToInstall("postgres"))
  const bin = dirname(realpathSync(program))
  const user = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), "keymoot-postgres-"))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, "data")
  const run = (name: string, args: readonly string[]) =>
    execFileSync(join(bin, name), args, { ...user, cwd: directory, stdio: "pipe", encoding: "utf8" })
  run("initdb", ["--pgdata", data, "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-sync"])

  const port = await freePort()
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${directory}`, "fsync=off"]
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]
  const launch = () => launched(spawn(program, args, { ...user, cwd: directory, stdio: ["ignore", "ignore", "pipe"] }))
  let child = await launch()
  // Stops it when this process ends without doing so.
  const killAtExit = () => void child.kill("SIGKILL")
  process.once("exit", killAtExit)

  let databases = 0
  return {
    freshDatabase: () => {
      databases += 1
      const name = `test_${databases}`
      run("createdb", ["--host", "127.0.0.1", "--port", String(port), "--username", USER, name])
      return `postgres://${USER}@127.0.0.1:${port}/${name}`
    },
    // SIGQUIT: the children end too and nothing is written back.
    kill: () => end(child, "SIGQUIT"),
    start: async () => {
      child = await launch()
    },
    stop: async () => {
      process.off("exit", killAtExit)
      await end(child, "SIGQUIT")
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill(signal)
  await exit
}

/** Waits until it answers. */
function launched(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((done, fail) => {
    let said = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      if (said.includes(READY)) return
      said += chunk.toString()
      if (said.includes(READY)) done(child)
    })
    child.once("error", fail)
    child.once("exit", () => fail(new Error(`PostgreSQL ended: ${said}`)))
  })
}
