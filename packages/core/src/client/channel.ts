import {
  KeymootError,
  type Channel,
  type ChannelEvents,
  type ChannelMessage,
  type ChannelOptions,
  type DeliveryService,
  type ListenOptions,
  type SendOptions,
  type Unsubscribe,
} from "../api.ts"
import { MessageKind } from "../engine/message-kind.ts"
import { ownBuffer } from "../wire/index.ts"
import { callSafely, Emitter } from "./emitter.ts"
import type { EngineConnection } from "./engine-connection.ts"

const SERVICES: readonly DeliveryService[] = ["unreliable", "reliable", "fifo", "causal", "agreed", "safe"]

/** Messages kept for late subscribers; the oldest go first. */
const REPLAY_MESSAGES_MAX = 2000
const REPLAY_BYTES_MAX = 8 * 1024 * 1024

export class ConferenceChannel implements Channel {
  readonly name: string
  readonly #conference: string
  readonly #connection: EngineConnection
  #history = false
  readonly #emitter = new Emitter<ChannelEvents>()
  #received: ChannelMessage[] = []
  #bytes = 0

  constructor(name: string, conference: string, connection: EngineConnection, options: ChannelOptions) {
    this.name = name
    this.#conference = conference
    this.#connection = connection
    this.configure(options)
  }

  configure({ history }: ChannelOptions): void {
    this.#history = history ?? this.#history
  }

  async send(data: string | Uint8Array, { service = "agreed", signal }: SendOptions = {}): Promise<ChannelMessage> {
    if (!SERVICES.includes(service)) {
      throw new KeymootError("invalid-argument", `A service is one of ${SERVICES.join(", ")}.`)
    }
    const payload = ownBuffer(typeof data === "string" ? new TextEncoder().encode(data) : data)
    const kind = this.#history ? MessageKind.logItem : MessageKind.message
    // What is kept has one place in the order, so it is always agreed.
    const params = {
      id: this.#conference,
      channel: this.name,
      kind,
      payload,
      service: this.#history && service !== "safe" ? "agreed" : service,
    } as const
    const sent = await this.#connection.call("conference.send", params, signal)
    if (!sent) throw new KeymootError("internal", "The message came back changed. Reload the page.")
    return sent
  }

  async erase(messages: readonly string[]): Promise<void> {
    await this.#connection.call("conference.erase", { id: this.#conference, channel: this.name, messages })
  }

  on<E extends keyof ChannelEvents>(event: E, listener: ChannelEvents[E], options?: ListenOptions): Unsubscribe {
    if (event === "message" && !options?.signal?.aborted) {
      for (const message of this.#received) callSafely(() => (listener as ChannelEvents["message"])(message))
    }
    return this.#emitter.on(event, listener, options)
  }

  /** From the conference. */
  deliver(message: ChannelMessage): void {
    this.#received.push(message)
    this.#bytes += message.data.length
    while (this.#received.length > REPLAY_MESSAGES_MAX || this.#bytes > REPLAY_BYTES_MAX) {
      this.#bytes -= this.#received.shift()!.data.length
    }
    this.#emitter.emit("message", message)
  }

  /** From the conference. */
  onErased(messages: readonly string[]): void {
    const erased = new Set(messages)
    this.#received = this.#received.filter(({ id }) => !erased.has(id))
    this.#bytes = this.#received.reduce((total, { data }) => total + data.length, 0)
    this.#emitter.emit("erased", messages)
  }
}
