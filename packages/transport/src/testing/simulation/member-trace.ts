import type { GroupFrame } from "../../ordering/frame-store.ts"
import { isOrdered } from "../../wire/frame.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { NamedMessage } from "./trace-names.ts"
import type { UpperOutput } from "./upper-layer.ts"
import type { World } from "./world.ts"

type Message = NamedMessage & Partial<Pick<GroupFrame, "kind">>

/** The trace of one incarnation of a member. It omits flush and transition out of the void before the first view. */
export class MemberTrace {
  readonly #name: string
  readonly #world: Pick<World, "events" | "names" | "trace" | "sent">
  #viewed = false
  #flushed = false
  /** Reliable messages delivered in the present view. */
  delivered = 0

  constructor(name: string, world: Pick<World, "events" | "names" | "trace" | "sent">) {
    this.#name = name
    this.#world = world
  }

  /** Records an output of the group to the layer above. */
  take(output: UpperOutput): void {
    switch (output.type) {
      case "flushRequest":
        if (output.first && this.#viewed) this.#push({ ...this.#at(), e: "flush_req" })
        return
      case "transitional":
        if (this.#viewed) this.#push({ ...this.#at(), e: "trans" })
        return
      case "deliver": {
        const { frame, globalSequence } = output.delivery
        if (frame.service !== "unreliable") this.delivered++
        const order = isOrdered(frame.service) ? { g: globalSequence } : {}
        return this.#push({ ...this.#at(), e: "deliver", ...this.#about(frame, order) })
      }
      case "view": {
        const { id, epoch: n, members, transitional } = output.view
        this.#viewed = true
        this.#flushed = false
        this.delivered = 0
        const { names } = this.#world
        this.#push({ ...this.#at(), e: "view", id, n, D: names.ofMembers(members), T: names.ofIds(transitional) })
      }
    }
  }

  /** `kind` may be unknown yet. */
  send(message: Message): void {
    const { sent } = this.#world
    const { view, service } = message
    if (service !== "unreliable") sent.set(view, (sent.get(view) ?? 0) + 1)
    this.#push({ ...this.#at(), e: "send", ...this.#about(message, {}) })
  }

  flush(): void {
    if (!this.#flushed && this.#viewed) this.#push({ ...this.#at(), e: "flush" })
    this.#flushed = true
  }

  /** The member leaves with a goodbye and sends nothing more in its view. */
  leave(maySend: boolean): void {
    if (!this.#viewed || this.#flushed) return
    if (maySend) this.#push({ ...this.#at(), e: "flush_req" })
    this.#push({ ...this.#at(), e: "flush" })
  }

  #about(frame: Message, order: { g?: number }) {
    const agreement = frame.kind === "agreement" ? { a: 1 as const } : {}
    return { m: this.#world.names.ofMessage(frame), v: frame.view, s: frame.service, ...order, ...agreement }
  }

  #at(): { t: number; p: string } {
    return { t: this.#world.events.nowMs, p: this.#name }
  }

  #push(event: TraceEvent): void {
    this.#world.trace.push(event)
  }
}
