import {
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
} from "../signaling-protocol/index.ts"

/** Part of each window that only frames without waiting take: those that open and close links. */
const RESERVED_BYTES = 64 * 1024
const PAIR_RESERVED_BYTES = 4 * 1024

/** Sends a frame to the other end. `onAnswer` reports whether that has accepted it. */
export type RelaySender = (frame: Uint8Array, onAnswer: (refused: string | null) => void) => void

/** A link whose frames wait for the window. */
export interface Waiting {
  /** Length of the frame that the link would send next, or 0 if none waits. */
  readonly nextBytes: number
  /** Sends one frame of the server, of at most `room` bytes. */
  sendNext(): void
}

/**
 * The server's windows for the frames of one connection that it has not answered: all together, and those to one
 * address. Beyond them it refuses frames, which would end their links, so frames wait here. The links take turns.
 */
export class RelayWindow {
  #underWayBytes = 0
  readonly #underWayTo = new Map<string, number>()
  readonly #waiting = new Map<Waiting, string>()

  /** The part of the windows for a link to this address. */
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
      enqueue: (link) => {
        if (!this.#waiting.has(link)) this.#waiting.set(link, to)
        this.#drain()
      },
      leave: (link) => void this.#waiting.delete(link),
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

  /** A link that has sent goes to the end, where this loop meets it again. One with a slow receiver keeps its place. */
  #drain(): void {
    for (const [link, to] of this.#waiting) {
      const { nextBytes } = link
      if (nextBytes > this.#roomTo(to)) continue
      if (nextBytes > this.#room) return
      this.#waiting.delete(link)
      if (nextBytes === 0) continue
      this.#waiting.set(link, to)
      link.sendNext()
    }
  }
}

export interface RelayShare {
  /** Bytes that one frame may have now. */
  room(): number
  /** Counts a frame until it is answered. Frames that open or close a link are sent without room too. */
  readonly send: RelaySender
  /** Sends what waits as soon as the windows allow it. */
  enqueue(link: Waiting): void
  /** The link has ended. */
  leave(link: Waiting): void
}
