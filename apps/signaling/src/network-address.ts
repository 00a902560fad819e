import { isIPv4, isIPv6 } from "node:net"

/** What Socket.IO keeps of a handshake, and Node of a request. */
interface Origin {
  /** The other end of the TCP connection. */
  readonly address: string | undefined
  readonly forwardedFor: string | undefined
}

/**
 * Whom to count requests against: an IPv4 address, or an IPv6 network of 64 bits, since each of its hosts has as many
 * addresses as it likes.
 * @param trustedProxies how many at the end of `X-Forwarded-For` were written by proxies of ours; what stands before, anybody
 * can write
 */
export function networkAddress({ address, forwardedFor }: Origin, trustedProxies: number): string {
  const forwarded = (forwardedFor ?? "").split(",").map((part) => part.trim())
  // A missing or malformed entry counts against the proxy: a wrong TRUST_PROXY opens nothing.
  const claimed = trustedProxies > 0 ? networkOf(forwarded.at(-trustedProxies) ?? "") : undefined
  return claimed ?? networkOf(address ?? "") ?? "unknown"
}

function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address.split("%", 1)[0] ?? "")
  const mapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff"
  if (!mapped) return `${groups.slice(0, 4).join(":")}::/64`
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join(".")
}

/** All eight, without leading zeros. The URL parser brings every way of writing an address to one. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const [left, right] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== ""))
  if (left === undefined || right === undefined) return []
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => "0"), ...right]
}
