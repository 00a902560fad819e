/** What this member multicasts: agreement first, then the application's messages in batches; one frame in the making at a time. */
import type { GroupCore, GroupFrame } from "@keymoot/transport"
import type { KeymootError } from "../api.ts"
import { batchNumber, encodeBatch, type BatchService } from "../multicast/index.ts"
import type { Epoch } from "./epoch.ts"
import { Outbox, type Outbound } from "./outbox.ts"
import type { Transmitter } from "./transmitter.ts"

/** A batch is under way as a whole: with a smaller part of what a link may have, its window is kept full and not overdrawn. */
const BATCH_OF_WINDOW = 1 / 4

/** `plaintext`: as it was sealed, so that nobody has to open what is one's own. */
export type OwnBatch = { readonly messages: readonly Outbound[]; readonly plaintext: Uint8Array }

export type OutgoingConfig = {
  readonly group: GroupCore
  readonly transmitter: Transmitter
  /** The epoch in which application data flows; null while there is none. */
  readonly epoch: () => Epoch | null
  /** A finished frame, for the group. */
  readonly multicast: (frame: GroupFrame) => void
  /** Nothing is in the making, nor can be now. */
  readonly onIdle: () => void
  readonly fail: (error: unknown) => void
}

export class Outgoing {
  readonly #config: OutgoingConfig
  readonly #outbox = new Outbox()
  readonly #bulk = new Outbox()
  /** Own batches under way, by view and number; as many as the window of unstable messages lets be. */
  readonly #underWay = new Map<string, OwnBatch>()
  #agreementBodies: Uint8Array[] = []
  #making = false
  #closed = false

  constructor(config: OutgoingConfig) {
    this.#config = config
  }

  /** @throws KeymootError `queue-full` */
  push(outbound: Outbound): void {
    this.#outboxOf(outbound).push(outbound)
    // What is said in one turn leaves together.
    if (this.#pumping) return
    this.#pumping = true
    queueMicrotask(() => {
      this.#pumping = false
      this.pump()
    })
  }
  #pumping = false

  withdraw(outbound: Outbound): boolean {
    return this.#outboxOf(outbound).withdraw(outbound)
  }

  /** Nothing of the application's is waiting or on its way. */
  get drained(): boolean {
    return this.#outbox.empty && this.#bulk.empty && this.#underWay.size === 0 && !this.#making
  }

  pushAgreement(body: Uint8Array): void {
    this.#agreementBodies.push(body)
  }

  /** What was to be said about a former view's key is of no use in this one. */
  onView(): void {
    this.#agreementBodies = []
  }

  /** What an own batch that was delivered was made of. */
  takeUnderWay(view: GroupFrame["view"], number: number): OwnBatch | null {
    const key = `${view}/${number}`
    const batch = this.#underWay.get(key) ?? null
    this.#underWay.delete(key)
    return batch
  }

  close(error: KeymootError): void {
    this.#closed = true
    this.#outbox.failAll(error)
    this.#bulk.failAll(error)
    for (const { messages } of this.#underWay.values()) for (const outbound of messages) outbound.failed(error)
    this.#underWay.clear()
  }

  pump(): void {
    if (this.#making || this.#closed) return
    const make = this.#nextFrame()
    if (!make) return this.#config.onIdle()
    this.#making = true
    make()
      .catch(this.#config.fail)
      .finally(() => {
        this.#making = false
        this.pump()
      })
  }

  #nextFrame(): (() => Promise<void>) | null {
    const { group, transmitter } = this.#config
    if (!group.maySend) return null
    const body = this.#agreementBodies.shift()
    if (body) return () => this.#multicast("agreement", "fifo", body)
    const epoch = this.#config.epoch()
    const members = group.view.members.map(({ id }) => id)
    if (!epoch || transmitter.congested(members)) return null
    const outbox = group.windowOpen && !this.#outbox.empty ? this.#outbox : group.bulkWindowOpen ? this.#bulk : null
    if (!outbox || outbox.empty) return null
    const batch = outbox.takeBatch(transmitter.windowBytes(members) * BATCH_OF_WINDOW)
    return () => this.#sealBatch(epoch, batch)
  }

  #outboxOf({ bulk }: Outbound): Outbox {
    return bulk ? this.#bulk : this.#outbox
  }

  async #sealBatch(epoch: Epoch, batch: readonly Outbound[]): Promise<void> {
    const { service } = batch[0]!
    const { view, sequence } = this.#config.group.nextMulticast(service)
    const plaintext = encodeBatch(batch.map(({ message }) => message))
    this.#underWay.set(`${view}/${batchNumber(service, sequence)}`, { messages: batch, plaintext })
    const ciphertext = await epoch.seal(sequence, service, plaintext)
    const { authenticator } = epoch
    const tag = authenticator ? (bytes: Uint8Array) => authenticator.tag(bytes) : undefined
    if (ciphertext) await this.#multicast("data", service, ciphertext, tag)
  }

  async #multicast(
    kind: "data" | "agreement",
    service: BatchService,
    body: Uint8Array,
    tag?: (bytes: Uint8Array) => Promise<Uint8Array>,
  ): Promise<void> {
    const { group, transmitter, multicast } = this.#config
    const { view, sequence, dependencies } = group.nextMulticast(service)
    const message = { dependencies, body }
    multicast((await transmitter.sign(view, { service, sequence }, { kind, message }, tag)) as GroupFrame)
    // Until it has left, no link counts it, and one that is full would be given more.
    await transmitter.idle()
  }
}
