/** The application's end of an engine: requests and replies, events by conference, and the host's part. */
import type { MemberId } from "@keymoot/transport"
import type { ConnectionId, Host, HostEvent, MovedChannels } from "@keymoot/transport/host"
import { KeymootError } from "../../api/index.ts"
import { messagesOf, type MessageRun, SentGathering } from "../../rpc/message-runs.ts"
import { TurnMessages } from "../../rpc/turn-messages.ts"
import type {
  BatchEnd,
  BatchTaken,
  ConferenceEvent,
  EngineCall,
  EngineCalls,
  EngineRequest,
  FromEngine,
  ToEngine,
} from "../../rpc/protocol.ts"
import { callSafely } from "./emitter.ts"

/** Transport to the thread that runs the engine. */
export type EngineThread = {
  post(messages: readonly ToEngine[]): void
  /** Called once, before the first `post`. */
  listen(onMessages: (messages: readonly FromEngine[]) => void, onFailure: (error: KeymootError) => void): void
  close(): void
  /** Transfers one end of a channel to the media worker of a conference. Only browsers have such a worker. */
  passMediaKeys?(id: string, port: MessagePort | null): void
  /** Set if the engine runs in another thread and browsers may transfer data channels to it. */
  readonly movedChannels?: MovedChannels
}

/** `movedChannels`: those of the engine's thread. */
export type EngineHostFactory = (onEvent: (event: HostEvent) => void, movedChannels?: MovedChannels) => Host

const UNCLONEABLE = "An argument can't be cloned. Give plain values."

type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: KeymootError) => void }
type Notification = ConferenceEvent | BatchEnd
export class EngineConnection {
  readonly #thread: EngineThread
  readonly #host: Host
  readonly #waiting = new Map<number, Waiting>()
  readonly #handlers = new Map<string, (event: ConferenceEvent) => void>()
  /** Events between a conference's start and the reply with its id, before anyone listens. */
  readonly #early = new Map<string, Notification[]>()
  readonly #acknowledger = new BatchAcknowledger((answer) => this.#post(answer))
  readonly #outgoing = new TurnMessages<ToEngine | SentGathering>((messages) => this.#flush(messages))
  #requests = 0
  /** Estimate of the next run's size: as long as the last one. */
  #foreseenBytes = 0
  #closed: KeymootError | null = null

  constructor(thread: EngineThread, hostFactory: EngineHostFactory) {
    this.#thread = thread
    this.#host = hostFactory((event) => this.#post({ type: "host", event }), thread.movedChannels)
    thread.listen(
      (messages) => {
        for (const message of messages) this.#receive(message)
      },
      (error) => this.close(error),
    )
  }

  /** Null leaves the trace as it is: off. */
  setTrace(setting: string | null): void {
    if (setting !== null) this.#post({ type: "trace", setting })
  }

  /** @throws KeymootError as the call says, `aborted`, `closed` */
  call<C extends EngineCall>(
    call: C,
    params: EngineCalls[C]["params"],
    signal?: AbortSignal,
  ): Promise<EngineCalls[C]["result"]> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (signal?.aborted) return Promise.reject(aborted())
    const request = ++this.#requests
    return new Promise<EngineCalls[C]["result"]>((resolve, reject) => {
      this.#waiting.set(request, signal ? this.#abortable(request, signal, { resolve, reject }) : { resolve, reject })
      if (call === "conference.send") this.#send(request, params as EngineCalls["conference.send"]["params"])
      else this.#post({ type: "request", request, call, params } as EngineRequest)
    })
  }

  #abortable(request: number, signal: AbortSignal, { resolve, reject }: Waiting): Waiting {
    const abort = (): void => this.#post({ type: "abort", request })
    signal.addEventListener("abort", abort, { once: true })
    const settled = <T>(settle: (value: T) => void) => {
      return (value: T): void => {
        signal.removeEventListener("abort", abort)
        settle(value)
      }
    }
    return { resolve: settled(resolve), reject: settled(reject) }
  }

  /** Appends to the preceding send of this turn if the destination is equal. */
  #send(request: number, { payload, ...sent }: EngineCalls["conference.send"]["params"]): void {
    const { last } = this.#outgoing
    if (last instanceof SentGathering && last.add(request, sent, payload)) return
    const gathering = new SentGathering(request, sent, this.#foreseenBytes)
    gathering.add(request, sent, payload)
    this.#post(gathering)
  }

  /** As `Host.roundTripMs`. */
  async roundTripMs(connectionId: ConnectionId): Promise<number | null> {
    return this.#host.roundTripMs?.(connectionId) ?? null
  }

  /** Listens to the events of a conference from its first one on. */
  listen(id: string, handle: (event: ConferenceEvent) => void): void {
    const early = this.#early.get(id) ?? []
    this.#early.delete(id)
    this.#handlers.set(id, handle)
    for (const event of early) this.#notify(id, event, handle)
    if (early.some((event) => event.type === "closed")) this.#handlers.delete(id)
  }

  /** As in `EngineThread`. */
  get passMediaKeys(): EngineThread["passMediaKeys"] {
    return this.#thread.passMediaKeys
  }

  /** @param failure why the engine stopped; without one it is closed on purpose */
  close(failure?: KeymootError): void {
    if (this.#closed) return
    const error = failure ?? new KeymootError("closed", "This identity was closed. Open it again.")
    const reason = failure ? "engine-failed" : "left"
    this.#closed = error
    this.#host.close()
    this.#thread.close()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    for (const handle of this.#handlers.values()) handle({ type: "closed", reason })
    this.#handlers.clear()
    this.#early.clear()
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** Ends all connections at once, because a closing page can't wait. */
  drop(): void {
    this.#host.close()
  }

  #receive(message: FromEngine): void {
    if (this.#closed || message.type === "ready") return
    if (message.type === "host") this.#host.post(message.command)
    else if (message.type === "reply") this.#onReply(message)
    else if (message.event.type === "messages") this.#onMessages(message.id, message.event)
    else this.#onEvent(message.id, message.event)
  }

  /** Settles the requests of own messages. */
  #onMessages(id: string, run: MessageRun): void {
    const messages = messagesOf(run)
    this.#onEvent(id, { type: "run", run, messages })
    for (const [i, request] of run.requests.entries()) if (request !== null) this.#settle(request, messages[i])
  }

  #onEvent(id: string, event: Notification): void {
    const handle = this.#handlers.get(id)
    if (event.type === "closed") this.#handlers.delete(id)
    if (handle) return this.#notify(id, event, handle)
    const early = this.#early.get(id)
    if (early) early.push(event)
    else this.#early.set(id, [event])
  }

  #notify(id: string, event: Notification, handle: (event: ConferenceEvent) => void): void {
    this.#acknowledger.begin()
    if (event.type === "batch") return this.#acknowledger.end(id, event.from, event.bytes)
    // An exception of the application for one event must not lose the following messages.
    callSafely(() => handle(event))
  }

  #onReply(message: FromEngine & { type: "reply" }): void {
    if (message.ok) return this.#settle(message.request, message.result)
    const error = new KeymootError(message.code, message.message, { opensAtMs: message.opensAtMs })
    this.#take(message.request)?.reject(error)
  }

  #settle(request: number, result: unknown): void {
    this.#take(request)?.resolve(result as never)
  }

  #take(request: number): Waiting | undefined {
    const waiting = this.#waiting.get(request)
    this.#waiting.delete(request)
    return waiting
  }

  #post(message: ToEngine | SentGathering): void {
    if (!this.#closed) this.#outgoing.add(message)
  }

  #flush(outgoing: readonly (ToEngine | SentGathering)[]): void {
    if (this.#closed) return
    const messages = outgoing.map((each) => (each instanceof SentGathering ? each.run() : each))
    const run = messages.findLast((message) => message.type === "send")
    if (run) this.#foreseenBytes = run.bytes.length
    this.#deliver(messages)
  }

  /** Rejects calls whose arguments can't be cloned. The other messages of the turn still go. */
  #deliver(messages: readonly ToEngine[]): void {
    try {
      this.#thread.post(messages)
    } catch {
      if (messages.length > 1) for (const message of messages) this.#deliver([message])
      else this.#take((messages[0] as EngineRequest).request)?.reject(new KeymootError("invalid-argument", UNCLONEABLE))
    }
  }
}

export function aborted(): KeymootError {
  return new KeymootError("aborted", "The operation was cancelled.")
}

/**
 * Acknowledges each batch to the engine with this thread's processing time, including the work that it caused in the
 * same turn.
 */
export class BatchAcknowledger {
  readonly #answer: (answer: BatchTaken) => void
  readonly #nowMs: () => number
  #beganMs: number | null = null
  #ended: Omit<BatchTaken, "tookMs">[] = []

  constructor(answer: (answer: BatchTaken) => void, nowMs: () => number = () => performance.now()) {
    this.#answer = answer
    this.#nowMs = nowMs
  }

  /** Called before a batch is processed. */
  begin(): void {
    if (this.#beganMs !== null) return
    this.#beganMs = this.#nowMs()
    // Runs after work that listeners queued for the end of the turn, such as the board's first drawing.
    queueMicrotask(() => queueMicrotask(() => this.#flush()))
  }

  /** Called after the events of a batch. Work at the end of the turn still follows. */
  end(id: string, from: MemberId, bytes: number): void {
    this.#ended.push({ type: "taken", id, from, bytes })
  }

  #flush(): void {
    const [ended, nowMs] = [this.#ended, this.#nowMs()]
    const tookMs = nowMs - (this.#beganMs ?? nowMs)
    this.#ended = []
    this.#beganMs = null
    // Several batches of one turn share its time.
    for (const batch of ended) this.#answer({ ...batch, tookMs: tookMs / ended.length })
  }
}
