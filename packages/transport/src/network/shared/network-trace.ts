/** Trace events of the network, derived from the outputs of the mesh and from the states of its connections. */
import type { MemberId } from "../../members/ids.ts"
import type { DeclaredEvent, TraceLevel } from "../../trace/declared-event.ts"
import type { LinkPath, MeshOutput, SecurityCode } from "./config.ts"

/** How the frames of one connection travel. */
type Carrier = "webrtc" | "server"

export type NetworkEvent = DeclaredEvent<
  "network",
  {
    "connection-opened": { member: MemberId; carrier: Carrier; attempt: number }
    "connection-up": { member: MemberId; carrier: Carrier; attempt: number }
    "connection-ended": { member: MemberId; carrier: Carrier; attempt: number; reason: EndReason }
    "link-up": { member: MemberId; incarnation: number }
    "link-down": { member: MemberId; reason: EndReason }
    path: { member: MemberId; path: LinkPath }
    server: { state: "up" | "down" }
    "other-versions": { count: number }
    superseded: Record<never, never>
    security: { code: SecurityCode; member: MemberId | null }
  }
>

type ConnectionFacts = {
  readonly peer: { readonly member: MemberId }
  readonly carrier: { readonly type: Carrier }
  readonly attempt: number
}
type ConnectionChange =
  | { readonly event: "connection-opened" | "connection-up" }
  | { readonly event: "connection-ended"; readonly reason: string }

type Ids<Name extends NetworkEvent["event"]> = Extract<NetworkEvent, { readonly event: Name }>["ids"]

function eventOf<Name extends NetworkEvent["event"]>(level: TraceLevel, event: Name, ids: Ids<Name>): NetworkEvent {
  return { level, layer: "network", event, ids } as NetworkEvent
}

export function connectionEvent(
  { peer: { member }, carrier: { type: carrier }, attempt }: ConnectionFacts,
  change: ConnectionChange,
): NetworkEvent {
  const ids = { member, carrier, attempt }
  if (change.event !== "connection-ended") return eventOf("debug", change.event, ids)
  return eventOf("debug", change.event, { ...ids, reason: endReason(change.reason) })
}

export function traceMesh(emit: (event: NetworkEvent) => void, output: MeshOutput): void {
  const event = eventFor(output)
  if (event) emit(event)
}

function eventFor(output: MeshOutput): NetworkEvent | undefined {
  switch (output.type) {
    case "traced":
      return output.event
    case "linkUp":
      return eventOf("info", "link-up", { member: output.peer, incarnation: output.incarnation })
    case "linkDown":
      return eventOf("info", "link-down", { member: output.peer, reason: endReason(output.reason) })
    case "path":
      return eventOf("info", "path", { member: output.peer, path: output.path })
    case "server":
      return eventOf("info", "server", { state: output.state })
    case "otherVersions":
      return eventOf("info", "other-versions", { count: output.others.length })
    case "superseded":
      return eventOf("warn", "superseded", {})
    case "security":
      return eventOf("warn", "security", { code: output.code, member: output.member })
  }
}

const REASONS = {
  "a newer incarnation of this member has come": "new-incarnation",
  "a newer incarnation has come": "new-incarnation",
  "the peer has lost its state": "peer-lost-state",
  "the other end has lost it": "peer-lost-connection",
  "closed by the other side": "closed-by-peer",
  "not a neighbour any more": "not-a-neighbour",
  "it took too little for too long": "too-slow",
  "nothing was acknowledged for too long": "unacknowledged",
  "replaced by a newer connection": "replaced",
  "negotiating took too long": "negotiation-timeout",
  "associating took too long": "association-timeout",
  "proved took too long": "association-timeout",
  "the own description is unusable": "bad-description",
  "bad-description": "bad-description",
  "fingerprint-mismatch": "fingerprint-mismatch",
  "bad-association": "bad-association",
  "bad-frame": "bad-frame",
  "it was abandoned": "handling-failed",
  "it is not in the conference": "not-admitted",
} as const satisfies Readonly<Record<string, string>>

/** failed: any other reason, such as the browser's words for a broken peer connection. */
export type EndReason = (typeof REASONS)[keyof typeof REASONS] | "failed"

/** Only known texts become a word, because a host and a peer can influence the others. */
function endReason(text: string): EndReason {
  return Object.hasOwn(REASONS, text) ? REASONS[text as keyof typeof REASONS] : "failed"
}
