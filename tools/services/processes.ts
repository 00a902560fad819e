import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** Root's tests run services as the first of these that this machine has: PostgreSQL refuses to be root. */
const UNPRIVILEGED = ["postgres", "nobody"]

/** The user that `spawn` should run as and that should own the files; unchanged unless this process is root. */
export function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync("/etc/passwd", "utf8")
  for (const name of UNPRIVILEGED) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "mu").exec(users) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`Services must not run as root, and there is neither ${UNPRIVILEGED.join(" nor ")} to run them as.`)
}

/** A port of 127.0.0.1 that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once("error", fail)
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
}

const LOOK_MS = 20

/** Waits until the process takes TCP connections. @throws Error when it ends before */
export async function listening(child: ChildProcess, address: string, port: number): Promise<void> {
  while (!(await answers(address, port))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended before it was ready.`)
    await pause(LOOK_MS)
  }
}

function answers(address: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, address)
    socket.once("connect", () => {
      socket.destroy()
      done(true)
    })
    socket.once("error", () => done(false))
  })
}
