/** Network namespaces named after the process that made them, so that those of a process that is gone can be told and removed. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"

const PREFIX = "keymoot-lab-"
const TUN = "/dev/net/tun"

export function namespaceOf(host: string): string {
  return `${PREFIX}${process.pid}-${host}`
}

/** What this machine lacks for a lab, in words that say what to do; null if nothing. */
export function missingForLab(): string | null {
  if (process.platform !== "linux")
    return "A lab of several hosts is made of Linux network namespaces: run it on Linux."
  if (process.getuid?.() !== 0) return "A lab of several hosts makes network namespaces, for which it must be root."
  for (const [program, of] of [
    ["ip", "iproute2"],
    ["nsenter", "util-linux"],
    ["python3", "Python 3"],
  ] as const) {
    if (!isInstalled(program)) return `A lab of several hosts needs ${program}: install ${of}.`
  }
  try {
    accessSync(TUN, constants.R_OK | constants.W_OK)
  } catch {
    return `A lab of several hosts needs ${TUN}, which this kernel or container does not give.`
  }
  try {
    ip("netns", "list")
  } catch (error) {
    return `A lab of several hosts needs network namespaces: ${(error as Error).message}`
  }
  return null
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(`${directory}/${program}`))
}

/** @throws Error with what `ip` said */
export function ip(...args: string[]): string {
  return execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}

/** Of processes that were killed before they could remove them; what still runs inside goes too. */
export function removeAbandoned(): void {
  for (const namespace of listed()) {
    const pid = Number(/^\d+/u.exec(namespace.slice(PREFIX.length))?.[0])
    if (!isAlive(pid)) remove(namespace)
  }
}

/** Nothing if it is gone already. */
export function remove(namespace: string): void {
  if (!listed().includes(namespace)) return
  for (const pid of ip("netns", "pids", namespace).split("\n").filter(Boolean)) {
    try {
      process.kill(Number(pid), "SIGKILL")
    } catch {
      // It ended by itself.
    }
  }
  ip("netns", "del", namespace)
}

function listed(): readonly string[] {
  // A line may go on with " (id: 0)".
  const names = ip("netns", "list")
    .split("\n")
    .map((line) => line.split(" ")[0]!)
  return names.filter((name) => name.startsWith(PREFIX))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
