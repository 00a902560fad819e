import type { IncomingMessage } from "node:http"
import { isIPv4, isIPv6 } from "node:net"

/** The fields of a Socket.IO handshake or a Node request that name its origin. */
interface Origin {
  /** The other end of the TCP connection. */
  readonly address: string | undefined
  readonly forwardedFor: string | undefined
}

/**
 * The key under which requests are counted: an IPv4 address, or an IPv6 network of 64 bits. A single IPv6 host can use
 * as many addresses of its network as it likes.
 * @param trustedProxies how many entries at the end of `X-Forwarded-For` our proxies wrote; a client can forge the
 * entries before them
 */
export function networkAddress({ address, forwardedFor }: Origin, trustedProxies: number): string {
  const forwarded = (forwardedFor ?? "").split(",").map((part) => part.trim())
  // A missing or malformed entry counts against the proxy, so a wrong TRUST_PROXY cannot evade the limits.
  const claimed = trustedProxies > 0 ? networkOf(forwarded.at(-trustedProxies) ?? "") : undefined
  return claimed ?? networkOf(address ?? "") ?? "unknown"
}

/** The same for a request. */
export function addressOfRequest({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = headers["x-forwarded-for"]?.toString()
  return networkAddress({ address: socket.remoteAddress, forwardedFor }, trustedProxies)
}

function networkOf(address: string): string | undefined {
  const bytes = addressBytes(address)
  if (bytes === undefined) return undefined
  return bytes.length === 4 ? bytes.join(".") : `${groupsOf(bytes).slice(0, 4).join(":")}::/64`
}

function groupsOf(bytes: Uint8Array): string[] {
  return Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16))
}

/**
 * The 4 bytes of an IPv4 address, or the 16 of an IPv6 address, whose zone is ignored. A socket for both families
 * reports an IPv4 address as `::ffff:192.0.2.1`: that gives the 4 bytes. undefined for any other text.
 */
export function addressBytes(address: string): Uint8Array | undefined {
  const bare = address.startsWith(MAPPED_PREFIX) ? address.slice(MAPPED_PREFIX.length) : address
  if (isIPv4(bare)) return Uint8Array.from(bare.split("."), Number)
  if (!isIPv6(address)) return undefined
  // The URL parser normalizes every notation of an address.
  const [head = "", tail = ""] = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1).split("::")
  const [left = [], right = []] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0")
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
  const isMapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:65535"
  return isMapped ? bytes.slice(12) : bytes
}

/** IPv4 addresses mapped into IPv6, as the system writes them. Other notations take the longer way. */
const MAPPED_PREFIX = "::ffff:"
