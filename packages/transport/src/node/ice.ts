import type { NativeIceServer } from "./native.ts"

/** Only UDP: libdatachannel's ICE agent has no other path to a TURN server. */
const SERVER_URL =
  /^(?<scheme>stun|turn):(?:\[(?<v6>[^\]]+)\]|(?<host>[^:?]+))(?::(?<port>\d+))?(?:\?transport=udp)?$/iu
const PORT = 3478

/** Leaves out servers that cannot be used. A member that hides its address asks no STUN server. */
export function toNativeServers(servers: readonly RTCIceServer[], policy: RTCIceTransportPolicy): NativeIceServer[] {
  return servers.flatMap(({ urls, username, credential }) =>
    (typeof urls === "string" ? [urls] : urls).flatMap((url): NativeIceServer[] => {
      const { scheme, v6, host, port } = SERVER_URL.exec(url)?.groups ?? {}
      const hostname = v6 ?? host
      if (hostname === undefined) return []
      const address = { hostname, port: port === undefined ? PORT : Number(port) }
      if (scheme!.toLowerCase() === "stun") return policy === "relay" ? [] : [address]
      if (username === undefined || credential === undefined) return []
      return [{ ...address, username, password: credential, relayType: "TurnUdp" }]
    }),
  )
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)$/iu
/** libdatachannel splits at any white space, also at tabs and breaks, so nothing but single spaces may separate. */
const CANDIDATE = /^candidate:[!-~]+ \d{1,5} [a-z]+ \d{1,10} ([!-~]+) \d{1,5} typ [a-z]+(?: [!-~]+)*$/iu

/**
 * The IP address of a candidate. Null if it is a name, or if libdatachannel could read another address. It would start
 * a thread for each name and ask the resolver, so a peer could have it look up anything.
 */
export function candidateAddress(candidate: string): string | null {
  const address = CANDIDATE.exec(candidate)?.[1] ?? ""
  return ADDRESS.test(address) ? address : null
}

/**
 * Lines of printable ASCII that all have an end. JavaScript also ends lines where libdatachannel does not. A line with
 * another character, or without an end, could pass the checks here and mean something else there.
 */
const PLAIN_LINES = /^(?:[ -~]*\r?\n)+$/u

/**
 * Whether a description has data channels and nothing else. Anything else would reach the parsers of media, which
 * members in Node have no use for.
 */
export function isDataOnly(sdp: string): boolean {
  const media = sdp.match(/^m=.*$/gmu) ?? []
  return PLAIN_LINES.test(sdp) && media.length === 1 && media[0]!.startsWith("m=application ")
}

/**
 * Takes the candidates out of a description that has passed `isDataOnly`. They pass the same checks as those that
 * follow it. Without their end, libdatachannel could find that it has no pair left before it has added them.
 */
export function splitCandidates(sdp: string): { readonly description: string; readonly candidates: readonly string[] } {
  const candidates = sdp.match(/^a=candidate:.*$/gmu)?.map((line) => line.slice(2).trimEnd()) ?? []
  return { description: sdp.replace(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gmu, ""), candidates }
}
