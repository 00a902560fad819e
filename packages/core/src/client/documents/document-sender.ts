import type { MemberId } from "@keymoot/transport"
import * as Y from "yjs"
import { KeymootError, type DocumentEvents } from "../../api/index.ts"
import { encodeExcluding, encodeOnly } from "../../documents/excluding.ts"
import { encodeTransfer } from "../../documents/document-messages.ts"
import { isOfClient } from "../../documents/checked-update.ts"
import { MessageKind } from "../../multicast/message-kind.ts"
import type { Emitter } from "../connection/emitter.ts"
import type { DocumentClients } from "./document-clients.ts"
import type { DocumentOutput } from "./document-output.ts"
import { type Outcome, PieceSender, QUEUE_FULL_MS } from "../connection/piece-sender.ts"

/** Bound on a part of a document in a transfer before compression. Receivers inflate no more. */
export const DOCUMENT_BYTES_MAX = 96 * 1024 * 1024
/** Larger changes go in pieces. */
const UPDATE_BYTES_MAX = 64 * 1024
/** Retry delay of changes that could not be sent. Later changes retry no sooner, because encoding may take long. */
const RETRY_MS = 5000

export type DocumentSenderConfig = {
  readonly doc: Y.Doc
  /**
   * Client ids of this member and of other present writers. The others send their own parts, and no member accepts these
   * from another member.
   */
  readonly clients: Pick<DocumentClients, "own" | "writers">
  /** Bound in bytes: of a change uncompressed, of a transfer compressed. Larger ones are not sent. */
  readonly sendableBytesMax: number
  readonly output: Pick<DocumentOutput, "send">
  /** The document's. It emits `unsent`, and `caughtUp` once all unsent changes have been sent. */
  readonly emitter: Emitter<DocumentEvents>
}

/**
 * Content of a transfer to newcomers. all: everything but the parts of other present members; own: this member's
 * changes.
 */
type Scope = "all" | "own"

/**
 * Sends this member's changes of a document, and transfers to newcomers. After an unsent change the others cannot use
 * later ones. So everything from there on is sent together as soon as possible.
 */
export class DocumentSender {
  readonly #config: DocumentSenderConfig
  readonly #pieces: PieceSender
  #changes: Uint8Array[] = []
  /** Clocks by client from which on the others lack this member's changes; null if they lack nothing. */
  #lacking: ReadonlyMap<number, number> | null = null
  /** Members that have been here since a change was not sent. They take no transfer, since they expect none. */
  #lackers = new Set<MemberId>()
  /** A transfer has brought newcomers what the others lack. */
  #lackingTransferred = false
  /** The other members of the view. */
  #present: ReadonlySet<MemberId> = new Set()
  /** Name of the last transfer. */
  #transferName = ""
  /** Transfer that newcomers still lack. */
  #untransferred: Scope | null = null
  /** Transfer in progress. */
  #transferring: Scope | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  /** While missing changes are being sent, new changes wait. */
  #catchingUp = false
  /** A change occurred that may make a refused send succeed. */
  #onceMore = false
  #held: Uint8Array[] = []
  /** The last report of `unsent` since `caughtUp`. */
  #unsent: KeymootError | null = null
  #closed = false

  constructor(config: DocumentSenderConfig) {
    this.#config = config
    this.#pieces = new PieceSender({ bytesMax: config.sendableBytesMax, wholeBytesMax: DOCUMENT_BYTES_MAX })
  }

  /** `present`: the other members. */
  onView(present: ReadonlySet<MemberId>): void {
    this.#present = present
    this.#lackers = new Set([...this.#lackers].filter((member) => present.has(member)))
    this.#settle()
  }

  /** Merges the changes of one turn. */
  change(update: Uint8Array): void {
    if (this.#changes.length === 0) queueMicrotask(() => void this.#sendChanges())
    this.#changes.push(update)
  }

  /** Another member has changed the document. It may be smaller now. */
  changed(): void {
    if (this.#behind && !this.#closed) this.#retry ??= setTimeout(() => void this.#sendAgain(), RETRY_MS)
  }

  /**
   * Sends a transfer to newcomers. It restarts an unfinished one from its beginning.
   * @param transfer its name, a different one in each view: see `transferIn`
   */
  async transfer(scope: Scope, transfer: string): Promise<void> {
    this.#transferName = transfer
    await this.#sendTransfer(this.#transferring === "all" ? "all" : scope)
    if (this.#lacking) await this.#catchUp(this.#lacking)
  }

  /**
   * Resends what a member with these clocks by client lacks: this member's changes, and with `rest` those of absent
   * members, plus all deletions. It goes as a change, because receivers accept changes at any time.
   */
  async answer(known: ReadonlyMap<number, number>, rest: boolean): Promise<void> {
    const { doc, clients } = this.#config
    const client = clients.own
    const own = Y.getState(doc.store, client)
    const from = Math.min(known.get(client) ?? 0, own)
    if (from < own && !rest) {
      await this.#sendInPieces(encodeTransfer({ kind: "own", update: encodeOnly(doc, client, from) }))
    }
    if (!rest) return
    const update = encodeExcluding(doc, clients.writers, new Map([...known, [client, from]]))
    await this.#sendInPieces(encodeTransfer({ kind: "whole", update }))
  }

  /** Whether a send in pieces is unfinished or impossible. */
  get busy(): boolean {
    return this.#pieces.busy || this.#behind
  }

  /** Reason why the others lack changes of this member, as last reported; null if they lack nothing. */
  get unsent(): KeymootError | null {
    return this.#unsent
  }

  /** As in `PieceSender`. */
  drained(): Promise<unknown> {
    return this.#pieces.drained()
  }

  /** Retries now, because the members or this member's role changed. */
  retry(): void {
    if (this.#behind) void this.#sendAgain()
  }

  close(): void {
    this.#closed = true
    this.#stopWaiting()
  }

  get #behind(): boolean {
    return this.#lacking !== null || this.#untransferred !== null
  }

  async #sendChanges(): Promise<void> {
    const update = Y.mergeUpdates(this.#changes)
    this.#changes = []
    if (this.#catchingUp) return void this.#held.push(update)
    if (this.#lacking) return this.#lack(update)
    const outcome = await this.#send(update)
    if (outcome === "too-large") this.#report("too-large", "This change is too large to be sent")
    if (outcome === "not-permitted") this.#report("not-permitted", "Viewers can't change this document")
    if (outcome === "too-large" || outcome === "not-permitted") return this.#lack(update)
    if (outcome !== "full" || this.#closed) return
    // Retries, because the others cannot apply later changes of this member without this one.
    if (this.#changes.length === 0) setTimeout(() => void this.#sendChanges(), QUEUE_FULL_MS)
    this.#changes.unshift(update)
  }

  #send(update: Uint8Array): Promise<Outcome> {
    // An update that the application imported has no present member as its author. It is sent like a transfer.
    const own = isOfClient(update, this.#config.clients.own)
    if (own && update.length <= UPDATE_BYTES_MAX) return this.#config.output.send(MessageKind.documentUpdate, update)
    return this.#sendInPieces(encodeTransfer({ kind: own ? "own" : "whole", update }))
  }

  #sendInPieces(transfer: Uint8Array): Promise<Outcome> {
    return this.#pieces.change(transfer, (piece) => this.#config.output.send(MessageKind.documentChange, piece))
  }

  #lack(update: Uint8Array): void {
    const lacking = new Map(this.#lacking)
    for (const [client, clock] of Y.parseUpdateMeta(update).from) {
      lacking.set(client, Math.min(clock, lacking.get(client) ?? clock))
    }
    this.#lacking = lacking
    this.#lackers = new Set(this.#present)
    this.#lackingTransferred = false
    this.changed()
  }

  async #sendAgain(): Promise<void> {
    this.#stopWaiting()
    if (this.#closed) return
    // A transfer in progress ends by itself, and its name can't be reused.
    if (this.#untransferred && !this.#transferring) await this.#sendTransfer(this.#untransferred)
    if (this.#lacking) await this.#catchUp(this.#lacking)
  }

  async #sendTransfer(scope: Scope): Promise<void> {
    const [lacking, known] = [this.#lacking, this.#untransferred]
    this.#transferring = scope
    const outcome = await this.#pieces.transfer(
      this.#transferName,
      () => this.#encode(scope),
      (piece) => this.#config.output.send(MessageKind.documentChunk, piece),
    )
    if (outcome !== "replaced") this.#transferring = null
    if (outcome === "too-large") {
      this.#untransferred = scope
      if (!known) this.#report("too-large", "This document is too large to be sent to newcomers")
    }
    if (outcome !== "sent" || !this.#behind) return
    this.#untransferred = null
    // Both scopes include what was lacking at the start.
    this.#lackingTransferred = this.#lacking === lacking
    this.#settle()
  }

  /** After a transfer nothing is lacking once the members that take none have left. */
  #settle(): void {
    if (this.#lackingTransferred && this.#lackers.size === 0) this.#lacking = null
    this.#reportCaughtUp()
  }

  #encode(scope: Scope): Uint8Array {
    const { doc, clients } = this.#config
    if (scope === "own") return encodeTransfer({ kind: "own", update: encodeOnly(doc, clients.own) })
    return encodeTransfer({ kind: "whole", update: encodeExcluding(doc, clients.writers) })
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
    if (outcome === "sent") return this.#reportCaughtUp()
    if (this.#onceMore) await this.#catchUp(this.#lacking ?? lacking)
    // The queue is full. It drains soon.
    else if (outcome === "full") this.changed()
  }

  /** A transfer and a change can bring the same content, one after the other. */
  #reportCaughtUp(): void {
    if (this.#behind || !this.#unsent) return
    this.#unsent = null
    this.#config.emitter.emit("caughtUp")
  }

  #stopWaiting(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  #report(code: "too-large" | "not-permitted", what: string): void {
    const bound = `The limit is ${this.#config.sendableBytesMax / 2 ** 20} MiB, for newcomers after compression. Make large changes in several transactions, and keep large files out of a document.`
    const message = code === "too-large" ? `${what}. ${bound}` : `${what}. Ask a host to make you an editor.`
    this.#unsent = new KeymootError(code, `${message} It is retried automatically.`)
    this.#config.emitter.emit("unsent", this.#unsent)
  }
}
