/** Dispatches delivered batches: channel messages, history, documents and requests for a new key. */
import type { MemberId, View, Sink } from "@keymoot/transport"
import type { DeliveryService, Member, SecurityEvent } from "../api/index.ts"
import { Assembling } from "../addressed/assembling.ts"
import type { EntryRules } from "../admission/entry-rules.ts"
import type { Position } from "../history/log-item.ts"
import type { BatchMessage } from "../multicast/batch.ts"
import { ownBuffer } from "../wire/index.ts"
import type { DriverEvent } from "../driver/driver-config.ts"
import type { Roster } from "./presented-view.ts"
import { eventOf, type LoggedMessage, type LogKeeper } from "./log-keeper.ts"
import { changesContent, MessageKind } from "../multicast/message-kind.ts"
import { batchId, joinInPlace, joinPayloads, type MessageRun, type Payloads } from "../rpc/message-runs.ts"
import { deliver, type OwnDelivery } from "../driver/outbox.ts"
import type { EngineEvent } from "../rpc/protocol.ts"

type Batch = DriverEvent & { readonly type: "batch" }
/** Sender of a batch, equal for all of its messages. */
type Sender = { readonly from: Member; readonly isViewer: boolean }
type Addressed = (typeof MessageKind)["addressed" | "request" | "response" | "refusal"]

export type ContentOutput =
  | EngineEvent
  /** A member wishes a new key. */
  | { readonly type: "refreshWish" }
  /** A member sent an invitation's secret to its view. */
  | { readonly type: "invitationSecret"; readonly from: MemberId; readonly secret: Uint8Array; readonly view: View }
/** `historyReceived`: a history transfer is complete. */
export type Delivered = ContentOutput | { readonly type: "historyReceived" }

export type DeliveriesConfig = {
  readonly self: MemberId
  readonly log: LogKeeper
  readonly roster: Pick<Roster, "member">
  readonly rules: Pick<EntryRules, "roleIn">
  readonly sink: Sink<Delivered>
}

export class Deliveries {
  readonly #config: DeliveriesConfig
  /** Number of agreed messages delivered in the present view. */
  #delivered = 0
  /** Members reported in the present view. Each is reported once a view. */
  readonly #reportedOf = new Set<MemberId>()
  readonly #addressed: Assembling

  constructor(config: DeliveriesConfig) {
    this.#config = config
    this.#addressed = new Assembling(config.self)
  }

  onView({ members }: View): void {
    this.#delivered = 0
    this.#reportedOf.clear()
    this.#addressed.onView(members)
  }

  /** Awaits only where a check is asynchronous. Otherwise all events of a batch cross to the page in one message. */
  async take(batch: Batch): Promise<void> {
    const { roster, rules } = this.#config
    const by: Sender = {
      from: roster.member(batch.sender),
      isViewer: rules.roleIn(batch.view, batch.sender) === "viewer",
    }
    const { messages, own, service } = batch
    for (let index = 0; index < messages.length;) {
      const end = by.isViewer ? index : endOfRun(messages, index)
      if (end > index) {
        this.#takeRun(batch, by.from, index, end)
        index = end
        continue
      }
      if (isInOrder(service)) this.#delivered++
      const taking = this.#takeOne(batch, by, index)
      // Also awaited for others' messages. Otherwise the next message of the batch could overtake this one.
      const taken = taking instanceof Promise ? await taking : taking
      const sent = own[index++]
      if (sent) deliver(sent, taken)
    }
  }

  /** Takes the messages of one channel in [`start`, `end`). */
  #takeRun(batch: Batch, from: Member, start: number, end: number): void {
    const { service } = batch
    const messages = batch.messages.slice(start, end)
    const own = batch.own.slice(start, end)
    const inOrder = isInOrder(service)
    const sequence = inOrder ? this.#delivered + 1 : this.#delivered
    if (inOrder) this.#delivered += messages.length
    const payloads = messages.map(({ payload }) => payload)
    const isAll = messages.length === batch.messages.length
    const joined = isAll ? joinInPlace(payloads) : joinPayloads(payloads)
    this.#config.sink.take({ ...this.#runOf(batch, from, start, joined), sequence })
    for (const each of own) deliver(each, "notified")
  }

  #takeOne(batch: Batch, { from, isViewer }: Sender, index: number): OwnDelivery | Promise<OwnDelivery> {
    const message = batch.messages[index]!
    const { view, sender } = batch
    const { channel, kind } = message
    const payload = ownBuffer(message.payload)
    const { sink } = this.#config
    if (changesContent(kind) && isViewer) return this.#ignore(sender)
    const position = { epoch: view.epoch, view: view.id, sequence: this.#delivered }
    switch (kind) {
      case MessageKind.logItem:
        return this.#takeLogItem(batch, channel, payload, position)
      case MessageKind.logChunk:
        return from.self ? null : this.#takeLogChunk(batch, from, payload)
      case MessageKind.refreshWish:
        sink.take({ type: "refreshWish" })
        return null
      case MessageKind.invitationSecret:
        sink.take({ type: "invitationSecret", from: sender, secret: payload, view })
        return null
      case MessageKind.addressed:
      case MessageKind.request:
      case MessageKind.response:
      case MessageKind.refusal:
        return this.#takePiece(batch, from, kind, index)
      default:
        sink.take({ type: "payload", channel, kind, from, payload })
        return null
    }
  }

  /** `joined` holds the payloads of the messages from `start` on. The run's position is that of the last delivery. */
  #runOf(batch: Batch, from: Member, start: number, joined: Payloads): MessageRun {
    const { view, sender, service, own } = batch
    const end = start + joined.lengths.length
    const messages = batch.messages.slice(start, end)
    return {
      type: "messages",
      channel: messages[0]!.channel,
      from,
      batch: batchId(sender, view.id, batch.sequence),
      index: start,
      sentAtMs: messages.map(({ sentAtMs }) => sentAtMs),
      epoch: view.epoch,
      view: view.id,
      sequence: this.#delivered,
      inOrder: isInOrder(service),
      requests: own.slice(start, end).map(({ request }) => request),
      ...joined,
    }
  }

  /** A message in pieces takes the position of its last piece. */
  #takePiece(batch: Batch, from: Member, kind: Addressed, index: number): OwnDelivery {
    const { sink } = this.#config
    const { channel, payload } = batch.messages[index]!
    const assembled = this.#addressed.take(from.id, payload)
    switch (assembled.type) {
      case "not-for-me":
        return null
      case "malformed":
        this.#report("invalid-content", from.id, "a malformed piece of a message")
        return null
      case "incomplete":
        sink.take({ type: "progress", channel, from, received: assembled.received, count: assembled.count })
        return null
      case "whole": {
        const run = this.#runOf(batch, from, index, joinPayloads([assembled.data]))
        if (kind === MessageKind.addressed) {
          sink.take(run)
          return "notified"
        }
        // Senders of requests and answers need no delivered message. They wait only for the sending.
        if (from.self) return null
        const { subject } = assembled
        if (kind === MessageKind.request) sink.take({ type: "request", channel, subject, run })
        else sink.take({ type: "response", channel, subject, run, refused: kind === MessageKind.refusal })
        return null
      }
    }
  }

  async #takeLogItem(
    { sender, service }: Batch,
    channel: string,
    payload: Uint8Array,
    position: Position,
  ): Promise<OwnDelivery> {
    // An unordered message would have different positions in the members' logs.
    const taken = isInOrder(service) ? await this.#config.log.take(sender, channel, payload, position) : null
    if (taken?.isNew) this.#notify(taken.message)
    if (!taken)
      this.#report("invalid-content", sender, "a message that it repeated, or that its signature does not cover")
    return taken && taken.message
  }

  async #takeLogChunk({ view }: Batch, by: Member, chunk: Uint8Array): Promise<null> {
    const { log, sink } = this.#config
    const taken = await log.takeChunk(by, chunk, view)
    if (taken.type === "messages") {
      const { messages, foreign } = taken
      for (const message of messages) this.#notify(message)
      if (messages.length > 0) sink.take({ type: "historyReceived" })
      if (foreign > 0) this.#report("foreign-author", by.id, `${foreign} messages of people who were never let in`)
    } else if (taken.type === "bad") this.#report("invalid-content", by.id, "a malformed history transfer")
    else this.#report("unexpected-history", by.id, "a history transfer that was not expected")
    return null
  }

  #notify(message: LoggedMessage): void {
    const event = eventOf(message)
    if (event) this.#config.sink.take(event)
  }

  #report(code: SecurityEvent["code"], member: MemberId, detail: string): void {
    this.#config.sink.take({ type: "security", event: { code, member, detail } })
  }

  /**
   * Ignores a viewer's message. The first one of each viewer in a view is reported. An honest viewer sends none, but a
   * member that just became a viewer may have some in flight.
   */
  #ignore(sender: MemberId): null {
    if (!this.#reportedOf.has(sender)) this.#report("beyond-role", sender, "a viewer's message was ignored")
    this.#reportedOf.add(sender)
    return null
  }
}

/**
 * Returns the index after the last of the consecutive messages of one channel that only need to be reported. Returns
 * `start` if there is none.
 */
function endOfRun(messages: readonly BatchMessage[], start: number): number {
  const { channel } = messages[start]!
  let end = start
  while (messages[end]?.kind === MessageKind.message && messages[end]!.channel === channel) end++
  return end
}

/** Whether the service gives a message the same position at all members. */
function isInOrder(service: DeliveryService): boolean {
  return service === "agreed" || service === "safe"
}
