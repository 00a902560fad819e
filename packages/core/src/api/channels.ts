import type { MemberId } from "@keymoot/transport"
import type { ListenOptions, Snapshots, Unsubscribe } from "./events.ts"
import type { Member } from "./members.ts"

export type ChannelMessage = {
  /** Unique in the conference, equal at all members. */
  readonly id: string
  /** The sender as known when the message arrived. */
  readonly from: Member
  readonly data: Uint8Array
  /** `data` as UTF-8. */
  readonly text: string
  /** The sender's clock, milliseconds since 1970: for display only. */
  readonly sentAtMs: number
  /** Position in the order of all members: (epoch, view, sequence). `Channel.log` sorts messages of a history by it. */
  readonly position: { readonly epoch: number; readonly view: string; readonly sequence: number }
  /** Null if the message came from its author. */
  readonly transferred: Transferred | null
}

/**
 * Origin of a message that was sent before this member arrived or while it was disconnected. The author's signature
 * proves the text. Nothing proves its position, or that no other message was left out. Both depend on the member that
 * transferred it.
 */
export type Transferred = {
  /** The member that transferred the message. */
  readonly by: Member
  /**
   * True if the author certainly was or could have been in the conference. Then the roster or the authority names it, a
   * host admitted it, or this member met it since it entered, or verified it. False if the link alone admits. Then the
   * author may be made up.
   */
  readonly authorKnown: boolean
}

/**
 * Delivery guarantee of a message. Members that stay together deliver the same messages of every service but
 * `unreliable`.
 *
 * - `unreliable`: may be lost. It is dropped if a newer one of its sender has arrived.
 * - `reliable`: not lost.
 * - `fifo`: in the order of its sender.
 * - `causal`: after all messages that its sender had received.
 * - `agreed`: causal, and in one order at all members.
 * - `safe`: agreed, and delivered only when every member has the message. So a member that sees it knows that all
 *   others will.
 */
export type DeliveryService = "unreliable" | "reliable" | "fifo" | "causal" | "agreed" | "safe"

export type SendOptions = {
  /**
   * `agreed` by default. Channels with a history support `agreed` and `safe`; any other becomes `agreed`. For a message
   * in several pieces `unreliable` and `reliable` become `fifo`.
   */
  readonly service?: DeliveryService
  /**
   * Ids of the 1 to 127 members that get the message, besides this one. All members by default, and always on channels
   * with a history. Targets do not keep the message secret from other members, because all hold the same key.
   */
  readonly targets?: readonly MemberId[]
  /**
   * Ids of the members that the author knows to be present. The message is sent only in a view with no other members
   * besides this one, and otherwise fails with `unseen-readers`. So a newcomer can't read a message that waited for a
   * key. No restriction by default. It does not concern what a history policy transfers to newcomers later, or
   * documents.
   */
  readonly readers?: readonly MemberId[]
  readonly signal?: AbortSignal
  /** A piece has been delivered here: `sent` of `count`. A message of at most 128 KiB without targets is one piece. */
  readonly onProgress?: (progress: { readonly sent: number; readonly count: number }) => void
}

/** Returns the answer; null for none. Then the asking member gets `no-answer`. */
export type RequestHandler = (request: ChannelMessage) => Answer | Promise<Answer>
type Answer = string | Uint8Array | null

export type ChannelOptions = {
  /**
   * Keeps a bounded log and transfers it to newcomers, as far as the conference's history policy allows. All members
   * must open the channel with it. The channel delivers only messages that authors have signed for the log, and ignores
   * all others.
   */
  readonly history?: boolean
}

export type ChannelEvents = {
  /**
   * A message has arrived, own ones included. On a channel with a history its position may be before earlier arrivals:
   * `Channel.log` shows the order. Late subscribers get the content of the log before `on` returns, after a restart
   * also the messages of earlier runs.
   *
   * A member can transfer a message, with an earlier position, before its delivery. Then the event comes again with the
   * delivered one, which has the same `id` and replaces it.
   */
  message: (message: ChannelMessage) => void
  /** A piece of a message has arrived: `received` of `count`. `message` follows the last one. */
  progress: (progress: { readonly from: Member; readonly received: number; readonly count: number }) => void
  /** The author has erased these messages (by `id`). An application that shows or stores them must delete them. */
  erased: (messages: readonly string[]) => void
}

/**
 * Messages of a channel in order: the last 2000, at most 8 MiB.
 *
 * On a channel with a history that is the order of all members (`ChannelMessage.position`). A message that arrives late
 * is inserted at its position. That happens with a history transfer to a newcomer, and after the merge of a partition.
 *
 * Members that a partition separates can have the last messages before it in different orders. Those of one author have
 * the same order at all.
 *
 * At either bound the first messages are dropped. An erased message is removed. A delivery replaces
 * the same message that a member transferred before it. Nothing else about a message changes.
 *
 * On a channel without a history no message arrives late. The order is that of delivery.
 */
export type ChannelLog = Snapshots<readonly ChannelMessage[]>

export interface Channel {
  readonly name: string
  /** Returns the same object on each call. */
  log(): ChannelLog
  /**
   * Resolves when the message has been delivered here at its position in the order. Messages wait while a key is being
   * agreed.
   *
   * A message of more than 128 KiB, up to 8 MiB, is sent in pieces of 64 KiB. Messages of other members and other
   * channels go in between; later ones of this member on this channel wait. It takes the position of its last piece.
   * Members that were present at its start get it. With a history the limit is 127 KiB.
   * @throws KeymootError `invalid-argument`, `too-large`, `queue-full`, `unseen-readers`, `not-permitted`, `closed`,
   * `aborted`
   */
  send(data: string | Uint8Array, options?: SendOptions): Promise<ChannelMessage>
  /**
   * Sends a request to one member, on any channel, and resolves with its answer (each up to 8 MiB). The request arrives
   * after everything that this member had received. It has no timeout except `signal`.
   * @throws KeymootError `no-answer`: the member is absent, leaves, or its application does not answer;
   * `invalid-argument` for oneself; and as `send`
   */
  request(to: MemberId, data: string | Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<ChannelMessage>
  /** Answers requests on this channel. Without a handler they get `no-answer`. The last registered handler answers. */
  answer(handler: RequestHandler, options?: ListenOptions): Unsubscribe
  /**
   * On a channel with a history: erases messages of this member (1 to 64, by `id`). Every member deletes them from its
   * log and its local copy as soon as the erasure reaches it. Later history transfers omit them. A member that has read
   * them may have kept a copy elsewhere.
   * @throws KeymootError `invalid-argument` for another member's messages, and as `send`
   */
  erase(messages: readonly string[]): Promise<void>
  on<E extends keyof ChannelEvents>(event: E, listener: ChannelEvents[E], options?: ListenOptions): Unsubscribe
}
