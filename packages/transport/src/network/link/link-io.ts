import type { Control } from "../messages/control.ts"
import type { Connection } from "../path/connection.ts"
import type { LinkPath } from "../shared/config.ts"

const PATHS = { webrtc: "direct", server: "relayed-by-server" } as const

export function pathOf({ config }: Connection): LinkPath {
  return PATHS[config.carrier.type]
}

export type SessionControl = Extract<Control, { readonly kind: "resume" | "start" | "ack" | "over" | "bye" }>
/** Reasons to refuse a peer. An honest peer never causes them. */
export type SessionRefusal = "bad-resume" | "bad-sequence"

/** Output of a `ResumableLink`. `Connections` acts on those that name a connection. The mesh emits the rest. */
export type ResumableLinkOutput =
  | { readonly type: "up" }
  /** The peer has lost its state, and unacknowledged messages of both ends are lost. `up` follows. */
  | { readonly type: "reset" }
  | { readonly type: "path"; readonly path: LinkPath }
  | { readonly type: "message"; readonly bytes: Uint8Array }
  /** The link is no longer congested. */
  | { readonly type: "ready" }
  /** The peer is heard, and has not acknowledged in time what it was sent. The link goes down in this tick. */
  | { readonly type: "obstructed" }
  /** End this connection, then call `ended`. */
  | { readonly type: "close"; readonly connection: Connection; readonly reason: string }
  /** See `PathOutput`. */
  | { readonly type: "nudge"; readonly connection: Connection }
  /** The connection has something to send. */
  | { readonly type: "dirty"; readonly connection: Connection }
