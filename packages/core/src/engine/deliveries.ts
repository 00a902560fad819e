/** What a batch that was delivered means: messages of channels, history, documents, wishes. */
import type { MemberId } from "@keymoot/transport"
import type { DeliveryService, Member, SecurityEvent } from "../api.ts"
import type { Role } from "../admission/index.ts"
import type { Position } from "../history/index.ts"
import type { BatchMessage } from "../multicast/index.ts"
import { ownBuffer } from "../wire/index.ts"
import type { DriverEvent } from "./driver-config.ts"
import { eventOf, type LoggedMessage, type LogKeeper } from "./log-keeper.ts"
import { changesContent, MessageKind } from "./message-kind.ts"
import type { ConferenceEvent, EngineCalls } from "./protocol.ts"

type Batch = DriverEvent & { readonly type: "batch" }
/** The same for all messages of a batch. */
type Sender = { readonly from: Member; readonly isViewer: boolean }
type Taken = EngineCalls["conference.send"]["result"]

const utf8 = new TextDecoder()

export type DeliveriesConfig = {
  readonly log: LogKeeper
  readonly member: (id: MemberId) => Member
  /** In the batch's view. */
  readonly roleOf: (batch: Batch) => Role
  readonly emit: (event: ConferenceEvent) => void
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

  constructor(config: DeliveriesConfig) {
    this.#config = config
  }

  onView(): void {
    this.#delivered = 0
    this.#toldOf.clear()
  }

  /** Waits for nothing where nothing has to be checked: so the messages of a batch cross to the page as one. */
  async take(batch: Batch): Promise<void> {
    const { member, roleOf } = this.#config
    const by: Sender = { from: member(batch.sender), isViewer: roleOf(batch) === "viewer" }
    for (const [index, message] of batch.messages.entries()) {
      if (isInOrder(batch.service)) this.#delivered++
      const taking = this.#takeOne(batch, by, message, index)
      // Awaited for others' messages too, or the next of the batch would overtake this one.
      const taken = taking instanceof Promise ? await taking : taking
      batch.own[index]?.delivered(taken)
    }
  }

  #takeOne(batch: Batch, { from, isViewer }: Sender, message: BatchMessage, index: number): Taken | Promise<Taken> {
    const { view, sender, sequence } = batch
    const { channel, kind, sentAtMs } = message
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
      case MessageKind.message: {
        const id = `${sender}/${view.id}/${sequence}/${index}`
        const text = utf8.decode(payload)
        const said = { id, from, data: payload, text, sentAtMs, position, handedOver: false }
        emit({ type: "message", channel, message: said })
        return said
      }
      default:
        emit({ type: "payload", channel, kind, from, payload })
        return null
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

/** One place in the order at all members. */
function isInOrder(service: DeliveryService): boolean {
  return service === "agreed" || service === "safe"
}
