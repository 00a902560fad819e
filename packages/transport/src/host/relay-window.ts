import {
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
} from "../signaling-protocol/index.ts"

/** Part of each window that only frames without waiting take: those that open and close connections. */
const RESERVED_BYTES = 64 * 1024
const PAIR_RESERVED_BYTES = 4 * 1024

/** Sends a frame to the other end. `onAnswer` reports whether that has accepted it. */
export type RelaySender = (frame: Uint8Array, onAnswer: (refused: string | null) => void) => void

/** A connection whose frames wait for the window. */
export interface Waiting {
  /** Length of the frame that the connection would send next, or 0 if none waits. */
  readonly nextBytes: number
  /** Sends one frame of the server, of at most `room` bytes. */
  sendNext(): void
}

/**
 * The server's windows for the frames of one connection that it has not answered: all together, and those to one
 * address. Beyond them it refuses frames, which would end their connections, so frames wait here. The connections take
 * turns. The server's window for a whole network address is unknown here: it refuses frames within these windows, too.
 */
export class RelayWindow {
  #underWayBytes = 0
  readonly #underWayTo = new Map<string, number>()
  readonly #waiting = new Map<Waiting, string>()

  /** The part of the windows for a connection to this address. */
  share(to: string, send: RelaySender): RelayShare {
    return {
      room: () => Math.min(this.#room, this.#roomTo(to)),
      send: (frame, onAnswer) => {
        const cost = frame.length + RELAY_FRAME_COST_BYTES
        this.#count(to, cost)
        send(frame, (refused) => {
          // Without an answer the server may count the frame longer than its sender waits.
          if (refused === "server-unreachable") this.#releaseLater(to, cost)
          else this.#count(to, -cost)
          onAnswer(refused)
          this.#drain()
        })
      },
      enqueue: (connection) => {
        if (!this.#waiting.has(connection)) this.#waiting.set(connection, to)
        this.#drain()
      },
      leave: (connection) => void this.#waiting.delete(connection),
    }
  }

  get #room(): number {
    return RELAY_WINDOW_BYTES - RESERVED_BYTES - this.#underWayBytes - RELAY_FRAME_COST_BYTES
  }

  #roomTo(to: string): number {
    const underWay = this.#underWayTo.get(to) ?? 0
    return RELAY_PAIR_WINDOW_BYTES - PAIR_RESERVED_BYTES - underWay - RELAY_FRAME_COST_BYTES
  }

  #releaseLater(to: string, bytes: number): void {
    const timer = setTimeout(() => {
      this.#count(to, -bytes)
      this.#drain()
    }, RELAY_ANSWER_TIMEOUT_MS)
    // Keeps no process of Node alive.
    ;(timer as { unref?: () => void }).unref?.()
  }

  #count(to: string, bytes: number): void {
    this.#underWayBytes += bytes
    const underWay = (this.#underWayTo.get(to) ?? 0) + bytes
    if (underWay > 0) this.#underWayTo.set(to, underWay)
    else this.#underWayTo.delete(to)
  }

  /**
   * A connection that has sent goes to the end, where this loop meets it again. One with a slow receiver keeps its
   * place.
   */
  #drain(): void {
    for (const [connection, to] of this.#waiting) {
      const { nextBytes } = connection
      if (nextBytes > this.#roomTo(to)) continue
      if (nextBytes > this.#room) return
      this.#waiting.delete(connection)
      if (nextBytes === 0) continue
      this.#waiting.set(connection, to)
      connection.sendNext()
    }
  }
}

export interface RelayShare {
  /** Bytes that one frame may have now. */
  room(): number
  /** Counts a frame until it is answered. Frames that open or close a connection are sent without room too. */
  readonly send: RelaySender
  /** Sends what waits as soon as the windows allow it. */
  enqueue(connection: Waiting): void
  /** The connection has ended. */
  leave(connection: Waiting): void
}
