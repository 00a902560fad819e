/** What a batch that was delivered means: messages of channels, history, documents, wishes. */
import type { MemberId, View } from "@keymoot/transport"
import type { DeliveryService, Member, SecurityEvent } from "../api.ts"
import { Assembling } from "../addressed/index.ts"
import type { Role } from "../admission/index.ts"
import type { Position } from "../history/index.ts"
import type { BatchMessage } from "../multicast/index.ts"
import { ownBuffer } from "../wire/index.ts"
import type { DriverEvent } from "./driver-config.ts"
import { eventOf, type LoggedMessage, type LogKeeper } from "./log-keeper.ts"
import { changesContent, MessageKind } from "./message-kind.ts"
import { batchId, joinInPlace, joinPayloads, type MessageRun, type Payloads } from "./message-runs.ts"
import type { Taken } from "./outbox.ts"
import type { EngineEvent } from "./protocol.ts"

type Batch = DriverEvent & { readonly type: "batch" }
/** The same for all messages of a batch. */
type Sender = { readonly from: Member; readonly isViewer: boolean }
type Addressed = (typeof MessageKind)["addressed" | "request" | "response" | "refusal"]

export type DeliveriesConfig = {
  readonly self: MemberId
  readonly log: LogKeeper
  readonly member: (id: MemberId) => Member
  /** In the batch's view. */
  readonly roleOf: (batch: Batch) => Role
  readonly emit: (event: EngineEvent) => void
  readonly report: (code: SecurityEvent["code"], member: MemberId, detail: string) => void
  readonly onRefreshWish: () => void
  readonly onSecret: (batch: Batch, secret: Uint8Array) => void
}

export class Deliveries {
  readonly #config: DeliveriesConfig
  /** Agreed messages delivered in the present view. */
  #delivered = 0
  /** Told once a view. */
  readonly #toldOf = new Set<MemberId>()
  readonly #addressed: Assembling

  constructor(config: DeliveriesConfig) {
    this.#config = config
    this.#addressed = new Assembling(config.self)
  }

  onView({ members }: View): void {
    this.#delivered = 0
    this.#toldOf.clear()
    this.#addressed.onView(members)
  }

  /** Waits for nothing where nothing has to be checked: so what a batch brings crosses to the page as one. */
  async take(batch: Batch): Promise<void> {
    const { member, roleOf } = this.#config
    const by: Sender = { from: member(batch.sender), isViewer: roleOf(batch) === "viewer" }
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
      // Awaited for others' messages too, or the next of the batch would overtake this one.
      const taken = taking instanceof Promise ? await taking : taking
      own[index++]?.delivered(taken)
    }
  }

  /** The messages of one channel from `start` to before `end`. */
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
    this.#config.emit({ ...this.#runOf(batch, from, start, joined), sequence })
    for (const { delivered } of own) delivered("told")
  }

  #takeOne(batch: Batch, { from, isViewer }: Sender, index: number): Taken | Promise<Taken> {
    const message = batch.messages[index]!
    const { view, sender } = batch
    const { channel, kind } = message
    const payload = ownBuffer(message.payload)
    const { emit } = this.#config
    if (changesContent(kind) && isViewer) return this.#ignore(sender)
    const position = { epoch: view.epoch, view: view.id, sequence: this.#delivered }
    switch (kind) {
      case MessageKind.logItem:
        return this.#takeLogItem(batch, channel, payload, position)
      case MessageKind.logChunk:
        return from.self ? null : this.#takeLogChunk(batch, payload)
      case MessageKind.refreshWish:
        this.#config.onRefreshWish()
        return null
      case MessageKind.invitationSecret:
        this.#config.onSecret(batch, payload)
        return null
      case MessageKind.addressed:
      case MessageKind.request:
      case MessageKind.response:
      case MessageKind.refusal:
        return this.#takePiece(batch, from, kind, index)
      default:
        emit({ type: "payload", channel, kind, from, payload })
        return null
    }
  }

  /** `joined`: what the messages from `start` on say. Its place is that of what was delivered last. */
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

  /** The message stands where its last piece does. */
  #takePiece(batch: Batch, from: Member, kind: Addressed, index: number): Taken {
    const { emit, report } = this.#config
    const { channel, payload } = batch.messages[index]!
    const assembled = this.#addressed.take(from.id, payload)
    switch (assembled.type) {
      case "not-for-me":
        return null
      case "malformed":
        report("invalid-content", from.id, "a message in pieces that cannot be read")
        return null
      case "incomplete":
        emit({ type: "progress", channel, from, received: assembled.received, count: assembled.count })
        return null
      case "whole": {
        const run = this.#runOf(batch, from, index, joinPayloads([assembled.data]))
        if (kind === MessageKind.addressed) {
          emit(run)
          return "told"
        }
        // Of requests and answers their sender wants to know only that they are on their way.
        if (from.self) return null
        const { subject } = assembled
        if (kind === MessageKind.request) emit({ type: "request", channel, subject, run })
        else emit({ type: "response", channel, subject, run, refused: kind === MessageKind.refusal })
        return null
      }
    }
  }

  async #takeLogItem(
    { sender, service }: Batch,
    channel: string,
    payload: Uint8Array,
    position: Position,
  ): Promise<Taken> {
    // Outside the order it would have another place in everybody's log.
    const logged = isInOrder(service) ? await this.#config.log.take(sender, channel, payload, position) : null
    if (logged) this.#tell(logged)
    else this.#config.report("invalid-content", sender, "a message that its sender did not sign for this place")
    return logged
  }

  async #takeLogChunk({ sender, view }: Batch, chunk: Uint8Array): Promise<null> {
    const handedOver = await this.#config.log.takeChunk(sender, chunk, view)
    if (handedOver === "bad") this.#config.report("invalid-content", sender, "a history that cannot be read")
    else for (const item of handedOver) this.#tell(item)
    return null
  }

  #tell(message: LoggedMessage): void {
    const event = eventOf(message)
    if (event) this.#config.emit(event)
  }

  /** An honest program of a viewer sends none; one who was just made a viewer may have something on the way. */
  #ignore(sender: MemberId): null {
    if (!this.#toldOf.has(sender)) this.#config.report("beyond-role", sender, "a viewer's message was ignored")
    this.#toldOf.add(sender)
    return null
  }
}

/** Behind the last of the messages of one channel that nothing has to be done with but to tell them; `start` if it is none. */
function endOfRun(messages: readonly BatchMessage[], start: number): number {
  const { channel } = messages[start]!
  let end = start
  while (messages[end]?.kind === MessageKind.message && messages[end]!.channel === channel) end++
  return end
}

/** One place in the order at all members. */
function isInOrder(service: DeliveryService): boolean {
  return service === "agreed" || service === "safe"
}
