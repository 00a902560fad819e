import {
  type BootstrapConnection,
  connectBootstrap,
  type Refusal,
  type ServerNews,
  type ServerSink,
} from "./bootstrap-connection.ts"
import type { Reply, Request, RequestName } from "../signaling-protocol/index.ts"

/** How long an unused connection is kept. People read an invitation, type their name and read again for minutes. */
const WARM_MS = 5 * 60_000
/** Maximum of unused connections. The oldest is closed first. */
const WARM_MAX = 2
const nobody: ServerSink = { take: () => {} }

/**
 * Connections that served only questions about conferences stay open for a moment after their user. A person that looks
 * at an invitation and joins reuses the connection, which saves three round trips. A connection that has been in a room
 * closes with its user, since the server would keep the entry. Answers are not cached: only an engine can tell a good
 * answer from a bad one.
 */
export class WarmConnections {
  readonly #idle = new Map<string, Kept>()

  connect(origin: string, sink: ServerSink): BootstrapConnection {
    const kept = this.#idle.get(origin) ?? new Kept(origin)
    this.#idle.delete(origin)
    kept.serve(sink)
    return {
      ask: (name, request, onReply) => kept.ask(name, request, onReply),
      notify: (name, request) => kept.connection.notify(name, request),
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
  #sink = nobody
  #state: (ServerNews & { readonly type: "state" }) | null = null
  #unanswered = 0
  #entered = false
  #onLost: () => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(origin: string) {
    this.connection = connectBootstrap(origin, {
      take: (news) => {
        if (news.type !== "state") return this.#sink.take(news)
        this.#state = news
        this.#sink.take(news)
        if (news.state === "down") this.#onLost()
      },
    })
  }

  get reusable(): boolean {
    return this.#state?.state === "up" && this.#unanswered === 0 && !this.#entered
  }

  serve(sink: ServerSink): void {
    clearTimeout(this.#timer)
    this.#onLost = () => {}
    this.#sink = sink
    const state = this.#state
    // Asynchronous, as with a new connection: the user must receive this object first.
    if (state?.state === "up") queueMicrotask(() => this.#sink === sink && this.#state === state && sink.take(state))
  }

  /** The connection is unused. `onEnd`: it can no longer be reused. */
  rest(onEnd: () => void): void {
    this.#sink = nobody
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
    this.#sink = nobody
    this.#onLost = () => {}
    this.connection.close()
  }
}
