import * as Y from "yjs"
import { KeymootError } from "../api.ts"
import { type Outcome, PieceSender, QUEUE_FULL_MS } from "./piece-sender.ts"

/** A larger change goes compressed and in pieces. */
const UPDATE_BYTES_MAX = 64 * 1024
/** What could not be sent is tried again with later changes, and not more often: it may take its time to be packed. */
const RETRY_MS = 5000

export type DocumentSenderConfig = {
  readonly doc: Y.Doc
  /** Compressed; what is larger is not sent. */
  readonly sendableBytesMax: number
  readonly sendUpdate: (update: Uint8Array) => Promise<Outcome>
  readonly sendPiece: (piece: Uint8Array) => Promise<Outcome>
  readonly onUnsent: (error: KeymootError) => void
  /** All that had not been sent has been. */
  readonly onCaughtUp: () => void
}

/**
 * What this member sends of a document: its changes, and all there is for newcomers. What comes after a change that was not
 * sent is of no use to the others, so then everything from there on goes together, as soon as it can.
 */
export class DocumentSender {
  readonly #config: DocumentSenderConfig
  readonly #pieces: PieceSender
  #changes: Uint8Array[] = []
  /** From where on the others lack what was changed here: clocks by client; null: they lack nothing. */
  #lacking: ReadonlyMap<number, number> | null = null
  /** Newcomers were not handed what there is. */
  #notHandedOver = false
  #retry: ReturnType<typeof setTimeout> | null = null
  /** While what was lacking is under way, what changes waits for it. */
  #catchingUp = false
  /** Something has changed that may let through what is being refused. */
  #onceMore = false
  #held: Uint8Array[] = []
  #closed = false

  constructor(config: DocumentSenderConfig) {
    this.#config = config
    this.#pieces = new PieceSender(config.sendableBytesMax, config.sendPiece)
  }

  /** Changes of one turn travel as one. */
  change(update: Uint8Array): void {
    if (this.#changes.length === 0) queueMicrotask(() => void this.#sendChanges())
    this.#changes.push(update)
  }

  /** Somebody has changed the document: it may be smaller now. */
  changed(): void {
    if (this.#behind && !this.#closed) this.#retry ??= setTimeout(() => void this.#sendAgain(), RETRY_MS)
  }

  /** All there is, for those who came. */
  async handOver(): Promise<void> {
    await this.#handOverWhole()
    if (this.#lacking) await this.#catchUp(this.#lacking)
  }

  /** Something goes in pieces, and not all of them have left. */
  get busy(): boolean {
    return this.#pieces.busy
  }

  /** At once: who is here, or what this member may do, has changed. */
  retry(): void {
    if (this.#behind) void this.#sendAgain()
  }

  close(): void {
    this.#closed = true
    this.#stopWaiting()
  }

  get #behind(): boolean {
    return this.#lacking !== null || this.#notHandedOver
  }

  async #sendChanges(): Promise<void> {
    const update = Y.mergeUpdates(this.#changes)
    this.#changes = []
    if (this.#catchingUp) return void this.#held.push(update)
    if (this.#lacking) return this.#lack(update)
    const outcome = await this.#send(update)
    if (outcome === "too-large") this.#tell("too-large", "This change is too large to be sent")
    if (outcome === "not-permitted") this.#tell("not-permitted", "You can look on here, and not change this document")
    if (outcome === "too-large" || outcome === "not-permitted") return this.#lack(update)
    if (outcome !== "full" || this.#closed) return
    // A change that was left out would keep all later ones of this member from the others.
    if (this.#changes.length === 0) setTimeout(() => void this.#sendChanges(), QUEUE_FULL_MS)
    this.#changes.unshift(update)
  }

  #send(update: Uint8Array): Promise<Outcome> {
    return update.length > UPDATE_BYTES_MAX ? this.#pieces.change(update) : this.#config.sendUpdate(update)
  }

  #lack(update: Uint8Array): void {
    const lacking = new Map(this.#lacking)
    for (const [client, clock] of Y.parseUpdateMeta(update).from) {
      lacking.set(client, Math.min(clock, lacking.get(client) ?? clock))
    }
    this.#lacking = lacking
    this.changed()
  }

  async #sendAgain(): Promise<void> {
    this.#stopWaiting()
    if (this.#closed) return
    if (this.#notHandedOver) await this.#handOverWhole()
    if (this.#lacking) await this.#catchUp(this.#lacking)
  }

  async #handOverWhole(): Promise<void> {
    const [lacking, known] = [this.#lacking, this.#notHandedOver]
    const outcome = await this.#pieces.handOver(() => Y.encodeStateAsUpdate(this.#config.doc))
    if (outcome === "too-large") {
      this.#notHandedOver = true
      if (!known) this.#tell("too-large", "This document is too large to be handed to newcomers")
    }
    if (outcome !== "sent" || !this.#behind) return
    this.#notHandedOver = false
    // In the whole is what was lacking when it began.
    if (this.#lacking === lacking) this.#lacking = null
    this.#tellCaughtUp()
  }

  async #catchUp(lacking: ReadonlyMap<number, number>): Promise<void> {
    this.#onceMore = this.#catchingUp
    if (this.#catchingUp) return
    this.#catchingUp = true
    const { doc } = this.#config
    const known = new Map([...Y.decodeStateVector(Y.encodeStateVector(doc)), ...lacking])
    const outcome = await this.#send(Y.encodeStateAsUpdate(doc, Y.encodeStateVector(known)))
    this.#catchingUp = false
    if (outcome === "sent") this.#lacking = null
    for (const update of this.#held.splice(0)) this.change(update)
    if (outcome === "sent") return this.#tellCaughtUp()
    if (this.#onceMore) await this.#catchUp(this.#lacking ?? lacking)
    // Many things are waiting: not for long.
    else if (outcome === "full") this.changed()
  }

  #tellCaughtUp(): void {
    if (!this.#behind) this.#config.onCaughtUp()
  }

  #stopWaiting(): void {
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
  }

  #tell(code: "too-large" | "not-permitted", what: string): void {
    const bound = `${this.#config.sendableBytesMax / 2 ** 20} MiB compressed is the bound. Make large changes in several transactions, and keep large files out of a document.`
    const message = code === "too-large" ? `${what}: ${bound}` : `${what}: a host can let you.`
    this.#config.onUnsent(new KeymootError(code, `${message} It is tried again by itself.`))
  }
}
