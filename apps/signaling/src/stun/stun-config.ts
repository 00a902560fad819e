/** The embedded STUN server by the settings, and the URLs that the server announces for it. */
import { stunUrl } from "@keymoot/transport/signaling-protocol"
import * as v from "valibot"
import { StartError } from "../start-error.ts"

/** Listens on every address of the machine, of both families. */
export const EVERY_ADDRESS = "::"
export const STUN_PORT_DEFAULT = 3478

/** The embedded STUN server. */
export interface StunConfig {
  /** UDP; 0 takes a free one. */
  readonly port: number
  /** The address to listen on; `::` for every one. */
  readonly host: string
  /** Names and addresses of this machine, as in a URL. Each is announced with the port, unless there is a `url`. */
  readonly names: readonly string[]
  /** A `stun:` URL. */
  readonly url?: string
}

/** The operator's settings that decide. */
export interface StunSettings {
  /** The address that the server listens on. */
  readonly host: string
  readonly publicOrigins: readonly string[]
  /** `off`: there is no embedded STUN server. */
  readonly port?: number | "off"
  readonly url?: string
  /** There are STUN servers of the operator's choice, or TURN servers, which answer STUN, too. */
  readonly hasOthers: boolean
}

/**
 * The embedded STUN server by the operator's settings; undefined for none. By default it is on if others can reach the
 * server. It is off if there is another STUN or TURN server, which often has the same port of the same machine.
 * @throws StartError if settings contradict each other
 */
export function planStun({ host, publicOrigins, port, url, hasOthers }: StunSettings): StunConfig | undefined {
  if (port === "off") {
    if (url === undefined) return undefined
    throw new StartError("STUN_URL is the URL of the server's own STUN, which STUN_PORT switches off: set STUN_URLS.")
  }
  const isAsked = port !== undefined || url !== undefined
  const names = namesOf(host, publicOrigins)
  const isReachable = names.some((name) => !isLoopback(name))
  if (!isAsked && (hasOthers || !isReachable)) return undefined
  if (url === undefined && names.length === 0)
    throw new StartError("STUN_PORT needs PUBLIC_ORIGIN or STUN_URL: clients need the address of the server.")
  // A proxy on this machine brings the rest. It cannot bring UDP.
  const listensOn = isLoopback(host) && (isReachable || url !== undefined) ? EVERY_ADDRESS : host
  return { port: port ?? STUN_PORT_DEFAULT, host: listensOn, names, ...(url !== undefined && { url }) }
}

/** The URLs to announce. @param port the one that the server listens on, null if it has none */
export function stunUrlsOf({ names, url }: StunConfig, port: number | null): readonly string[] {
  if (port === null) return []
  return url === undefined ? names.map((name) => `stun:${name}:${port}`) : [url]
}

const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", EVERY_ADDRESS])

/** Leaves out names that cannot stand in a `stun:` URL, such as IPv6 addresses with a zone. */
function namesOf(host: string, publicOrigins: readonly string[]): readonly string[] {
  const names = new Set(publicOrigins.map((origin) => new URL(origin).hostname))
  if (names.size === 0 && !EVERYWHERE.has(host)) names.add(host.includes(":") ? `[${host}]` : host)
  return [...names].filter((name) => v.is(stunUrl, `stun:${name}:${STUN_PORT_DEFAULT}`))
}

/** @param name with or without the brackets of IPv6 */
function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[?::1\]?)$/u.test(name)
}
