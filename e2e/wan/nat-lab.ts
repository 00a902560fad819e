/**
 * A public network with servers, and hosts behind gateways of their own that do NAT, on one machine. Needs root on Linux. The kernel carries
 * the packets and does the NAT (conntrack), as in most home routers.
 */
import { execFileSync } from "node:child_process"
import { DEVICE, Hosts, LabUnavailable } from "./hosts.ts"
import { ip, missingForHosts, namespaceOf, remove } from "./namespaces.ts"
import { type Gateway, type Nat, rulesOf } from "./nats.ts"

/** The namespace with the bridge that joins servers and gateways. */
const PUBLIC = "public"
const BRIDGE = "bridge"
/** A gateway's device towards its host. */
const INSIDE = "lan0"

export type NatPlan = {
  /** Names of hosts with public addresses. */
  readonly servers: readonly string[]
  /** Names of the others, with their NATs. */
  readonly homes: Readonly<Record<string, Nat>>
}

/** The missing requirement of this machine for NATs, with its remedy; null if there is none. */
export function missingForNat(): string | null {
  const lab = "A lab with NATs"
  const missing = missingForHosts(lab, { nft: "nftables" })
  if (missing !== null) return missing
  // Only a trial shows which features a kernel has, or loads on demand.
  const trial = namespaceOf("trial")
  try {
    ip("netns", "add", trial)
    ip("-n", trial, "link", "add", BRIDGE, "type", "bridge")
    ip("-n", trial, "link", "add", DEVICE, "type", "veth", "peer", "name", "other")
    const gateway = { outside: DEVICE, inside: INSIDE, host: "192.0.2.1" }
    for (const nat of ["port-preserving", "random-port"] as const) load(trial, rulesOf(nat, gateway))
    return null
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    return `${lab} needs a kernel with veth, bridges and NAT by nftables: ${(stderr ?? String(error)).trim()}`
  } finally {
    remove(trial)
  }
}

export class NatLab extends Hosts {
  private constructor({ servers, homes }: NatPlan) {
    const hosts = Object.keys(homes)
    super([PUBLIC, ...servers, ...hosts.map(gatewayOf), ...hosts])
  }

  /** @throws LabUnavailable if the machine lacks something for it */
  static start(plan: NatPlan): NatLab {
    const missing = missingForNat()
    if (missing !== null) throw new LabUnavailable(missing)
    const lab = new NatLab(plan)
    try {
      lab.#join(plan)
      return lab
    } catch (error) {
      lab.close()
      throw error
    }
  }

  /** Ends whatever still runs on the hosts, and removes them. */
  close(): void {
    this.removeAll()
  }

  #join({ servers, homes }: NatPlan): void {
    const open = namespaceOf(PUBLIC)
    ip("-n", open, "link", "add", BRIDGE, "type", "bridge")
    ip("-n", open, "link", "set", BRIDGE, "up")
    const hosts = Object.keys(homes)
    const inPublic = [...servers, ...hosts.map(gatewayOf)]
    for (const host of inPublic) this.#plugIn(host)
    for (const [number, host] of hosts.entries()) this.#moveIn(host, homes[host]!, `10.78.${number}`, inPublic)
  }

  /** A cable from the host to the bridge. */
  #plugIn(host: string): void {
    const open = namespaceOf(PUBLIC)
    const port = `to-${host}`
    ip("link", "add", port, "netns", open, "type", "veth", "peer", "name", DEVICE, "netns", namespaceOf(host))
    ip("-n", open, "link", "set", port, "master", BRIDGE, "up")
    this.connect(host)
  }

  /** The host gets a network of its own behind its gateway. @param network without the last byte */
  #moveIn(host: string, nat: Nat, network: string, inPublic: readonly string[]): void {
    const [home, gateway] = [namespaceOf(host), namespaceOf(gatewayOf(host))]
    const [address, inside] = [`${network}.2`, `${network}.1`]
    ip("link", "add", INSIDE, "netns", gateway, "type", "veth", "peer", "name", DEVICE, "netns", home)
    ip("-n", gateway, "addr", "add", `${inside}/24`, "dev", INSIDE)
    ip("-n", gateway, "link", "set", INSIDE, "up")
    this.connect(host, address, inside)
    const [enter, ...before] = this.on(gatewayOf(host))
    execFileSync(enter, [...before, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"])
    load(gateway, rulesOf(nat, { outside: DEVICE, inside: INSIDE, host: address } satisfies Gateway))
    if (nat !== "none") return
    const via = this.address(gatewayOf(host))
    for (const other of inPublic.filter((name) => name !== gatewayOf(host)))
      ip("-n", namespaceOf(other), "route", "add", `${network}.0/24`, "via", via)
  }
}

function gatewayOf(host: string): string {
  return `gate${host}`
}

/** @throws Error with what `nft` said */
function load(namespace: string, rules: string): void {
  const inside = ["netns", "exec", namespace, "nft", "-f", "-"]
  execFileSync("ip", inside, { input: `flush ruleset\n${rules}`, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] })
}
