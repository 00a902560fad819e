import type { Connection } from "../path/connection.ts"
import type { ReliableSession } from "./reliable-session.ts"

/**
 * One connection of a link, and the numbers of the messages on it. Messages carry none: a `start` states that of the
 * next one, and later ones follow. A connection loses no message until it ends.
 */
export class NumberedConnection {
  readonly connection: Connection
  /** Whether the peer's `resume` has come. Before it, nothing else counts. */
  resumed = false
  /** The number of the peer's next message here. Null before its first `start`. */
  #incoming: number | null = null
  /** The number that the peer gives to the next message from here. Null before the first `start`. */
  #outgoing: number | null = null

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Takes the peer's `start`. Returns false if an honest peer would not have sent it. */
  handleStart(next: number, { received }: ReliableSession): boolean {
    if (!this.resumed || next < 1 || next > received + 1) return false
    this.#incoming = next
    return true
  }

  /** Counts a message of the peer. See `ReliableSession.receive`. */
  receive(session: ReliableSession): "new" | "known" | "gap" {
    return this.#incoming === null ? "gap" : session.receive(this.#incoming++)
  }

  /** States the number of the next message: the first that is not acknowledged, and that was not queued here. */
  start(session: ReliableSession): void {
    this.#outgoing = this.#first(session)
    this.connection.control({ kind: "start", next: this.#outgoing })
  }

  /**
   * Queues what is not acknowledged and was not queued here. Other connections may have carried what came between.
   * Returns whether there was anything. `isFast`: as for `SealedChannel.queue`.
   */
  queue(session: ReliableSession, isFast: boolean): boolean {
    const first = this.#first(session)
    const messages = session.unacked.slice(first - session.next)
    if (messages.length === 0) return false
    if (first !== this.#outgoing) this.start(session)
    for (const message of messages) this.connection.queue(message, isFast)
    this.#outgoing = first + messages.length
    return true
  }

  #first({ next }: ReliableSession): number {
    return Math.max(next, this.#outgoing ?? 0)
  }
}
