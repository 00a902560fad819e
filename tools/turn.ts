import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, listening } from "./processes.ts"
import { findService, howToInstall } from "./services.ts"

const CONFIGURATION = join(import.meta.dirname, "../deploy/coturn/turnserver.conf")

/** A coturn of its own with the configuration of deploy/. */
export interface TurnServer {
  readonly url: string
  readonly secret: string
  /** What it has said about sessions so far. */
  log(): string
  stop(): Promise<void>
}

/**
 * On an address of this machine that others could reach, since browsers send nothing from such an address to loopback;
 * on loopback where there is no other.
 * @throws Error when coturn is not installed or does not start
 */
export async function startTurn(): Promise<TurnServer> {
  const program = findService("turnserver")
  if (program === null) throw new Error(howToInstall("turnserver"))
  const directory = mkdtempSync(join(tmpdir(), "keymoot-turn-"))
  const port = await freePort()
  const address = ownAddress()
  const secret = "only for a test of this machine"
  const files = { "--pidfile": join(directory, "pid"), "--userdb": join(directory, "db") }
  const place = { "--listening-ip": address, "--relay-ip": address, "--listening-port": String(port) }
  const rules = { "--allowed-peer-ip": address, "--static-auth-secret": secret, "--realm": "keymoot" }
  const args = ["-c", CONFIGURATION, ...Object.entries({ ...files, ...place, ...rules }).flat()]
  args.push("--no-tls", "--no-dtls", "--verbose", "--log-file", "stdout", "--simple-log")
  if (address === LOOPBACK) args.push("--allow-loopback-peers")
  const child = spawn(program, args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] })
  const ended = once(child, "exit")
  // Whoever ends without stopping it must not leave it running.
  const killAtExit = () => void child.kill("SIGKILL")
  process.once("exit", killAtExit)
  let log = ""
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (log += chunk.toString()))
  await listening(child, address, port)
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
