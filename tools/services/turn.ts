import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./processes.ts"
import { findService, howToInstall } from "./services.ts"

const CONFIGURATION = join(import.meta.dirname, "../../deploy/coturn/turnserver.conf")

/** A coturn of its own with the configuration of deploy/. */
export interface TurnServer {
  readonly url: string
  readonly secret: string
  /** Its log of sessions so far. */
  log(): string
  stop(): Promise<void>
}

/** A host of a lab for coturn. */
export interface TurnPlace {
  readonly address: string
  /** The beginning of its command line. */
  readonly before: readonly string[]
  /** Private addresses that it may relay to, as coturn writes a range. */
  readonly peers: string
}

/**
 * Listens on an address of this machine that others could reach, because browsers send nothing from such an address to
 * loopback. It uses loopback if there is no other.
 *
 * @param place Default: this machine.
 * @throws Error when coturn is not installed or does not start
 */
export async function startTurn(place?: TurnPlace): Promise<TurnServer> {
  const program = findService("turnserver")
  if (program === null) throw new Error(howToInstall("turnserver"))
  const directory = mkdtempSync(join(tmpdir(), "keymoot-turn-"))
  const port = await freePort()
  const address = place?.address ?? ownAddress()
  const secret = "only-for-a-test-of-this-machine"
  const configuration = join(directory, "turnserver.conf")
  // Not an argument, which every user of the machine can read.
  const text = `${readFileSync(CONFIGURATION, "utf8")}\nstatic-auth-secret=${secret}\n`
  writeFileSync(configuration, text, { mode: 0o600 })
  const files = { "--pidfile": join(directory, "pid"), "--userdb": join(directory, "db") }
  const listener = { "--listening-ip": address, "--relay-ip": address, "--listening-port": String(port) }
  const rules = { "--allowed-peer-ip": place?.peers ?? address, "--realm": "keymoot" }
  const args = ["-c", configuration, ...Object.entries({ ...files, ...listener, ...rules }).flat()]
  args.push("--no-tls", "--no-dtls", "--verbose", "--log-file", "stdout", "--simple-log")
  if (address === LOOPBACK) args.push("--allow-loopback-peers")
  const [command, ...before] = [...(place?.before ?? []), program]
  const child = spawn(command!, [...before, ...args], { cwd: directory, stdio: ["ignore", "pipe", "pipe"] })
  const ended = once(child, "exit")
  // Stops it when this process ends without doing so.
  const killAtExit = () => void child.kill("SIGKILL")
  process.once("exit", killAtExit)
  let log = ""
  await new Promise<void>((ready, fail) => {
    const take = (chunk: Buffer) => {
      log += chunk.toString()
      // The last listener that it opens. Its address may be out of reach from here.
      if (log.includes(`UDP listener opened on: ${address}:${port}`)) ready()
    }
    for (const output of [child.stdout, child.stderr]) output.on("data", take)
    void ended.then(() => fail(new Error("coturn ended before it was ready.")))
  })
  return {
    url: `turn:${address}:${port}?transport=udp`,
    secret,
    log: () => log,
    stop: async () => {
      process.off("exit", killAtExit)
      child.kill("SIGKILL")
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const LOOPBACK = "127.0.0.1"

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ internal, family }) => !internal && family === "IPv4")?.address ?? LOOPBACK
}
