/**
 * Everything that this member sends. Two queues stand before the group core, one after it:
 *
 * | stage | queue before it | runs |
 * | --- | --- | --- |
 * | seal a batch, sign its frame, number it in the group | `outbox`, `bulk`, `agreement` | one frame at a time |
 * | sign the group's other frames | `signing` | all that wait, concurrently |
 * | pass to the links, in the group's order | none | all of a round in one turn of the event loop |
 *
 * The last stage keeps an agreed message of the sequencer and its ORDER together. They share a frame of the link, so no
 * member can deliver one without the other.
 */
import type { Faults } from "../platform/surroundings.ts"
import {
  ORDER_ENTRIES_MAX,
  UNSTABLE_FRAMES_MAX,
  type Frame,
  type FramePayload,
  type GroupCore,
  type GroupFrame,
  type GroupInput,
  type LinkMessage,
  type MemberId,
  type Order,
  type OrderEntry,
  type Sink,
  type ProposalId,
  type Randomness,
  type Sending,
  type Signer,
  type View,
} from "@keymoot/transport"
import type { KeymootError } from "../api/index.ts"
import { openTrusted, signFrame, type FrameOpener } from "../frames/frame-opener.ts"
import { batchNumber, encodeBatch, type BatchService } from "../multicast/batch.ts"
import type { Epoch, PresentEpoch } from "../multicast/epoch.ts"
import type { MemberLinks } from "./member-links.ts"
import { fail, Outbox, type Outbound } from "./outbox.ts"

/**
 * Bound on messages of the group that wait for a signature or for an earlier one's. Beyond it further ones are dropped.
 * The group repeats each of them: frames after heartbeats, SYNCs after the next PROPOSE, ORDERs on request.
 */
export const SIGNING_MESSAGES_MAX = 8192
/**
 * Bound on messages about the key of one view that wait to be sent (`agreement`). Beyond it further ones are dropped.
 * The key is not agreed then, and the members change the view. An honest member has a few.
 */
export const AGREEMENT_MESSAGES_MAX = 1024
/**
 * Share of a link's window that one batch may fill. A batch is sent as a whole, so smaller ones keep the window full
 * without exceeding it.
 */
const BATCH_OF_WINDOW = 1 / 4
const NONCE_BYTES = 16

/** `plaintext` as it was sealed, so that own batches need no decryption. */
export type OwnBatch = { readonly messages: readonly Outbound[]; readonly plaintext: Uint8Array }
/** Answer to the group's flush request. */
export type Flush = { readonly proposal: ProposalId; readonly attachment: Uint8Array }

/**
 * Part of a view change that concerns sending. `draining`: a flush was requested while a frame was being made. It is
 * answered once that frame is in the group. `flushed`: nothing is sent until the next view.
 */
type Phase = { readonly name: "sending" | "flushed" } | { readonly name: "draining"; readonly flush: Flush }

type Unsigned<P> = { readonly to: readonly MemberId[]; readonly view: View["id"]; readonly payload: P }
type UnsignedOrder = Unsigned<{
  readonly kind: "order"
  readonly message: { readonly first: number; readonly entries: OrderEntry[] }
}>
type Waiting =
  | { readonly type: "send"; readonly to: readonly MemberId[]; readonly message: LinkMessage; readonly how: Sending }
  | ({ readonly type: "sign" } & Unsigned<FramePayload>)
  | { readonly type: "idle"; readonly done: () => void }

export type SendPipelineConfig = {
  readonly self: MemberId
  readonly conferenceTag: Uint8Array
  readonly signer: Signer
  readonly random: Randomness
  readonly links: MemberLinks
  readonly group: GroupCore
  readonly epoch: PresentEpoch
  /** Trusts frames that are signed here. */
  readonly opener: Pick<FrameOpener, "trust">
  readonly inputs: Sink<GroupInput>
  readonly faults: Faults
}

export class SendPipeline {
  readonly #config: SendPipelineConfig
  readonly #outbox = new Outbox()
  readonly #bulk = new Outbox()
  /** Messages about the present view's key. */
  #agreement: Uint8Array[] = []
  #signing: Waiting[] = []
  /** ORDER at the end of `signing`. One signature covers all entries that are added until its round. */
  #waitingOrder: UnsignedOrder | null = null
  /** Own batches that are not delivered here, by view and number. At `UNSTABLE_FRAMES_MAX` further messages wait. */
  readonly #unstable = new Map<string, OwnBatch>()
  #phase: Phase = { name: "sending" }
  #making = false
  #pumping = false
  #isSigning = false
  #closed = false

  constructor(config: SendPipelineConfig) {
    this.#config = config
  }

  // The application's messages

  /** @throws KeymootError `queue-full` */
  push(outbound: Outbound): void {
    this.#outboxOf(outbound).push(outbound)
    // Messages of one turn of the event loop share a batch.
    if (this.#pumping) return
    this.#pumping = true
    queueMicrotask(() => {
      this.#pumping = false
      this.pump()
    })
  }

  withdraw(outbound: Outbound): boolean {
    return this.#outboxOf(outbound).withdraw(outbound)
  }

  #outboxOf({ bulk }: Outbound): Outbox {
    return bulk ? this.#bulk : this.#outbox
  }

  /** Whether no message of the application waits or is unstable. */
  get drained(): boolean {
    return this.#outbox.length === 0 && this.#bulk.length === 0 && this.#unstable.size === 0 && !this.#making
  }

  /** Whether nothing waits at all. */
  get isIdle(): boolean {
    return this.drained && this.#agreement.length === 0 && !this.#isSigning
  }

  /** Number of entries of each queue. */
  get fills(): Readonly<Record<"outbox" | "bulk" | "agreement" | "signing" | "unstable", number>> {
    return {
      outbox: this.#outbox.length,
      bulk: this.#bulk.length,
      agreement: this.#agreement.length,
      signing: this.#signing.length,
      unstable: this.#unstable.size,
    }
  }

  /** Bytes of messages that wait to be sent. */
  get waitingBytes(): number {
    return this.#outbox.bytes + this.#bulk.bytes
  }

  /** Returns the source of an own batch that was delivered. */
  takeOwn(view: View["id"], number: number): OwnBatch | null {
    const key = `${view}/${number}`
    const batch = this.#unstable.get(key) ?? null
    this.#unstable.delete(key)
    return batch
  }

  // View changes

  pushAgreement(body: Uint8Array): void {
    if (this.#agreement.length < AGREEMENT_MESSAGES_MAX) this.#agreement.push(body)
  }

  /** Ends sending in this view. A later flush replaces one that is not answered yet. */
  flush(flush: Flush): void {
    this.#phase = { name: "draining", flush }
  }

  onView(): void {
    this.#agreement = []
    this.#phase = { name: "sending" }
  }

  // Making frames

  /** Makes the next frame, or answers the flush once none is being made. Call it after each step of the group. */
  pump(): void {
    if (this.#making || this.#closed) return
    if (this.#phase.name === "draining") return this.#answer(this.#phase.flush)
    const make = this.#nextFrame()
    if (!make) return
    this.#making = true
    make()
      .catch(this.#config.faults.fail)
      .finally(() => {
        this.#making = false
        this.pump()
      })
  }

  #answer(flush: Flush): void {
    this.#phase = { name: "flushed" }
    this.#config.inputs.take({ type: "flushed", ...flush, nonce: this.#config.random.bytes(NONCE_BYTES) })
  }

  #nextFrame(): (() => Promise<void>) | null {
    const { group, epoch, links } = this.#config
    if (this.#phase.name !== "sending" || !group.maySend) return null
    const body = this.#agreement.shift()
    if (body) return () => this.#multicast(group.nextMulticast("fifo"), "agreement", "fifo", body)
    // It is called after each step, and an idle member has nothing to send.
    if (this.#outbox.length === 0 && this.#bulk.length === 0) return null
    const secured = epoch.secured(group.view.id)
    const members = group.view.members.map(({ id }) => id)
    if (!secured || links.isCongested(members)) return null
    const batch = this.#nextBatch(links.windowBytes(members) * BATCH_OF_WINDOW)
    if (batch.length === 0) return null
    return () => this.#sealBatch(secured, batch)
  }

  #nextBatch(bytesMax: number): Outbound[] {
    if (this.#unstable.size >= UNSTABLE_FRAMES_MAX) return []
    const { view, windowOpen, bulkWindowOpen } = this.#config.group
    const batch = windowOpen ? this.#outbox.takeBatch(view, bytesMax) : []
    return batch.length === 0 && bulkWindowOpen ? this.#bulk.takeBatch(view, bytesMax) : batch
  }

  async #sealBatch(epoch: Epoch, batch: readonly Outbound[]): Promise<void> {
    const { service } = batch[0]!
    const header = this.#config.group.nextMulticast(service)
    const { view, sequence } = header
    const plaintext = encodeBatch(batch.map(({ message }) => message))
    this.#unstable.set(`${view}/${batchNumber(service, sequence)}`, { messages: batch, plaintext })
    const ciphertext = await epoch.seal(sequence, service, plaintext)
    const { authenticator } = epoch
    const tag = authenticator ? (bytes: Uint8Array) => authenticator.tag(bytes) : undefined
    if (ciphertext) await this.#multicast(header, "data", service, ciphertext, tag)
  }

  /** `tag` computes the bytes in place of the signature. */
  async #multicast(
    { view, sequence, dependencies }: ReturnType<GroupCore["nextMulticast"]>,
    kind: "data" | "agreement",
    service: BatchService,
    body: Uint8Array,
    tag?: (bytes: Uint8Array) => Promise<Uint8Array>,
  ): Promise<void> {
    const { conferenceTag, self, signer, inputs } = this.#config
    const message = { dependencies, body }
    const header = { conferenceTag, origin: self, view, service, sequence }
    const frame = await signFrame(header, { kind, message }, tag ?? ((bytes) => signer.sign(bytes)))
    inputs.take({ type: "multicast", frame: frame as GroupFrame })
    // A link counts a batch only once it is sent. Without this wait a full link would get another one.
    await this.idle()
  }

  // The group's messages

  send(to: readonly MemberId[], message: LinkMessage, how: Sending = "reliable"): void {
    this.#add({ type: "send", to, message, how })
  }

  signAndSend(to: readonly MemberId[], view: View["id"], payload: FramePayload): void {
    if (payload.kind !== "order") return this.#add({ type: "sign", to, view, payload })
    const { first, entries } = payload.message
    if (this.#extendsWaiting(to, view, payload.message)) return
    const order: UnsignedOrder = { to, view, payload: { kind: "order", message: { first, entries: [...entries] } } }
    this.#add({ type: "sign", ...order })
    this.#waitingOrder = order
  }

  #extendsWaiting(to: readonly MemberId[], view: View["id"], { first, entries }: Order): boolean {
    const waiting = this.#waitingOrder
    if (!waiting || waiting.view !== view) return false
    const { message } = waiting.payload
    const sameTo = waiting.to.length === to.length && waiting.to.every((peer, i) => peer === to[i])
    const follows = message.first + message.entries.length === first
    if (!sameTo || !follows || message.entries.length + entries.length > ORDER_ENTRIES_MAX) return false
    message.entries.push(...entries)
    return true
  }

  /** Resolves when all messages added so far have been sent. */
  idle(): Promise<void> {
    return new Promise((done) => this.#add({ type: "idle", done }))
  }

  #add(waiting: Waiting): void {
    if (this.#signing.length >= SIGNING_MESSAGES_MAX && waiting.type !== "idle") return
    this.#signing.push(waiting)
    if (this.#isSigning) return
    this.#isSigning = true
    void Promise.resolve().then(() => this.#runSigning())
  }

  async #runSigning(): Promise<void> {
    while (this.#signing.length > 0) {
      const round = this.#signing
      this.#signing = []
      this.#waitingOrder = null
      // Without a signature the messages leave in this turn.
      const isAsync = round.some(({ type }) => type === "sign")
      const frames = isAsync ? await Promise.all(round.map((each) => this.#signed(each))) : []
      for (const [i, each] of round.entries()) {
        try {
          this.#leave(each, frames[i] ?? null)
        } catch (error) {
          this.#config.faults.fail(error)
        }
      }
    }
    this.#isSigning = false
  }

  async #signed(waiting: Waiting): Promise<Frame | null> {
    if (waiting.type !== "sign") return null
    const { conferenceTag, self: origin, signer, faults } = this.#config
    const header = { conferenceTag, origin, view: waiting.view, service: "none", sequence: 0 } as const
    try {
      return await signFrame(header, waiting.payload, (bytes) => signer.sign(bytes))
    } catch (error) {
      faults.fail(error)
      return null
    }
  }

  #leave(waiting: Waiting, frame: Frame | null): void {
    if (waiting.type === "idle") return waiting.done()
    const { self, opener, links, inputs } = this.#config
    if (waiting.type === "send") return links.send(waiting.to, waiting.message, waiting.how)
    if (!frame) return
    opener.trust(frame)
    const others = waiting.to.filter((peer) => peer !== self)
    links.send(others, { type: "frame", bytes: frame.bytes }, "reliable")
    if (waiting.to.includes(self)) inputs.take({ type: "frame", from: self, ...openTrusted(frame) })
  }

  /** Fails all messages that wait or are unstable. Those of the group still leave. */
  close(error: KeymootError): void {
    this.#closed = true
    this.#outbox.failAll(error)
    this.#bulk.failAll(error)
    for (const { messages } of this.#unstable.values()) for (const outbound of messages) fail(outbound, error)
    this.#unstable.clear()
  }
}
