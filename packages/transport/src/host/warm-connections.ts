import {
  type BootstrapConnection,
  type BootstrapListener,
  connectBootstrap,
  type Refusal,
} from "./bootstrap-connection.ts"
import type { Reply, Request, RequestName } from "../signaling-protocol/index.ts"

/** How long a connection that nobody uses is kept: from looking at an invitation to joining takes people about that. */
const WARM_MS = 60_000
/** Connections kept so; the oldest goes first. */
const WARM_MAX = 2
const nobody: BootstrapListener = { onState: () => {}, onDelivery: () => {}, onRelay: () => false }

/**
 * Connections that were only asked about conferences outlive their user for a moment: whoever has looked at an invitation and
 * joins finds the connection there, which saves three round trips. One that has been in a room closes with its user, for the
 * server would keep the entry. What was answered is not kept: only an engine can tell a good answer from a bad one.
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
  #unanswered = 0
  #entered = false
  #onLost: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(origin: string) {
    this.connection = connectBootstrap(origin, {
      onState: (state) => {
        this.#state = state
        this.#listener.onState(state)
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
    // As a new connection would tell it: not before its user has got it.
    if (this.#state === "up")
      queueMicrotask(() => this.#listener === listener && this.#state === "up" && listener.onState("up"))
  }

  /** Nobody uses it; `onEnd`: nor will it be of use any more. */
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
