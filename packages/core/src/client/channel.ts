import type { MemberId } from "@keymoot/transport"
import { NO_SUBJECT, PIECE_BYTES_MAX, TARGETS_MAX } from "../addressed/piece.ts"
import {
  KeymootError,
  type Channel,
  type ChannelEvents,
  type ChannelLog,
  type ChannelMessage,
  type ChannelOptions,
  type DeliveryService,
  type ListenOptions,
  type RequestHandler,
  type SendOptions,
  type Unsubscribe,
} from "../api/index.ts"
import { MessageKind } from "../multicast/message-kind.ts"
import { type MessageRun, payloadOf } from "../rpc/message-runs.ts"
import type { EngineCalls } from "../rpc/protocol.ts"
import { PAYLOAD_BYTES_MAX } from "../multicast/batch.ts"
import { callSafely, Emitter } from "./connection/emitter.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import type { MessagePieces } from "./connection/message-pieces.ts"
import { assertArguments, METHODS } from "./options.ts"
import type { PresentState } from "./connection/present-state.ts"
import { ReceivedMessages } from "./received-messages.ts"
import { Requests } from "./connection/requests.ts"
import { SendOrder } from "./connection/send-order.ts"
import { LazySnapshots } from "./snapshots.ts"

type Sent = EngineCalls["conference.send"]["result"]

const SERVICES: readonly DeliveryService[] = ["unreliable", "reliable", "fifo", "causal", "agreed", "safe"]

export type ChannelConfig = {
  readonly conference: string
  readonly connection: EngineConnection
  readonly pieces: MessagePieces
  readonly present: Pick<PresentState, "view">
}

export class ConferenceChannel implements Channel {
  readonly name: string
  readonly #config: ChannelConfig
  #history = false
  readonly #emitter = new Emitter<ChannelEvents>()
  readonly #order = new SendOrder()
  readonly #requests: Requests
  readonly #received = new ReceivedMessages()
  readonly #log = new LazySnapshots(() => this.#received.all)

  constructor(name: string, config: ChannelConfig, options: ChannelOptions) {
    this.name = name
    this.#config = config
    this.configure(options)
    this.#requests = new Requests({ ...config, channel: name })
  }

  configure({ history }: ChannelOptions): void {
    this.#history = history ?? this.#history
    if (this.#history && this.#received.keepLogged()) this.#log.changed()
  }

  log(): ChannelLog {
    return this.#log
  }

  async send(data: string | Uint8Array, options: SendOptions = {}): Promise<ChannelMessage> {
    const { signal } = assertArguments(METHODS.send, options)
    // A message that waits is sent as it was at the call, also if the caller uses its arrays again.
    const [targets, readers] = [options.targets?.slice(), options.readers?.slice()]
    const service = options.service ?? "agreed"
    if (!SERVICES.includes(service)) {
      throw new KeymootError("invalid-argument", `A service is one of ${SERVICES.join(", ")}.`)
    }
    if (targets) this.#assertTargets(targets)
    if (readers && !readers.every(isMemberId))
      throw new KeymootError("invalid-argument", "Readers are members' ids (member.id).")
    const given = payloadOf(data)
    const bytes = this.#order.busy ? new Uint8Array(given) : given
    if (this.#history || (!targets && bytes.length <= PAYLOAD_BYTES_MAX)) {
      return this.#order.run(false, signal, () => this.#sendWhole(bytes, service, readers, options))
    }
    const message = {
      channel: this.name,
      kind: MessageKind.addressed,
      data: bytes,
      targets: targets ?? [],
      subject: NO_SUBJECT,
      // Pieces need FIFO order: with a lost or overtaken piece the message can't be assembled.
      service: service === "unreliable" || service === "reliable" ? "fifo" : service,
      readers,
    } as const
    const send = (): Promise<Sent> => this.#config.pieces.send(message, options)
    return comeBack(await this.#order.run(bytes.length > PIECE_BYTES_MAX, signal, send))
  }

  async request(to: MemberId, data: string | Uint8Array, options: ListenOptions = {}): Promise<ChannelMessage> {
    const { signal } = assertArguments(METHODS.listen, options)
    assertArguments(METHODS.request, { to })
    return this.#requests.ask(to, payloadOf(data), signal)
  }

  answer(handler: RequestHandler, options: ListenOptions = {}): Unsubscribe {
    assertArguments(METHODS.answer, { handler })
    return this.#requests.answer(handler, assertArguments(METHODS.listen, options).signal)
  }

  async erase(messages: readonly string[]): Promise<void> {
    const { conference, connection } = this.#config
    // The call is posted at the end of this turn, and the caller may change the array before.
    const copy = Array.isArray(messages) ? [...messages] : messages
    await connection.call("conference.erase", { id: conference, channel: this.name, messages: copy })
  }

  on<E extends keyof ChannelEvents>(event: E, listener: ChannelEvents[E], options?: ListenOptions): Unsubscribe {
    if (event === "message") {
      for (const message of this.#received.all) {
        if (!options?.signal?.aborted) callSafely(() => (listener as ChannelEvents["message"])(message))
      }
    }
    return this.#emitter.on(event, listener, options)
  }

  // Events of the conference

  deliver(message: ChannelMessage): void {
    if (!this.#received.addLogged(message)) return
    this.#log.changed()
    this.#emitter.emit("message", message)
  }

  /**
   * `messages`: the messages of the run. A channel with a history ignores them, because they carry no signature for the
   * log. Under the authenticity `group` any member could forge them in another's name, and for some members only.
   */
  deliverRun(run: MessageRun, messages: readonly ChannelMessage[]): void {
    if (this.#history) return
    this.#received.addRun(run)
    this.#log.changed()
    this.#emitter.emitAll(
      "message",
      messages.map((message) => [message]),
    )
  }

  onProgress(progress: Parameters<ChannelEvents["progress"]>[0]): void {
    this.#emitter.emit("progress", progress)
  }

  onRequest(subject: string, request: ChannelMessage): void {
    void this.#requests.onRequest(subject, request)
  }

  onResponse(subject: string, answer: ChannelMessage, refused: boolean): void {
    this.#requests.onResponse(subject, answer, refused)
  }

  /** As in `Requests`. */
  onViewStart(transitional: readonly MemberId[]): void {
    this.#requests.onViewStart(transitional)
  }

  onErased(messages: readonly string[]): void {
    if (this.#received.erase(new Set(messages))) this.#log.changed()
    this.#emitter.emit("erased", messages)
  }

  /** As in `SendOrder`. */
  drained(): Promise<void> {
    return this.#order.drained()
  }

  close(): void {
    this.#requests.close()
  }

  /** Messages of a log have one position in the order, so they are always agreed. */
  async #sendWhole(
    bytes: Uint8Array,
    service: DeliveryService,
    readers: readonly MemberId[] | undefined,
    { signal, onProgress }: SendOptions,
  ) {
    const { conference, connection } = this.#config
    const params = {
      id: conference,
      channel: this.name,
      kind: this.#history ? MessageKind.logItem : MessageKind.message,
      payload: bytes,
      service: this.#history && service !== "safe" ? "agreed" : service,
      readers,
    } as const
    const sent = comeBack(await connection.call("conference.send", params, signal))
    callSafely(() => onProgress?.({ sent: 1, count: 1 }))
    return sent
  }

  #assertTargets(targets: readonly MemberId[]): void {
    if (this.#history) {
      throw new KeymootError("invalid-argument", "A channel with history sends to all members. Give no targets.")
    }
    if (targets.length >= 1 && targets.length <= TARGETS_MAX && targets.every(isMemberId)) return
    throw new KeymootError("invalid-argument", `Targets are 1 to ${TARGETS_MAX} members' ids (member.id).`)
  }
}

function isMemberId(id: string): boolean {
  return /^[0-9a-f]{32}$/u.test(id)
}

function comeBack(sent: Sent): ChannelMessage {
  if (sent) return sent
  throw new KeymootError("internal", "The engine returned a changed message. Reload the page.")
}
