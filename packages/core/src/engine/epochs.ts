/**
 * The key of the present view and what is opened with it. Views and data pass through one queue, so that an application
 * sees them in the order of the group.
 */
import type { GroupFrame, MemberId, View } from "@keymoot/transport"
import type { Authenticity, SecurityEvent } from "../api.ts"
import { batchNumber, decodeBatch, type GroupAuthenticator } from "../multicast/index.ts"
import type { DriverConfig, DriverEvent } from "./driver-config.ts"
import { Epoch } from "./epoch.ts"
import { Opening } from "./opening.ts"
import type { OwnBatch } from "./outgoing.ts"

export type EpochsConfig = Pick<DriverConfig, "conferenceId" | "emit" | "fail"> & {
  readonly self: MemberId
  readonly authenticity: Authenticity
  /** Deliver nothing for now, or go on. */
  readonly hold: (held: boolean) => void
  /** What an own batch that was delivered was made of. */
  readonly takeOwn: (view: View["id"], number: number) => OwnBatch | null
  readonly report: (event: SecurityEvent) => void
}

export class Epochs {
  readonly #config: EpochsConfig
  readonly #opening: Opening
  #epoch: Epoch | null = null
  #securedView: View["id"] | null = null
  #closed = false

  constructor(config: EpochsConfig) {
    this.#config = config
    this.#opening = new Opening({ hold: config.hold, fail: config.fail })
  }

  /** In which application data flow: every member of that view has proved the key. */
  secured(view: View["id"]): Epoch | null {
    return this.#securedView === view ? this.#epoch : null
  }

  authenticatorOf(view: View["id"]): GroupAuthenticator | null {
    const epoch = this.#epoch
    return epoch?.view.id === view ? epoch.authenticator : null
  }

  /** Delivered, and waiting to be opened. */
  get waitingBytes(): number {
    return this.#opening.bytes
  }

  onAgreeing(view: View): void {
    const former = this.#epoch
    this.#epoch = null
    this.#securedView = null
    // What view synchrony still delivered in the former view stands before this in the queue.
    this.#opening.add(() => former?.erase())
    this.emitInOrder({ type: "agreeing", view })
  }

  /** Overwrites `epochKey`. */
  onKeyed(view: View, epochKey: Uint8Array): void {
    const { conferenceId, self, authenticity } = this.#config
    this.#epoch = new Epoch(view, conferenceId, self, epochKey, authenticity)
    this.emitInOrder({ type: "keyed", view })
  }

  onSecured(view: View): void {
    this.#securedView = view.id
    this.emitInOrder({ type: "secured", view })
  }

  /** A frame that the group has delivered in the present view. */
  open(frame: GroupFrame): void {
    const epoch = this.#epoch
    this.#opening.addFrame(frame.bytes.length, async () => {
      const { origin: sender, service } = frame
      if (service === "none") return
      const sequence = batchNumber(service, frame.sequence)
      const own = sender === this.#config.self ? this.#config.takeOwn(frame.view, sequence) : null
      const plaintext = own?.plaintext ?? (await epoch?.open(frame)) ?? null
      const messages = plaintext && decodeBatch(plaintext)
      if (!epoch || !messages) {
        const detail = `batch ${sequence} of its sender`
        return this.#config.report({ code: "undecryptable", member: sender, detail })
      }
      if (this.#closed) return
      const { view } = epoch
      await this.#config.emit({ type: "batch", view, sender, service, sequence, messages, own: own?.messages ?? [] })
    })
  }

  emitInOrder(event: DriverEvent): void {
    this.#opening.add(async () => {
      if (!this.#closed) await this.#config.emit(event)
    })
  }

  /** Nothing is told any more. */
  close(): void {
    this.#closed = true
  }

  /** Overwrites or drops the keys. */
  erase(): void {
    this.#epoch?.erase()
  }
}
