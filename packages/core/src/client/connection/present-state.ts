import type { ConferenceEvents, ConferenceView, ListenOptions, Unsubscribe } from "../../api/index.ts"
import type { ConferenceEvent, ConferenceInfo } from "../../rpc/protocol.ts"
import { callSafely, Emitter } from "./emitter.ts"

/** Events about the conference itself, not about its content. */
type StateEvent = Extract<ConferenceEvent, { type: keyof ConferenceEvents | "media" }>

/** Last argument of each event that tells a state. */
type State = {
  [E in Exclude<keyof ConferenceEvents, "view" | "security" | "closed">]: Parameters<ConferenceEvents[E]>[0]
} & { closed?: Parameters<ConferenceEvents["closed"]>[0] }

/**
 * Present state of the conference for this member. Late subscribers get it too, so the order of subscriptions does not
 * matter.
 */
export class PresentState {
  readonly #emitter = new Emitter<ConferenceEvents>()
  readonly #state: State

  constructor({ view, server, storage, url, admissionState }: ConferenceInfo) {
    const empty = { links: new Map(), "other-version": [] }
    this.#state = { ...empty, status: view, server, storage, invitation: { url }, admission: admissionState }
  }

  get view(): ConferenceView {
    return this.#state.status
  }

  of<E extends keyof State>(event: E): State[E] {
    return this.#state[event]
  }

  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe {
    if (!options?.signal?.aborted) callSafely(() => this.#replay(event, listener))
    return this.#emitter.on(event, listener, options)
  }

  onEvent(event: StateEvent): void {
    switch (event.type) {
      case "status":
        return this.#change("status", event.view)
      case "view":
        this.#state.status = event.view
        return this.#emitter.emit("view", event.view, event.change)
      case "security":
        return this.#emitter.emit("security", event.event)
      case "server":
        return this.#change("server", event.state)
      case "links":
        return this.#change("links", event.links)
      case "other-version":
        return this.#change("other-version", event.others)
      case "storage":
        return this.#change("storage", event.state)
      case "admission":
        return this.#change("admission", event.state)
      case "invitation":
        return this.#change("invitation", { url: event.url })
      case "closed":
        return this.#change("closed", event.reason)
    }
  }

  #change<E extends keyof State>(event: E, value: NonNullable<State[E]>): void {
    this.#state[event] = value
    this.#emitter.emit(event, ...([value] as Parameters<ConferenceEvents[E]>))
  }

  #replay<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E]): void {
    const { view } = this
    if (event === "view" && view.status === "secured") {
      const change = { joined: view.members, left: [], lost: [], removed: [], cause: "created" } as const
      ;(listener as ConferenceEvents["view"])(view, change)
    }
    if (event in this.#state) (listener as (value: unknown) => void)(this.#state[event as keyof State])
  }
}
