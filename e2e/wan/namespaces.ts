/** Network namespaces named after the process that made them, so that those of a process that is gone can be told and removed. */
import { execFileSync } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"

const PREFIX = "keymoot-lab-"
const TUN = "/dev/net/tun"

export function namespaceOf(host: string): string {
  return `${PREFIX}${process.pid}-${host}`
}

/** The missing requirement of this machine for a lab, with its remedy; null if there is none. */
export function missingForLab(): string | null {
  const lab = "A lab of several hosts"
  const missing = missingForHosts(lab, { python3: "Python 3" })
  if (missing !== null) return missing
  try {
    accessSync(TUN, constants.R_OK | constants.W_OK)
    return null
  } catch {
    return `${lab} needs ${TUN}, which this kernel or container does not give.`
  }
}

/** The same of namespaces for `whom`, which begins the sentence. @param more programs that it needs, and of what they are */
export function missingForHosts(whom: string, more: Readonly<Record<string, string>>): string | null {
  if (process.platform !== "linux") return `${whom} is made of Linux network namespaces: run it on Linux.`
  if (process.getuid?.() !== 0) return `${whom} makes network namespaces, for which it must be root.`
  for (const [program, of] of Object.entries({ ip: "iproute2", nsenter: "util-linux", ...more })) {
    if (!isInstalled(program)) return `${whom} needs ${program}: install ${of}.`
  }
  try {
    ip("netns", "list")
    return null
  } catch (error) {
    return `${whom} needs network namespaces: ${(error as Error).message}`
  }
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(`${directory}/${program}`))
}

/** @throws Error with what `ip` said */
export function ip(...args: string[]): string {
  return execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}

/** Removes the namespaces of killed processes, and kills the programs that still run inside. */
export function removeAbandoned(): void {
  for (const namespace of listed()) {
    const pid = Number(/^\d+/u.exec(namespace.slice(PREFIX.length))?.[0])
    if (isAlive(pid)) continue
    try {
      remove(namespace)
    } catch {
      // Somebody else who starts just now removes it too.
    }
  }
}

/** Nothing if it is gone already. */
export function remove(namespace: string): void {
  if (!listed().includes(namespace)) return
  for (const pid of processesIn(namespace)) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It ended by itself.
    }
  }
  ip("netns", "del", namespace)
}

/** The ids of the processes that run inside. */
export function processesIn(namespace: string): readonly number[] {
  return ip("netns", "pids", namespace).split("\n").filter(Boolean).map(Number)
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
