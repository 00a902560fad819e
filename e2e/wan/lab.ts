/** Several hosts on one machine, and between any two of them a delay, a loss and a cut of one's choice. Needs root on Linux. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DEVICE, Hosts, LabUnavailable } from "./hosts.ts"
import { ip, missingForLab, namespaceOf } from "./namespaces.ts"

/** One way. `loss`: the part of the packets that never arrives, from 0 to 1; none unless given. */
export type Path = { readonly oneWayMs: number; readonly loss?: number }

export type LabPlan = {
  /** Up to 200; a few letters and digits each. */
  readonly hosts: readonly string[]
  readonly path: (from: string, to: string) => Path
  /** Rates of the narrow access lines, each way, by host. The others have none that matters. */
  readonly megabits?: Readonly<Record<string, number>>
  /** Seed of the losses. */
  readonly seed?: number
}

const BYTES_PER_MEGABIT = 125_000
/** Less than Ethernet's, as on a way through tunnels. */
const PACKET_BYTES = 1400
/** The device that a host gets from another one. */
const SECOND_DEVICE = "wan1"
/** Addresses that hosts get later begin with it. The router looks at the last byte only. */
const OTHER_NETWORKS = "10.77"

export class Lab extends Hosts {
  readonly #hosts: readonly string[]
  readonly #router: ChildProcess
  /** Lines of the router's output. */
  readonly #lines: AsyncIterator<string>
  readonly #paths = new Map<string, Path>()
  /** Groups that can reach each other; null: all hosts can. */
  #groups: readonly (readonly string[])[] | null = null
  /** Networks that hosts have got since the start. */
  #networks = 0

  private constructor({ hosts, path, megabits = {}, seed = 1 }: LabPlan) {
    super(hosts)
    const devices = hosts.flatMap((host, i) => [
      namespaceOf(host),
      `km${process.pid}h${i}`,
      `${(megabits[host] ?? 0) * BYTES_PER_MEGABIT}`,
    ])
    this.#hosts = hosts
    this.#router = spawn("python3", [join(import.meta.dirname, "router.py"), `${seed}`, ...devices], {
      stdio: ["pipe", "pipe", "inherit"],
      // In its own process group: a signal to this process's group must not leave the namespaces behind.
      detached: true,
    })
    this.#lines = createInterface({ input: this.#router.stdout! })[Symbol.asyncIterator]()
    for (const from of hosts) {
      for (const to of hosts) if (from !== to) this.#paths.set(`${from}>${to}`, path(from, to))
    }
  }

  /** @throws LabUnavailable if the machine lacks something for it */
  static async start(plan: LabPlan): Promise<Lab> {
    const missing = missingForLab()
    if (missing !== null) throw new LabUnavailable(missing)
    const lab = new Lab(plan)
    try {
      await lab.#begin()
      return lab
    } catch (error) {
      await lab.close()
      throw error
    }
  }

  /** In both directions, from now on. */
  async setPath(one: string, other: string, path: Path): Promise<void> {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.placeOf(from)
      this.#paths.set(`${from}>${to}`, path)
    }
    await this.#tellRouter()
  }

  /** Only members of one group reach each other, and a host that is in none reaches nobody; what is on its way is lost. */
  async cut(groups: readonly (readonly string[])[]): Promise<void> {
    for (const host of groups.flat()) this.placeOf(host)
    this.#groups = groups
    await this.#tellRouter()
  }

  async heal(): Promise<void> {
    this.#groups = null
    await this.#tellRouter()
  }

  /** The host's first network is gone, with its address. A second one takes over, if there is one. */
  leaveNetwork(host: string): void {
    this.placeOf(host)
    ip("-n", namespaceOf(host), "link", "set", DEVICE, "down")
    ip("-n", namespaceOf(host), "addr", "flush", "dev", DEVICE)
  }

  /** After `leaveNetwork`: another network, which gives the host an address that it did not have before. */
  enterNetwork(host: string): void {
    this.connect(host, `${OTHER_NETWORKS}.${++this.#networks}.${this.placeOf(host)}`)
  }

  /** The host gets a second network: the line of the host `from`, which loses it. It is the second choice. */
  addNetwork(host: string, from: string): void {
    const namespace = namespaceOf(host)
    const address = `${OTHER_NETWORKS}.${++this.#networks}.${this.placeOf(from)}`
    ip("-n", namespaceOf(from), "link", "set", DEVICE, "down")
    ip("-n", namespaceOf(from), "link", "set", DEVICE, "netns", namespace, "name", SECOND_DEVICE)
    ip("-n", namespace, "addr", "add", `${address}/24`, "dev", SECOND_DEVICE)
    ip("-n", namespace, "link", "set", SECOND_DEVICE, "up")
    ip("-n", namespace, "route", "add", "default", "dev", SECOND_DEVICE, "metric", "100")
  }

  /** Ends whatever still runs on the hosts, and removes them. */
  async close(): Promise<void> {
    const ended = this.#router.exitCode === null && this.#router.signalCode === null ? once(this.#router, "exit") : null
    this.#router.stdin!.end()
    await ended
    // If it could not any more.
    this.removeAll()
  }

  async #begin(): Promise<void> {
    await this.#hears("ready")
    for (const host of this.#hosts) {
      ip("-n", namespaceOf(host), "link", "set", DEVICE, "mtu", `${PACKET_BYTES}`)
      this.connect(host)
    }
    await this.#tellRouter()
  }

  async #tellRouter(): Promise<void> {
    const open = [...this.#paths].filter(([ends]) => this.#isOpen(ends))
    const table = open.map(([ends, { oneWayMs, loss = 0 }]) => {
      const [from, to] = ends.split(">") as [string, string]
      return [`${this.placeOf(from)}>${this.placeOf(to)}`, [oneWayMs, loss]] as const
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
