/** up: newcomers can come; down: the conference goes on, newcomers wait. */
export type ServerState = "up" | "down"

/**
 * How this member is connected with another one. Whoever relays sees when and how much, and can read and change nothing;
 * it is slower.
 */
export type LinkPath = "direct" | "relayed-by-member" | "relayed-by-server"

/** How peer connections find their way. */
export type IceOptions = {
  /**
   * `all`, the default: the shortest way, so members learn each other's network addresses. `relay`: through the server's
   * TURN servers only, so the other members learn none of yours; the server and its TURN servers still do. Without a TURN
   * server there is then no peer connection.
   */
  readonly transportPolicy?: "all" | "relay"
}
