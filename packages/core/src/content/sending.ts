/** Messages of this member: permitted by its role, in the order of the calls, and signed if the channel has a log. */
import type { MemberId, View } from "@keymoot/transport"
import type { Faults, Clock } from "../platform/surroundings.ts"
import { KeymootError } from "../api/index.ts"
import type { EntryRules } from "../admission/entry-rules.ts"
import { ITEM_BYTES_MAX } from "../history/log-item.ts"
import { assertSendable, type BatchMessage } from "../multicast/batch.ts"
import type { GroupDriver } from "../driver/group-driver.ts"
import type { LogKeeper } from "./log-keeper.ts"
import { changesContent, isBulk, KEY_CHANNEL, MessageKind } from "../multicast/message-kind.ts"
import {
  fail,
  OUTBOX_MESSAGES_MAX,
  queueFull,
  type Outbound,
  type Permission,
  type Requester,
} from "../driver/outbox.ts"
import type { EngineCalls } from "../rpc/protocol.ts"
import { SerialQueue } from "../queues/serial-queue.ts"

type Params = EngineCalls["conference.send"]["params"]

export type SendingConfig = {
  readonly self: MemberId
  readonly log: LogKeeper
  readonly driver: GroupDriver
  readonly rules: Pick<EntryRules, "role" | "roleIn">
  readonly clock: Clock
  readonly faults: Faults
}

export class Sending {
  readonly #config: SendingConfig
  readonly #authoring: SerialQueue
  /** The last view in which this member was seen to be no viewer, so that not every message asks. */
  #editorIn: View | null = null

  constructor(config: SendingConfig) {
    this.#config = config
    this.#authoring = new SerialQueue(config.faults.fail)
  }

  /** Whether messages wait for their signature. They are not in the driver's queues yet. */
  get authoring(): boolean {
    return this.#authoring.length > 0
  }

  /**
   * Sends a message and reports its outcome to the requester. The returned function withdraws it, and returns whether that was
   * possible. Messages leave in the order of the calls, although signing one may take longer than signing the next. A
   * message that needs no signature and waits for none is sent in this turn, in a batch with the others of the turn.
   * A member that has just become an editor may send at once. The message waits for the view with the new role, because the
   * others would ignore it before.
   * @throws KeymootError `invalid-argument`, `too-large`, `not-permitted`, `queue-full`, `closed`
   */
  send(params: Params, requester: Requester): () => boolean {
    assertSendable(params, params.kind === MessageKind.logItem ? ITEM_BYTES_MAX : undefined)
    if (changesContent(params.kind) && this.#isViewer()) throw notPermitted()
    if (this.#authoring.length >= OUTBOX_MESSAGES_MAX) throw queueFull()
    const { driver, clock } = this.#config
    const { channel, kind, payload, service } = params
    const readers = params.readers && new Set([...params.readers, this.#config.self])
    const permission = (view: View): Permission => this.#permission(view, kind, readers)
    let withdrawn = false
    let waiting: Outbound | null = null
    const leave = (message: BatchMessage): void => {
      if (withdrawn) return
      waiting = { ...requester, message, service, bulk: isBulk(kind), permission }
      driver.send(waiting)
    }
    if (kind !== MessageKind.logItem && this.#authoring.length === 0)
      leave({ channel, kind, payload, sentAtMs: clock.now() })
    else
      this.#authoring.add(() =>
        this.#author(params)
          .then(leave)
          .catch((error) => fail(requester, error)),
      )
    return () => (waiting ? driver.withdraw(waiting) : (withdrawn = true))
  }

  /** Sends a message between engines that the application does not see. Returns false if the queue is full. */
  sendPiece(channel: string, kind: MessageKind, payload: Uint8Array): Promise<boolean> {
    const { driver, clock } = this.#config
    const message = { channel, kind, payload, sentAtMs: clock.now() }
    const permission = (view: View): Permission => this.#permission(view, kind, undefined)
    return new Promise((resolve) => {
      const outcome = { take: () => resolve(true) }
      try {
        driver.send({ request: null, outcome, message, service: "fifo", bulk: isBulk(kind), permission })
      } catch (error) {
        resolve(!(error instanceof KeymootError && error.code === "queue-full"))
      }
    })
  }

  /** Sends a message about the key or the invitation. */
  sendAboutKey(kind: MessageKind, payload: Uint8Array): void {
    void this.sendPiece(KEY_CHANNEL, kind, payload)
  }

  /** Signs a message of the log by its author. */
  async #author({ channel, kind, payload: text }: Params): Promise<BatchMessage> {
    const sentAtMs = this.#config.clock.now()
    const isLogged = kind === MessageKind.logItem
    const payload = isLogged ? await this.#config.log.author(channel, text, sentAtMs) : text
    return { channel, kind, payload, sentAtMs }
  }

  #permission(view: View, kind: number, readers: ReadonlySet<MemberId> | undefined): Permission {
    if (readers && !view.members.every(({ id }) => readers.has(id))) return unseenReaders()
    if (!changesContent(kind) || view === this.#editorIn) return "now"
    const { rules, self } = this.#config
    if (rules.roleIn(view, self) === "viewer") return this.#isViewer() ? notPermitted() : "later"
    this.#editorIn = view
    return "now"
  }

  /** Whether the statements known now make this member a viewer, whose content the others ignore. */
  #isViewer(): boolean {
    return this.#config.rules.role(this.#config.self) === "viewer"
  }
}

function notPermitted(): KeymootError {
  return new KeymootError("not-permitted", "Viewers can't write or draw. Ask a host to make you an editor.")
}

function unseenReaders(): KeymootError {
  const message = "Somebody joined before this was sent. Look who is here, and send it again."
  return new KeymootError("unseen-readers", message)
}
