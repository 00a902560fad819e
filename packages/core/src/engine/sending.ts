/** What this member sends: only what its role lets it, in the order of the calls, and signed for the log where one is kept. */
import type { MemberId } from "@keymoot/transport"
import { KeymootError } from "../api.ts"
import type { Role } from "../admission/index.ts"
import { assertSendable, type BatchMessage } from "../multicast/index.ts"
import type { GroupDriver } from "./group-driver.ts"
import type { LogKeeper } from "./log-keeper.ts"
import { changesContent, isBulk, KEY_CHANNEL, MessageKind } from "./message-kind.ts"
import { type Fate, OUTBOX_MESSAGES_MAX, queueFull, type Outbound } from "./outbox.ts"
import type { EngineCalls } from "./protocol.ts"
import { SerialQueue } from "./serial-queue.ts"

type Params = EngineCalls["conference.send"]["params"]

export type SendingConfig = {
  readonly self: MemberId
  readonly log: LogKeeper
  readonly driver: GroupDriver
  readonly roleOf: (member: MemberId) => Role
  readonly now: () => number
  readonly fail: () => void
}

export class Sending {
  readonly #config: SendingConfig
  readonly #authoring: SerialQueue

  constructor(config: SendingConfig) {
    this.#config = config
    this.#authoring = new SerialQueue(config.fail)
  }

  /**
   * The message's fate follows; what is returned withdraws it, and says whether that was possible. Messages leave in the
   * order of the calls, though signing one may take longer than signing the next. What nobody signs for itself, and has
   * nothing before it, leaves at once: the messages of one turn, in one batch.
   * @throws KeymootError `invalid-argument`, `too-large`, `not-permitted`, `queue-full`, `closed`
   */
  send(params: Params, fate: Fate): () => boolean {
    assertSendable(params)
    this.#assertMayChange(params.kind)
    if (this.#authoring.length >= OUTBOX_MESSAGES_MAX) throw queueFull()
    const { driver, now } = this.#config
    const { channel, kind, payload, service } = params
    let withdrawn = false
    let waiting: Outbound | null = null
    const leave = (message: BatchMessage): void => {
      if (withdrawn) return
      waiting = { ...fate, message, service, bulk: isBulk(kind) }
      driver.send(waiting)
    }
    if (kind !== MessageKind.logItem && this.#authoring.length === 0) leave({ channel, kind, payload, sentAtMs: now() })
    else this.#authoring.add(() => this.#author(params).then(leave).catch(fate.failed))
    return () => (waiting ? driver.withdraw(waiting) : (withdrawn = true))
  }

  /** To the other engines, and none of the application's business. False if there was no room for it. */
  sendPiece(channel: string, kind: MessageKind, payload: Uint8Array): Promise<boolean> {
    const { driver, now } = this.#config
    const message = { channel, kind, payload, sentAtMs: now() }
    return new Promise((resolve) => {
      const over = (): void => resolve(true)
      try {
        driver.send({ message, service: "fifo", bulk: isBulk(kind), request: null, delivered: over, failed: over })
      } catch (error) {
        resolve(!(error instanceof KeymootError && error.code === "queue-full"))
      }
    })
  }

  /** What is about the key or the invitation. */
  sendAboutKey(kind: MessageKind, payload: Uint8Array): void {
    void this.sendPiece(KEY_CHANNEL, kind, payload)
  }

  /** A message of the log is signed by its author for itself. */
  async #author({ channel, kind, payload: text }: Params): Promise<BatchMessage> {
    const sentAtMs = this.#config.now()
    const isLogged = kind === MessageKind.logItem
    const payload = isLogged ? await this.#config.log.author(channel, text, sentAtMs) : text
    assertSendable({ channel, payload })
    return { channel, kind, payload, sentAtMs }
  }

  /** @throws KeymootError `not-permitted`: others would ignore it */
  #assertMayChange(kind: number): void {
    if (!changesContent(kind) || this.#config.roleOf(this.#config.self) !== "viewer") return
    throw new KeymootError("not-permitted", "You can look on here, and not write or draw. A host can let you.")
  }
}
