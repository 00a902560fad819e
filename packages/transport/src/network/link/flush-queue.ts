import type { Connection } from "../path/connection.ts"

/** Connections with something to send. Frames queued in one turn leave together at its end. */
export class FlushQueue {
  readonly #flush: (connection: Connection) => void
  readonly #waiting = new Set<Connection>()

  constructor(flush: (connection: Connection) => void) {
    this.#flush = flush
  }

  add(connection: Connection): void {
    if (this.#waiting.size === 0) void Promise.resolve().then(() => this.#flushAll())
    this.#waiting.add(connection)
  }

  delete(connection: Connection): void {
    this.#waiting.delete(connection)
  }

  clear(): void {
    this.#waiting.clear()
  }

  #flushAll(): void {
    const connections = [...this.#waiting]
    this.#waiting.clear()
    for (const connection of connections) this.#flush(connection)
  }
}
