import type { MemberId } from "@keymoot/transport"
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { KeymootError, type ChannelMessage, type RequestHandler, type Unsubscribe } from "../../api/index.ts"
import { MessageKind } from "../../multicast/message-kind.ts"
import { payloadOf } from "../../rpc/message-runs.ts"
import type { MessagePieces } from "./message-pieces.ts"
import type { PresentState } from "./present-state.ts"
import { callSafely } from "./emitter.ts"
import { aborted } from "./engine-connection.ts"

/** Bound on requests of one channel that wait for an answer. Beyond it `request` rejects. */
export const REQUESTS_MAX = 1000
/** Bound on others' requests that one channel answers concurrently. Excess requests are refused. */
export const ANSWERING_MAX = 64

/** The same bound for one asking member, so that it can't use up the places of all others. */
export const ANSWERING_OF_ONE_MAX = 16

type Waiting = {
  readonly to: MemberId
  readonly resolve: (answer: ChannelMessage) => void
  readonly reject: (error: KeymootError) => void
}

export type RequestsConfig = {
  readonly present: Pick<PresentState, "view">
  readonly channel: string
  readonly pieces: Pick<MessagePieces, "send">
}

/** Requests and answers of one channel. */
export class Requests {
  readonly #config: RequestsConfig
  /** Waiting requests by subject. */
  readonly #waiting = new Map<string, Waiting>()
  #handler: RequestHandler | null = null
  #answering = 0
  readonly #answeringOf = new Map<MemberId, number>()

  constructor(config: RequestsConfig) {
    this.#config = config
  }

  /** @throws KeymootError `no-answer`, `invalid-argument`, `queue-full`, and as `Channel.send` */
  async ask(to: MemberId, data: Uint8Array, signal: AbortSignal | undefined): Promise<ChannelMessage> {
    if (signal?.aborted) throw aborted()
    const asked = this.#config.present.view.members.find(({ id }) => id === to)
    if (asked?.self)
      throw new KeymootError("invalid-argument", "A request to yourself has no answer. Ask another member.")
    if (!asked) throw noAnswer("This member is not in the conference.")
    if (this.#waiting.size >= REQUESTS_MAX) {
      throw new KeymootError("queue-full", "Too many requests wait for an answer. Wait until some have one.")
    }
    const subject = bytesToHex(randomBytes(16))
    const giveUp = (): void => this.#take(subject)?.reject(aborted())
    signal?.addEventListener("abort", giveUp, { once: true })
    try {
      return await new Promise<ChannelMessage>((resolve, reject) => {
        this.#waiting.set(subject, { to, resolve, reject })
        this.#send(MessageKind.request, to, subject, data, signal).catch(reject)
      })
    } finally {
      this.#waiting.delete(subject)
      signal?.removeEventListener("abort", giveUp)
    }
  }

  /** The last registered handler answers. */
  answer(handler: RequestHandler, signal: AbortSignal | undefined): Unsubscribe {
    if (signal?.aborted) return () => undefined
    this.#handler = handler
    const off = (): void => {
      if (this.#handler === handler) this.#handler = null
      signal?.removeEventListener("abort", off)
    }
    signal?.addEventListener("abort", off, { once: true })
    return off
  }

  // Events of the conference

  async onRequest(subject: string, request: ChannelMessage): Promise<void> {
    const answer = (data: string | Uint8Array | null): Promise<unknown> =>
      this.#sendAnswer(request.from.id, subject, data)
    // An answer that is too large fails to send. The asking member or this one may also be gone.
    await answer(await this.#answerTo(request))
      .catch(() => answer(null))
      .catch(() => undefined)
  }

  onResponse(subject: string, answer: ChannelMessage, refused: boolean): void {
    // All members know the subject, so the sender of the answer is checked.
    if (this.#waiting.get(subject)?.to !== answer.from.id) return
    const waiting = this.#take(subject)!
    if (refused) waiting.reject(noAnswer("This member does not answer such requests, or failed to."))
    else waiting.resolve(answer)
  }

  /**
   * A view is installed. A member outside of its transitional set may not have the requests, and its next incarnation
   * knows none of them.
   */
  onViewStart(transitional: readonly MemberId[]): void {
    for (const [subject, { to }] of this.#waiting) {
      if (!transitional.includes(to)) this.#take(subject)!.reject(noAnswer("This member has left, or was cut off."))
    }
  }

  close(): void {
    const closed = new KeymootError("closed", "You are no longer in this conference. Join it again.")
    for (const subject of this.#waiting.keys()) this.#take(subject)!.reject(closed)
  }

  /** Returns null if there is no answer. Local errors are not disclosed to the asking member. */
  async #answerTo(request: ChannelMessage): Promise<string | Uint8Array | null> {
    const [handler, asker] = [this.#handler, request.from.id]
    const ofAsker = this.#answeringOf.get(asker) ?? 0
    if (!handler || this.#answering >= ANSWERING_MAX || ofAsker >= ANSWERING_OF_ONE_MAX) return null
    this.#answering++
    this.#answeringOf.set(asker, ofAsker + 1)
    try {
      return await handler(request)
    } catch (error) {
      callSafely(() => {
        throw error
      })
      return null
    } finally {
      this.#answering--
      const left = this.#answeringOf.get(asker)! - 1
      if (left > 0) this.#answeringOf.set(asker, left)
      else this.#answeringOf.delete(asker)
    }
  }

  /** `data`: null for a refusal. */
  async #sendAnswer(to: MemberId, subject: string, data: string | Uint8Array | null): Promise<unknown> {
    const kind = data === null ? MessageKind.refusal : MessageKind.response
    return this.#send(kind, to, subject, payloadOf(data ?? ""))
  }

  /** Rejects as `Channel.send`. */
  #send(kind: MessageKind, to: MemberId, subject: string, data: Uint8Array, signal?: AbortSignal): Promise<unknown> {
    const { pieces, channel } = this.#config
    return pieces.send({ channel, service: "causal", kind, data, targets: [to], subject }, { signal })
  }

  #take(subject: string): Waiting | undefined {
    const waiting = this.#waiting.get(subject)
    this.#waiting.delete(subject)
    return waiting
  }
}

function noAnswer(why: string): KeymootError {
  return new KeymootError("no-answer", `${why} Ask somebody else, or again later.`)
}
