/**
 * Two hosts on one machine and a line between them, as fast as the machine or as narrow as one says. Needs root on Linux. The
 * kernel carries the packets, so that it can be measured how much goes through: a lab's router would be the limit itself.
 */
import { execFileSync } from "node:child_process"
import { DEVICE, Hosts, LabUnavailable } from "./hosts.ts"
import { ip, missingForHosts, namespaceOf, remove } from "./namespaces.ts"

/** Queue before a narrow line, as in a home router: packets that would wait longer are dropped. */
const QUEUE_MS = 50
/** Bytes that go at once after a pause, at most. */
const BURST_MAX = 32_768
/** The same for each Mbit/s. More would let a browser's probe through a narrow line as if it were wide. */
const BURST_PER_MEGABIT = 4096
/** Two packets and their headers. */
const BURST_MIN = 4096

/** The missing requirement of this machine for a line, with its remedy; null if there is none. */
export function missingForLine(): string | null {
  const line = "A line between two hosts"
  const missing = missingForHosts(line, { tc: "iproute2" })
  if (missing !== null) return missing
  // Only a trial shows which features a kernel has, or loads on demand.
  const trial = namespaceOf("trial")
  try {
    ip("netns", "add", trial)
    ip("-n", trial, "link", "add", DEVICE, "type", "veth", "peer", "name", "other")
    shape(trial, 1)
    return null
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    return `${line} needs a kernel with veth and tbf (modules veth and sch_tbf): ${(stderr ?? String(error)).trim()}`
  } finally {
    remove(trial)
  }
}

export class Line extends Hosts {
  readonly #hosts: readonly [string, string]
  #isNarrow = false

  private constructor(hosts: readonly [string, string]) {
    super(hosts)
    this.#hosts = hosts
  }

  /** Wide. @throws LabUnavailable if the machine lacks something for it */
  static start(hosts: readonly [string, string]): Line {
    const missing = missingForLine()
    if (missing !== null) throw new LabUnavailable(missing)
    const line = new Line(hosts)
    try {
      const [one, other] = hosts.map(namespaceOf) as [string, string]
      ip("link", "add", DEVICE, "netns", one, "type", "veth", "peer", "name", DEVICE, "netns", other)
      for (const host of hosts) line.connect(host)
      return line
    } catch (error) {
      line.close()
      throw error
    }
  }

  /** Either way carries so many Mbit/s, from now on. */
  narrow(megabits: number): void {
    for (const host of this.#hosts) shape(namespaceOf(host), megabits)
    this.#isNarrow = true
  }

  /** As fast as the machine, from now on. */
  widen(): void {
    if (!this.#isNarrow) return
    for (const host of this.#hosts) tc("-n", namespaceOf(host), "qdisc", "del", "dev", DEVICE, "root")
    this.#isNarrow = false
  }

  /** Ends whatever still runs on the hosts, and removes them. */
  close(): void {
    this.removeAll()
  }
}

function shape(namespace: string, megabits: number): void {
  const burst = Math.max(BURST_MIN, Math.min(BURST_MAX, megabits * BURST_PER_MEGABIT))
  const bounds = ["rate", `${megabits}mbit`, "burst", `${burst}`, "latency", `${QUEUE_MS}ms`]
  tc("-n", namespace, "qdisc", "replace", "dev", DEVICE, "root", "tbf", ...bounds)
}

/** @throws Error with what `tc` said */
function tc(...args: string[]): void {
  execFileSync("tc", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}
