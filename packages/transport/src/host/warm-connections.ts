import {
  type BootstrapConnection,
  type BootstrapListener,
  connectBootstrap,
  type Refusal,
} from "./bootstrap-connection.ts"
import type { Reply, Request, RequestName } from "../signaling-protocol/index.ts"

/** How long an unused connection is kept. People read an invitation, type their name and read again for minutes. */
const WARM_MS = 5 * 60_000
/** Maximum of unused connections. The oldest is closed first. */
const WARM_MAX = 2
const nobody: BootstrapListener = { onState: () => {}, onDelivery: () => {}, onRelay: () => false }

/**
 * Connections that served only questions about conferences stay open for a moment after their user. A person that looks
 * at an invitation and joins reuses the connection, which saves three round trips. A connection that has been in a room
 * closes with its user, since the server would keep the entry. Answers are not cached: only an engine can tell a good
 * answer from a bad one.
 */
export class WarmConnections {
  readonly #idle = new Map<string, Kept>()

  connect(origin: string, listener: BootstrapListener): BootstrapConnection {
    const kept = this.#idle.get(origin) ?? new Kept(origin)
    this.#idle.delete(origin)
    kept.serve(listener)
    return {
      ask: (name, request, onReply) => kept.ask(name, request, onReply),
      tell: (name, request) => kept.connection.tell(name, request),
      close: () => this.#release(origin, kept),
    }
  }

  #release(origin: string, kept: Kept): void {
    const other = this.#idle.get(origin)
    if (!kept.reusable || other) return kept.close()
    this.#idle.set(origin, kept)
    kept.rest(() => this.#drop(origin, kept))
    const [oldest] = this.#idle
    if (this.#idle.size > WARM_MAX) this.#drop(...oldest!)
  }

  #drop(origin: string, kept: Kept): void {
    if (this.#idle.get(origin) === kept) this.#idle.delete(origin)
    kept.close()
  }
}

class Kept {
  readonly connection: BootstrapConnection
  #listener = nobody
  #state: "up" | "down" | null = null
  #id: string | undefined
  #unanswered = 0
  #entered = false
  #onLost: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(origin: string) {
    this.connection = connectBootstrap(origin, {
      onState: (state, id) => {
        this.#state = state
        this.#id = id
        this.#listener.onState(state, id)
        if (state === "down") this.#onLost()
      },
      onDelivery: (name, delivery) => this.#listener.onDelivery(name, delivery),
      onRelay: (delivery) => this.#listener.onRelay(delivery),
    })
  }

  get reusable(): boolean {
    return this.#state === "up" && this.#unanswered === 0 && !this.#entered
  }

  serve(listener: BootstrapListener): void {
    clearTimeout(this.#timer)
    this.#onLost = () => {}
    this.#listener = listener
    // Asynchronous, as with a new connection: the user must receive this object first.
    if (this.#state === "up")
      queueMicrotask(() => this.#listener === listener && this.#state === "up" && listener.onState("up", this.#id))
  }

  /** The connection is unused. `onEnd`: it can no longer be reused. */
  rest(onEnd: () => void): void {
    this.#listener = nobody
    this.#onLost = onEnd
    this.#timer = setTimeout(onEnd, WARM_MS)
  }

  ask<N extends RequestName>(name: N, request: Request<N>, onReply: (reply: Reply<N> | Refusal) => void): void {
    if (name !== "conference:get") this.#entered = true
    this.#unanswered += 1
    this.connection.ask(name, request, (reply) => {
      this.#unanswered -= 1
      onReply(reply)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listener = nobody
    this.#onLost = () => {}
    this.connection.close()
  }
}
