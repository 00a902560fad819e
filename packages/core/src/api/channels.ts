import type { MemberId } from "@keymoot/transport"
import type { ListenOptions, Unsubscribe } from "./listening.ts"
import type { Member } from "./members.ts"

export type ChannelMessage = {
  /** Unique in the conference, equal at all members. */
  readonly id: string
  /** As known when it came; `changedKey` is about the members of a view, and says nothing here. */
  readonly from: Member
  readonly data: Uint8Array
  /** `data` as UTF-8. */
  readonly text: string
  /** The sender's clock, milliseconds since 1970: for display only. */
  readonly sentAtMs: number
  /** Where it stands: sort by (epoch, view, sequence), and all members see one order. */
  readonly position: { readonly epoch: number; readonly view: string; readonly sequence: number }
  /** Sent before this member came; handed over by another member, proved by its author's signature. */
  readonly handedOver: boolean
}

/**
 * What is promised of a message. Members that stay together deliver the same messages of every service but the first.
 * unreliable: may be lost, and comes only if nothing newer of its sender has; reliable: not lost;
 * fifo: in the order of its sender; causal: after everything its sender had received; agreed: causal, and in one order at
 * all members; safe: agreed, and only when every member has it, so that whoever sees it knows that all will.
 */
export type DeliveryService = "unreliable" | "reliable" | "fifo" | "causal" | "agreed" | "safe"

export type SendOptions = {
  /**
   * `agreed` unless given. Channels with a history take `agreed` and `safe` only, others become `agreed`; of a message in
   * several pieces `unreliable` and `reliable` become `fifo`.
   */
  readonly service?: DeliveryService
  /**
   * Who gets it, besides this member: ids of 1 to 127 members; everybody unless given, and always on channels with a
   * history. This saves the others' attention and keeps nothing secret from them: the key is the whole conference's.
   */
  readonly targets?: readonly MemberId[]
  readonly signal?: AbortSignal
  /** A piece has been delivered here: `sent` of `count`. What has at most 128 KiB, and no targets, is one piece. */
  readonly onProgress?: (progress: { readonly sent: number; readonly count: number }) => void
}

/** Gives the answer; null where there is none: then the asker gets `no-answer`. */
export type RequestHandler = (request: ChannelMessage) => Answer | Promise<Answer>
type Answer = string | Uint8Array | null

export type ChannelOptions = {
  /** Keep a bounded log and hand it to newcomers, as far as the conference's history policy lets them see it. */
  readonly history?: boolean
}

export type ChannelEvents = {
  /** Own messages come too, in their place. What has been received so far is replayed to late subscribers (bounded). */
  message: (message: ChannelMessage) => void
  /** A piece of a message in several has come: `received` of `count`; `message` follows the last. */
  progress: (progress: { readonly from: Member; readonly received: number; readonly count: number }) => void
  /** Their author has taken these messages (by `id`) back: whoever shows or keeps them does so no more. */
  erased: (messages: readonly string[]) => void
}

export interface Channel {
  readonly name: string
  /**
   * Resolves when the message has been delivered here in its place in the order; held while a key is being agreed.
   *
   * More than 128 KiB, up to 8 MiB, goes in pieces of 64 KiB: what is said on other channels, and by others, goes in between;
   * what this member sends on the same channel waits behind it. It stands where its last piece does, and comes to those who
   * were here when it was begun. With a history 128 KiB are the bound.
   * @throws KeymootError `invalid-argument`, `too-large`, `queue-full`, `not-permitted`, `closed`, `aborted`
   */
  send(data: string | Uint8Array, options?: SendOptions): Promise<ChannelMessage>
  /**
   * Asks one member, on any channel, and resolves with its answer (each up to 8 MiB); it comes after all that this member had
   * received. There is no time limit but `signal`.
   * @throws KeymootError `no-answer`: it is not here, leaves, or its program does not answer; `invalid-argument` for oneself; and
   * as `send`
   */
  request(to: MemberId, data: string | Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<ChannelMessage>
  /** Answers the requests of others on this channel; without a handler they get `no-answer`. The last handler given counts. */
  answer(handler: RequestHandler, options?: ListenOptions): Unsubscribe
  /**
   * On a channel with a history: takes messages of this member (1 to 64, by `id`) out of the log and the stored copy of
   * every member, as each of them hears of it, and out of what newcomers are handed. Who has read them may have kept them.
   * @throws KeymootError `invalid-argument` for messages of somebody else, and as `send`
   */
  erase(messages: readonly string[]): Promise<void>
  on<E extends keyof ChannelEvents>(event: E, listener: ChannelEvents[E], options?: ListenOptions): Unsubscribe
}
