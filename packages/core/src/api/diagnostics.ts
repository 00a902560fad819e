import type { Departure, MemberId, Trace, TraceEntry, TraceLayer, TraceLevel, ViewCause } from "@keymoot/transport"
import type { LinkPath, ServerState } from "./connections.ts"
import type { SecurityEvent } from "./security.ts"
import type { ViewStatus } from "./views.ts"

export type { Departure, Trace, TraceEntry, TraceLayer, TraceLevel, ViewCause }

/**
 * State of a conference for a person who has to find out why something happened. It holds ids, numbers and words from
 * fixed lists: no key, no name, no content and no network address.
 */
export type Diagnostics = {
  readonly self: MemberId
  readonly server: ServerState
  readonly view: { readonly epoch: number; readonly members: number; readonly status: ViewStatus }
  /** Sorted by member. */
  readonly links: readonly LinkDiagnostics[]
  readonly queues: readonly QueueFill[]
  /** The last 64 views that this member installed, oldest first. */
  readonly views: readonly ViewRecord[]
  /** The last 64 security events, oldest first. */
  readonly security: readonly SecurityRecord[]
  readonly trace: Trace
}

export type LinkDiagnostics = {
  readonly member: MemberId
  readonly path: LinkPath
  /** Round-trip time of a direct path as the browser measures it. Null for relayed paths, and before a measurement. */
  readonly roundTripMs: number | null
  /** Bytes sent and not acknowledged. */
  readonly unacknowledgedBytes: number
  /** Above so many unacknowledged bytes the link is congested. */
  readonly windowBytes: number
}

/**
 * - outbox: own messages that wait for a key or for the window.
 * - unstable: own messages that not all members have acknowledged.
 * - decryption: delivered messages of other members that wait for decryption.
 */
export type QueueFill = {
  readonly queue: "outbox" | "unstable" | "decryption"
  readonly bytes: number
  /** Bound of the queue. */
  readonly bytesMax: number
}

export type ViewRecord = {
  readonly epoch: number
  /** When this member installed the view, milliseconds since 1970. */
  readonly installedAtMs: number
  /** When every member had proved the key; null if that never happened or has not happened yet. */
  readonly securedAtMs: number | null
  readonly members: number
  /** See `ViewCause`. */
  readonly cause: ViewCause
  /** The first 16 of the newcomers. */
  readonly joined: readonly MemberId[]
  /** The first 16 of the members that are gone. */
  readonly gone: readonly { readonly member: MemberId; readonly departure: Departure | "removed" }[]
}

export type SecurityRecord = Pick<SecurityEvent, "code" | "member"> & { readonly atMs: number }
