import type { MemberId } from "@keymoot/transport"
import { Awareness } from "y-protocols/awareness"
import * as Y from "yjs"
import {
  type DocumentEvents,
  type ListenOptions,
  type Member,
  type SecurityEvent,
  type SharedDocument,
  type Unsubscribe,
} from "../../api/index.ts"
import { checkUpdate, type CheckedUpdate } from "../../documents/checked-update.ts"
import { decodeTransfer, decodeWish } from "../../documents/document-messages.ts"
import type { DocumentPeer } from "../../documents/client-id.ts"
import { exclude } from "../../documents/excluding.ts"
import { WaitingUpdates } from "../../documents/waiting-updates.ts"
import type { TransferScope } from "../../history/transitional-set.ts"
import { MessageKind } from "../../multicast/message-kind.ts"
import type { ConferenceEvent } from "../../rpc/protocol.ts"
import type { Assembly } from "../../history/chunks.ts"
import type { Incoming } from "../../history/incoming-transfers.ts"
import { CertainAuthors } from "./certain-authors.ts"
import { DocumentAgreement, QUIET_MS } from "./document-agreement.ts"
import { DocumentAwareness } from "./document-awareness.ts"
import { DocumentClients } from "./document-clients.ts"
import { type Clocks, DocumentCopy } from "./document-copy.ts"
import { DocumentOutput } from "./document-output.ts"
import { DocumentSender } from "./document-sender.ts"
import { DocumentTransfers, TRANSFER_BYTES_MAX, type TransfersOfDocuments } from "./document-transfers.ts"
import { refuseUnsendable } from "./unsendable-values.ts"
import { callSafely, Emitter } from "../connection/emitter.ts"
import type { EngineConnection } from "../connection/engine-connection.ts"
import type { PresentState } from "../connection/present-state.ts"

/**
 * Bound on the members remembered for late subscribers that sent a transfer. Each is listed once; the oldest are
 * dropped.
 */
const TRANSFER_SENDERS_MAX = 64

type Payload = Extract<ConferenceEvent, { type: "payload" }>

export type DocumentConfig = {
  readonly name: string
  readonly conference: string
  readonly connection: EngineConnection
  readonly present: Pick<PresentState, "view" | "onEvent">
  readonly self: Pick<DocumentPeer, "id" | "incarnation">
  readonly transfers: TransfersOfDocuments
  /**
   * Bound in bytes: of a change uncompressed, of a transfer compressed. Larger ones are not sent, and the application
   * is notified.
   */
  readonly sendableBytesMax?: number
  readonly quietMs?: number
}

/**
 * A Yjs document of all members. Updates commute, so they are sent `fifo`. Each member writes under its own client id
 * (`documentClient`). Under the id of a present member that may write, changes are accepted only from that member.
 */
export class ConferenceDocument implements SharedDocument {
  readonly name: string
  readonly doc = new Y.Doc()
  readonly awareness: Awareness
  readonly #config: DocumentConfig
  readonly #clients: DocumentClients
  readonly #authors: CertainAuthors
  readonly #emitter = new Emitter<DocumentEvents>()
  #transferSenders: readonly Member[] = []
  readonly #taking = new Set<Promise<void>>()
  readonly #transfers: DocumentTransfers
  readonly #pointers: DocumentAwareness
  readonly #copy: DocumentCopy
  readonly #output: DocumentOutput
  readonly #sender: DocumentSender
  readonly #waiting: WaitingUpdates
  readonly #agreement: DocumentAgreement
  /** False if this member was a viewer in the last view. */
  #wrote = true
  /** A transfer of everything waits for the local copy. */
  #awaitsCopy = false

  constructor(config: DocumentConfig) {
    const { name, conference, connection, self, sendableBytesMax = TRANSFER_BYTES_MAX, quietMs = QUIET_MS } = config
    this.name = name
    this.#config = config
    this.#transfers = new DocumentTransfers(config.transfers)
    this.#clients = new DocumentClients({ conferenceId: conference, document: name }, self)
    this.doc.clientID = this.#clients.own
    this.#authors = new CertainAuthors(this.doc, this.#clients.own)
    this.awareness = new Awareness(this.doc)
    const output = new DocumentOutput(config)
    this.#output = output
    this.#pointers = new DocumentAwareness(this.awareness, (update) => output.send(MessageKind.awareness, update))
    const common = { doc: this.doc, output }
    this.#copy = new DocumentCopy({
      doc: this.doc,
      name,
      conference,
      connection,
      restored: { take: (clocks) => this.#onRestored(clocks) },
    })
    this.#sender = new DocumentSender({ ...common, clients: this.#clients, emitter: this.#emitter, sendableBytesMax })
    this.#agreement = new DocumentAgreement({ ...common, quietMs, sender: this.#sender, taking: this.#taking })
    this.#waiting = new WaitingUpdates({
      doc: this.doc,
      updates: { take: (update) => this.#apply(update) },
      refused: { take: (sender) => this.#report(sender, "types that are nested too deeply") },
    })
    this.#listen()
  }

  get restored(): Promise<void> {
    return this.#copy.complete
  }

  memberOfClient(clientId: number): Member | undefined {
    const writer = this.#clients.memberOf(clientId)
    return this.#config.present.view.members.find(({ id }) => id === writer)
  }

  authorOf(map: Y.Map<unknown>, key: string): Member | undefined {
    const id = map._map.get(key)?.id
    return id && this.#authors.has(id) ? this.memberOfClient(id.client) : undefined
  }

  on<E extends keyof DocumentEvents>(event: E, listener: DocumentEvents[E], options?: ListenOptions): Unsubscribe {
    if (event === "transferred" && !options?.signal?.aborted) {
      for (const from of this.#transferSenders) callSafely(() => (listener as DocumentEvents["transferred"])(from))
    }
    const { unsent } = this.#sender
    if (event === "unsent" && unsent && !options?.signal?.aborted)
      callSafely(() => (listener as DocumentEvents["unsent"])(unsent))
    return this.#emitter.on(event, listener, options)
  }

  // Events of the conference

  /** A view is installed and not secured yet. From now on changes are accepted from its members only. */
  onViewStart(peers: readonly DocumentPeer[]): void {
    this.#clients.onView(peers)
    this.#authors.onView([this.#clients.own, ...this.#clients.writers])
  }

  /**
   * `peers`: all members of the view, this one included. `transfer`: name of this member's transfer, see `transferIn`.
   */
  onView(peers: readonly DocumentPeer[], transferScope: TransferScope, transfer: string): void {
    this.onViewStart(peers)
    const present = new Set(peers.map(({ id }) => id))
    this.#pointers.onView((client) => this.#clients.memberOf(client) !== undefined)
    this.#transfers.onView(present)
    this.#waiting.forgetAbsent(present)
    const others = new Set([...present].filter((id) => id !== this.#config.self.id))
    this.#agreement.onView(others)
    this.#sender.onView(others)
    if (transferScope === "nothing") this.#sender.retry()
    else void this.#transferTo(transferScope, transfer)
    const { writes } = this.#clients
    // While it was a viewer, it sent neither transfers nor answers. It may be the only one with some content.
    if (writes && !this.#wrote && this.#agreement.differs) void this.#sender.answer(new Map(), true)
    this.#wrote = writes
  }

  onPayload({ kind, from, payload }: Payload): void {
    if (from.self) return
    switch (kind) {
      case MessageKind.documentUpdate:
        return this.#onChange(from, payload)
      case MessageKind.awareness:
        return this.#pointers.receive(this.#clients.of(from.id), payload)
      case MessageKind.documentChange:
        return this.#onPiece(from, this.#transfers.acceptChange(from.id, payload), false)
      case MessageKind.documentChunk:
        return this.#onPiece(from, this.#transfers.acceptTransferred(from.id, payload), true)
      case MessageKind.documentDigest:
        return this.#agreement.onDigest(from.id, payload)
      case MessageKind.documentWish:
        return this.#onWish(from, payload)
    }
  }

  /** Updates whose predecessors are missing, and their bytes. */
  get waiting(): { readonly updates: number; readonly bytes: number } {
    return this.#waiting.size
  }

  /** As in `PieceSender`. */
  drained(): Promise<unknown> {
    return this.#sender.drained()
  }

  /** As in `DocumentCopy`. */
  stored(): Promise<void> {
    return this.#copy.settled
  }

  close(): void {
    this.#sender.close()
    this.#copy.close()
    this.#agreement.close()
    callSafely(() => this.awareness.destroy())
  }

  #listen(): void {
    refuseUnsendable(this.doc)
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      this.#agreement.touch()
      if (origin !== this && origin !== this.#copy) this.#sender.change(update)
      this.#sender.changed()
      if (origin !== this) this.#waiting.retry()
    })
    // Yjs changes its client id when an update contains changes under it. No other member would accept changes under
    // the new id.
    this.doc.on("afterTransactionCleanup", () => {
      if (this.doc.clientID !== this.#clients.own) this.doc.clientID = this.#clients.own
    })
  }

  // Messages of the other members

  /** Takes a change of its sender. */
  #onChange(from: Member, update: Uint8Array): void {
    const checked = this.#checkOwn(from, update)
    if (checked && !this.#waiting.takeChange(from.id, checked)) this.#agreement.wish()
  }

  #checkOwn(from: Member, update: Uint8Array): CheckedUpdate | null {
    const checked = checkUpdate(update)
    const client = this.#clients.of(from.id)
    if (checked && [...checked.ranges.keys()].every((other) => other === client)) return checked
    this.#report(from.id, checked ? "a change under another member's client id" : "a malformed change")
    return null
  }

  #take(taking: Promise<void>): void {
    this.#taking.add(taking)
    void taking.finally(() => this.#taking.delete(taking))
  }

  #onPiece(from: Member, incoming: Assembly | Incoming, isTransferred: boolean): void {
    if (incoming.type === "unexpected") {
      return this.#report(from.id, "a document transfer that was not expected", "unexpected-history")
    }
    if (incoming.type !== "incomplete" && incoming.type !== "complete") return
    this.#agreement.touch()
    if (incoming.type === "complete") return this.#take(this.#onTransfer(from, incoming.bytes, isTransferred))
    this.#emitter.emit("progress", { from, received: incoming.received, count: incoming.count })
  }

  async #onTransfer(from: Member, content: Uint8Array, isTransferred: boolean): Promise<void> {
    // Checks against the view in which the change was sent.
    const others = this.#clients.exceptOf(from.id)
    const bytes = isTransferred ? await this.#transfers.inflate(content) : content
    const transfer = bytes && decodeTransfer(bytes)
    if (!transfer) return this.#report(from.id, "a malformed document transfer")
    const { kind, update } = transfer
    const checked = kind === "own" ? this.#checkOwn(from, update) : this.#checkWhole(from, update, others)
    if (!checked) return
    this.#waiting.takeTransfer(from.id, checked, () => {
      if (kind === "own") return
      this.#authors.onTransferred(new Map([...checked.ranges].map(([client, { to }]) => [client, to])))
      this.#onTransferred(from)
    })
  }

  /** Excludes the parts that present members must send themselves. */
  #checkWhole(from: Member, update: Uint8Array, others: ReadonlySet<number>): CheckedUpdate | null {
    const checked = checkUpdate(update)
    if (checked) return exclude(checked, others)
    this.#report(from.id, "a malformed document transfer")
    return null
  }

  #onTransferred(from: Member): void {
    this.#transferSenders = [...this.#transferSenders.filter(({ id }) => id !== from.id), from].slice(
      -TRANSFER_SENDERS_MAX,
    )
    this.#emitter.emit("transferred", from)
  }

  /** Every member sends its own changes. One member, chosen anew with each request, sends the rest. */
  #onWish(from: Member, vector: Uint8Array): void {
    const wish = decodeWish(vector)
    if (!wish || !this.#clients.writes) return
    const others = this.#clients.writerIds.filter((id) => id !== from.id)
    const rest = others[wish.turn % others.length] === this.#config.self.id
    if (this.#agreement.mayAnswer(from.id, rest ? "rest" : "own")) void this.#sender.answer(wish.known, rest)
  }

  /** Applies an update that is checked and has all its predecessors. */
  #apply(update: Uint8Array): void {
    // Only the application's listeners can throw here.
    callSafely(() => Y.applyUpdate(this.doc, update, this))
    const { store } = this.doc
    // Updates that depend on each other in a cycle: Yjs would keep them forever and merge them with all later ones.
    store.pendingStructs = null
    store.pendingDs = null
  }

  #report(member: MemberId, detail: string, code: SecurityEvent["code"] = "invalid-content"): void {
    this.#output.report(code, member, detail)
  }

  // Output to the conference

  /** The local copy has changed the document. Possibly no other member has these changes. */
  #onRestored(clocks: Clocks): void {
    // Another member may have sent it before its author was here.
    this.#authors.onTransferred(clocks)
    if (this.#clients.writes && !this.#awaitsCopy) void this.#sender.answer(new Map(), true)
  }

  /** Changes of an earlier incarnation of this member belong to it. Possibly no other member has them. */
  async #transferTo(transferScope: Exclude<TransferScope, "nothing">, transfer: string): Promise<void> {
    this.#awaitsCopy ||= transferScope === "all"
    await this.#copy.restored
    this.#awaitsCopy = false
    // Waits for transfers of earlier views. They are part of this member's state and may still be inflating.
    await Promise.all(this.#taking)
    const scope = transferScope === "all" ? "all" : "own"
    if (!this.doc.store.clients.has(this.#clients.own) && (scope === "own" || isEmpty(this.doc))) return
    await this.#sender.transfer(scope, transfer)
  }
}

function isEmpty(doc: Y.Doc): boolean {
  return doc.store.clients.size === 0
}
