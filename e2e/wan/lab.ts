/**
 * Several hosts on one machine, each with a network of its own, and between any two of them a delay, a loss and a cut of one's
 * choice. Programs run on a host unchanged, browsers and their WebRTC included. Needs root on Linux.
 */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { ip, missingForLab, namespaceOf, remove, removeAbandoned } from "./namespaces.ts"

/** One way. `loss`: the part of the packets that never arrives, from 0 to 1; none unless given. */
export type Path = { readonly oneWayMs: number; readonly loss?: number }

export type LabPlan = {
  /** Up to 200; a few letters and digits each. */
  readonly hosts: readonly string[]
  readonly path: (from: string, to: string) => Path
  /** Of the losses. */
  readonly seed?: number
}

/**
 * What a Chromium on a host is not to do: hide its addresses behind names that only one's own network segment can resolve (in the
 * world a STUN server tells them), nor keep a page that did not come over the lab, but from a test, from opening WebSockets to
 * a server in it: Socket.IO would fall back to polling without a word, and every connection take two round trips more.
 */
export const LAB_FEATURES =
  "--disable-features=WebRtcHideLocalIpsWithMdns,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"

/** What this machine lacks, and what to do. */
export class LabUnavailable extends Error {}

const NETWORK = "10.77.0"
const HOSTS_MAX = 200
/** Less than Ethernet's, as on a way through tunnels. */
const PACKET_BYTES = 1400

export class Lab {
  readonly #hosts: readonly string[]
  readonly #router: ChildProcess
  /** Of what the router says. */
  readonly #lines: AsyncIterator<string>
  readonly #scripts = mkdtempSync(join(tmpdir(), "keymoot-lab-"))
  readonly #paths = new Map<string, Path>()
  /** Who can reach each other; null: everybody. */
  #groups: readonly (readonly string[])[] | null = null

  private constructor(plan: LabPlan, router: ChildProcess) {
    this.#hosts = plan.hosts
    this.#router = router
    this.#lines = createInterface({ input: router.stdout! })[Symbol.asyncIterator]()
    for (const from of plan.hosts) {
      for (const to of plan.hosts) if (from !== to) this.#paths.set(`${from}>${to}`, plan.path(from, to))
    }
  }

  /**
   * One at a time in a process.
   *
   * @throws LabUnavailable if the machine lacks something for it
   */
  static async start(plan: LabPlan): Promise<Lab> {
    const missing = missingForLab()
    if (missing !== null) throw new LabUnavailable(missing)
    const { hosts, seed = 1 } = plan
    if (hosts.length > HOSTS_MAX || !hosts.every((host) => /^[a-z0-9]{1,12}$/u.test(host)))
      throw new RangeError(`up to ${HOSTS_MAX} hosts of up to 12 small letters and digits, not ${hosts.join(", ")}`)
    removeAbandoned()
    for (const host of hosts) ip("netns", "add", namespaceOf(host))
    const devices = hosts.flatMap((host, i) => [namespaceOf(host), `km${process.pid}h${i}`])
    const router = spawn("python3", [join(import.meta.dirname, "router.py"), `${seed}`, ...devices], {
      stdio: ["pipe", "pipe", "inherit"],
      // Of its own group: what ends this process's group is not to leave the namespaces behind.
      detached: true,
    })
    const lab = new Lab(plan, router)
    try {
      await lab.#hears("ready")
      for (const host of hosts) lab.#connect(host)
      await lab.#tellRouter()
      return lab
    } catch (error) {
      await lab.close()
      throw error
    }
  }

  /** The host's only address that others reach. */
  address(host: string): string {
    return `${NETWORK}.${this.#placeOf(host)}`
  }

  /** What a command line begins with, so that the program runs on that host. */
  on(host: string): readonly [string, ...string[]] {
    this.#placeOf(host)
    return ["nsenter", `--net=/run/netns/${namespaceOf(host)}`]
  }

  /** The path of a script that starts the program on that host: for those who take a path only. */
  executableOn(host: string, program: string): string {
    const path = join(this.#scripts, `${host}-${program.replaceAll("/", "-")}`)
    writeFileSync(path, `#!/bin/sh\nexec ${this.on(host).join(" ")} ${program} "$@"\n`)
    chmodSync(path, 0o700)
    return path
  }

  /** In both directions, from now on. */
  async setPath(one: string, other: string, path: Path): Promise<void> {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.#placeOf(from)
      this.#paths.set(`${from}>${to}`, path)
    }
    await this.#tellRouter()
  }

  /** Only members of one group reach each other, and a host that is in none reaches nobody; what is on its way is lost. */
  async cut(groups: readonly (readonly string[])[]): Promise<void> {
    for (const host of groups.flat()) this.#placeOf(host)
    this.#groups = groups
    await this.#tellRouter()
  }

  async heal(): Promise<void> {
    this.#groups = null
    await this.#tellRouter()
  }

  /** Ends whatever still runs on the hosts, and removes them. */
  async close(): Promise<void> {
    const ended = this.#router.exitCode === null && this.#router.signalCode === null ? once(this.#router, "exit") : null
    this.#router.stdin!.end()
    await ended
    // If it could not any more.
    for (const host of this.#hosts) remove(namespaceOf(host))
    rmSync(this.#scripts, { recursive: true, force: true })
  }

  #connect(host: string): void {
    const namespace = namespaceOf(host)
    ip("-n", namespace, "link", "set", "lo", "up")
    ip("-n", namespace, "addr", "add", `${this.address(host)}/24`, "dev", "wan0")
    ip("-n", namespace, "link", "set", "wan0", "mtu", `${PACKET_BYTES}`, "up")
    // A browser takes for its own address the one from which it would reach the rest of the world.
    ip("-n", namespace, "route", "add", "default", "dev", "wan0")
  }

  #placeOf(host: string): number {
    const place = this.#hosts.indexOf(host)
    if (place < 0) throw new RangeError(`there is no host ${host}: there are ${this.#hosts.join(", ")}`)
    return place + 1
  }

  async #tellRouter(): Promise<void> {
    const open = [...this.#paths].filter(([ends]) => this.#isOpen(ends))
    const table = open.map(([ends, { oneWayMs, loss = 0 }]) => {
      const [from, to] = ends.split(">") as [string, string]
      return [`${this.#placeOf(from)}>${this.#placeOf(to)}`, [oneWayMs, loss]] as const
    })
    this.#router.stdin!.write(`${JSON.stringify(Object.fromEntries(table))}\n`)
    await this.#hears("done")
  }

  #isOpen(ends: string): boolean {
    const both = ends.split(">")
    return this.#groups === null || this.#groups.some((group) => both.every((host) => group.includes(host)))
  }

  async #hears(word: string): Promise<void> {
    const { value } = (await this.#lines.next()) as { value?: string }
    if (value !== word) throw new Error(`The lab's router ended: its reason stands above.`)
  }
}
