/** One end of a connection between two pages, whatever it is made of. */
import type { Relay } from "./relay.ts"

export type Contestant = {
  /**
   * Sends in order, whole and without loss. The sender bounds the waiting bytes. The caller awaits the result before the next
   * call, so that messages of one turn are not merged.
   */
  readonly send: (bytes: Uint8Array) => void | Promise<void>
  /** Calls back for what the other end sends. One listener. */
  readonly listen: (onMessage: (bytes: Uint8Array) => void) => void
}

export type Role = "first" | "second"

/** The means by which the two ends meet, in one page or two. */
export type Meeting = {
  /** The first one begins; the second comes when the first one waits. */
  readonly role: Role
  readonly openRelay: () => Promise<Relay>
}

/** A connection of two pages. */
export type Connection = Meeting & {
  /** A WebSocket that tells everybody what anybody publishes. */
  readonly relay: string
  /** Keymoot's server, and the invitation made by the first page. */
  readonly keymoot: { readonly server: string; readonly invitation: string }
}

/** Resolves when there is a connection; the second of its values is what the other end needs to know before. */
export type Connect = (connection: Connection, tell: (invitation: string) => void) => Promise<Contestant>
