import type { Person } from "./members.ts"

/** up: newcomers can enter; down: the conference continues, newcomers wait. */
export type ServerState = "up" | "down"

/**
 * Path between this member and another one. A relay sees the time and size of messages, and can't read or change them.
 * Relayed paths are slower.
 */
export type LinkPath = "direct" | "relayed-by-member" | "relayed-by-server"

/** ICE options of peer connections. */
export type IceOptions = {
  /**
   * `all`, the default: the shortest path, so members learn each other's network addresses. `relay`: only through the
   * server's TURN servers, so other members do not learn this one's address. The server and its TURN servers still do.
   * Without a TURN server there is then no peer connection.
   */
  readonly transportPolicy?: "all" | "relay"
}

/**
 * A person in the room whose client has another protocol version. The two clients can't share a view. The older one has
 * to be updated; a page by a reload.
 */
export type OtherVersion = {
  readonly person: Person
  /** us: this client is the older one. */
  readonly older: "us" | "them"
  /** Major version of the protocol, not of a package. */
  readonly theirs: number
  readonly ours: number
}
