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

/** `service`: `agreed` unless given. Channels with a history take `agreed` and `safe` only, others become `agreed`. */
export type SendOptions = { readonly service?: DeliveryService; readonly signal?: AbortSignal }

export type ChannelOptions = {
  /** Keep a bounded log and hand it to newcomers, as far as the conference's history policy lets them see it. */
  readonly history?: boolean
}

export type ChannelEvents = {
  /** Own messages come too, in their place. What has been received so far is replayed to late subscribers (bounded). */
  message: (message: ChannelMessage) => void
  /** Their author has taken these messages (by `id`) back: whoever shows or keeps them does so no more. */
  erased: (messages: readonly string[]) => void
}

export interface Channel {
  readonly name: string
  /**
   * Resolves when the message has been delivered here in its place in the order; held while a key is being agreed.
   * Rejects with `KeymootError`: `too-large`, `queue-full`, `closed`, `aborted`.
   */
  send(data: string | Uint8Array, options?: SendOptions): Promise<ChannelMessage>
  /**
   * On a channel with a history: takes messages of this member (1 to 64, by `id`) out of the log and the stored copy of
   * every member, as each of them hears of it, and out of what newcomers are handed. Who has read them may have kept them.
   * @throws KeymootError `invalid-argument` for messages of somebody else, and as `send`
   */
  erase(messages: readonly string[]): Promise<void>
  on<E extends keyof ChannelEvents>(event: E, listener: ChannelEvents[E], options?: ListenOptions): Unsubscribe
}
