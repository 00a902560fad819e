/** One end of a connection between two pages, whatever it is made of. */
import type { Relay } from "./relay.ts"

export type Contestant = {
  /**
   * In order, each whole, and none lost; how much may wait is for who sends to know. What it gives is waited for before the
   * next: where all that is sent in one turn would go as one, each has a turn of its own.
   */
  readonly send: (bytes: Uint8Array) => void | Promise<void>
  /** Calls back for what the other end sends. One listener. */
  readonly listen: (onMessage: (bytes: Uint8Array) => void) => void
}

export type Role = "first" | "second"

/** How the two find each other, wherever they are. */
export type Meeting = {
  /** The first one begins; the second comes when the first one waits. */
  readonly role: Role
  readonly openRelay: () => Promise<Relay>
}

/** Of two pages. */
export type Connection = Meeting & {
  /** A WebSocket that tells everybody what anybody publishes. */
  readonly relay: string
  /** Of Keymoot: its server, and the invitation that the first one gave. */
  readonly keymoot: { readonly server: string; readonly invitation: string }
}

/** Resolves when there is a connection; the second of its values is what the other end needs to know before. */
export type Connect = (connection: Connection, tell: (invitation: string) => void) => Promise<Contestant>
