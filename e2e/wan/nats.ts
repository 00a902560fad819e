/** Kinds of NAT by what they do to UDP (RFC 4787), as rules for nftables. */

export const NATS = ["none", "port-preserving", "port-restricted", "random-port", "udp-blocked"] as const

/**
 * - `none`: the host has a public address.
 * - `port-preserving`: one public port for a host's port, whatever its peer. Takes packets from anybody to such a port
 *   ("full cone").
 * - `port-restricted`: the same mapping. Takes packets only from where the host has sent one.
 * - `random-port`: a public port of its own for each peer, at random ("symmetric"). Filters like `port-restricted`.
 * - `udp-blocked`: `port-restricted` for TCP, and no UDP at all.
 */
export type Nat = (typeof NATS)[number]

/** Devices of a gateway, and the address of the host behind it. */
export interface Gateway {
  readonly outside: string
  readonly inside: string
  readonly host: string
}

/** How long a port stays open for anybody. Longer than a measurement. */
const MAPPED_FOR = "10m"

/** The input of `nft -f` for the gateway of a NAT; empty without one. */
export function rulesOf(nat: Nat, { outside, inside, host }: Gateway): string {
  if (nat === "none") return ""
  const masquerade = nat === "random-port" ? "masquerade fully-random" : "masquerade"
  const isOpen = nat === "port-preserving"
  const note = isOpen ? [`oifname ${outside} meta l4proto udp update @mapped { udp sport }`] : []
  const open = isOpen ? [`iifname ${outside} udp dport @mapped dnat to ${host}`] : []
  const blocked = nat === "udp-blocked" ? [`iifname ${inside} meta l4proto udp drop`] : []
  return table([
    `set mapped { type inet_service; flags dynamic,timeout; timeout ${MAPPED_FOR}; }`,
    chain("destination", "nat hook prerouting priority dstnat", open),
    chain("source", "nat hook postrouting priority srcnat", [...note, `oifname ${outside} ${masquerade}`]),
    // A peer's packet may come before the hole is punched. It must not become a connection of the gateway itself: that
    // would take the port, and the host's own packet would get another one.
    chain("entrance", "filter hook input priority filter", [`iifname ${outside} ct state new drop`]),
    chain("passage", "filter hook forward priority filter", [
      ...blocked,
      "ct status dnat accept",
      `iifname ${outside} ct state new drop`,
    ]),
  ])
}

function table(parts: readonly string[]): string {
  return ["table ip nat {", ...parts, "}", ""].join("\n")
}

function chain(name: string, hook: string, rules: readonly string[]): string {
  return [`chain ${name} {`, `type ${hook};`, ...rules, "}"].join("\n")
}
