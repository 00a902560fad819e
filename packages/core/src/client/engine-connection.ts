/** The application's end of an engine: requests with replies, events by conference, and the host's part. */
import type { Host, HostEvent, MovedChannels } from "@keymoot/transport/host"
import { KeymootError } from "../api.ts"
import { messagesOf, type MessageRun, SentGathering } from "../engine/message-runs.ts"
import type {
  ConferenceEvent,
  EngineCall,
  EngineCalls,
  EngineRequest,
  FromEngine,
  ToEngine,
} from "../engine/protocol.ts"
import { callSafely } from "./emitter.ts"

/** Where the engine runs. */
export type EngineThread = {
  post(messages: readonly ToEngine[]): void
  /** Called once, before the first `post`. */
  listen(onMessages: (messages: readonly FromEngine[]) => void, onFailure: (error: KeymootError) => void): void
  close(): void
  /** Where it is not this one, and there may be browsers that move data channels to it. */
  readonly movedChannels?: MovedChannels
}

/** `movedChannels`: the engine thread's. */
export type EngineHostFactory = (onEvent: (event: HostEvent) => void, movedChannels?: MovedChannels) => Host

type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: KeymootError) => void }
/** Events that came before anybody listened: between a conference's start and the reply that names it. */
type Listener = { early: ConferenceEvent[] | null; handle: ((event: ConferenceEvent) => void) | null }

export class EngineConnection {
  readonly #thread: EngineThread
  readonly #host: Host
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, Listener>()
  #outgoing: (ToEngine | SentGathering)[] = []
  #requests = 0
  /** The next run may be as long as the last. */
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

  /** Behind what was sent before it in this turn, if it is for the same. */
  #send(request: number, { payload, ...sent }: EngineCalls["conference.send"]["params"]): void {
    const last = this.#outgoing.at(-1)
    if (last instanceof SentGathering && last.add(request, sent, payload)) return
    const gathering = new SentGathering(request, sent, this.#foreseenBytes)
    gathering.add(request, sent, payload)
    this.#post(gathering)
  }

  /** Events of a conference, from its first on. */
  listen(id: string, handle: (event: ConferenceEvent) => void): void {
    const early = this.#listeners.get(id)?.early ?? []
    this.#listeners.set(id, { early: null, handle })
    for (const event of early) callSafely(() => handle(event))
    if (early.some((event) => event.type === "closed")) this.#listeners.delete(id)
  }

  close(reason = new KeymootError("closed", "This identity was closed. Open it again.")): void {
    if (this.#closed) return
    this.#closed = reason
    this.#host.close()
    this.#thread.close()
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    for (const { handle } of this.#listeners.values()) handle?.({ type: "closed", reason: "engine-failed" })
    this.#listeners.clear()
  }

  get isClosed(): boolean {
    return this.#closed !== null
  }

  /** Ends every connection at once: the page is going away and cannot wait for anything. */
  drop(): void {
    this.#host.close()
  }

  #receive(message: FromEngine): void {
    if (this.#closed) return
    if (message.type === "host") this.#host.post(message.command)
    else if (message.type === "reply") this.#onReply(message)
    else if (message.event.type === "messages") this.#onMessages(message.id, message.event)
    else this.#onEvent(message.id, message.event)
  }

  /** Whoever has sent one of them is answered with it. */
  #onMessages(id: string, run: MessageRun): void {
    const messages = messagesOf(run)
    this.#onEvent(id, { type: "run", run, messages })
    for (const [i, request] of run.requests.entries()) if (request !== null) this.#settle(request, messages[i])
  }

  #onEvent(id: string, event: ConferenceEvent): void {
    const listener = this.#listeners.get(id) ?? { early: [], handle: null }
    this.#listeners.set(id, listener)
    if (event.type === "closed" && listener.handle) this.#listeners.delete(id)
    const { handle } = listener
    // What an application does with one event must not cost it the messages behind it.
    if (handle) callSafely(() => handle(event))
    else listener.early?.push(event)
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

  /** What is posted in one turn crosses as one message. */
  #post(message: ToEngine | SentGathering): void {
    if (this.#closed) return
    if (this.#outgoing.length === 0) queueMicrotask(() => this.#flush())
    this.#outgoing.push(message)
  }

  #flush(): void {
    const outgoing = this.#outgoing
    this.#outgoing = []
    if (this.#closed) return
    const messages = outgoing.map((each) => (each instanceof SentGathering ? each.run() : each))
    const run = messages.findLast((message) => message.type === "send")
    if (run) this.#foreseenBytes = run.bytes.length
    this.#thread.post(messages)
  }
}

export function aborted(): KeymootError {
  return new KeymootError("aborted", "This was called off before it was done.")
}
