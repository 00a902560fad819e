import type { MemberId } from "@keymoot/transport"
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from "y-protocols/awareness"
import * as Y from "yjs"
import {
  KeymootError,
  type ConferenceView,
  type DocumentEvents,
  type ListenOptions,
  type Member,
  type SharedDocument,
  type Unsubscribe,
} from "../api.ts"
import type { HandOver } from "../engine/companions.ts"
import { documentChannel, MessageKind } from "../engine/message-kind.ts"
import type { ConferenceEvent } from "../engine/protocol.ts"
import { ChunkAssembler } from "../history/index.ts"
import { inflate } from "../wire/index.ts"
import { AwarenessOwners, singleClient } from "./awareness-owners.ts"
import { DocumentCopy } from "./document-copy.ts"
import { DocumentSender } from "./document-sender.ts"
import { callSafely, Emitter } from "./emitter.ts"
import type { EngineConnection } from "./engine-connection.ts"
import type { Outcome } from "./piece-sender.ts"

/** Of what is handed over, compressed and not. */
const TRANSFER_BYTES_MAX = 31 * 1024 * 1024
const DOCUMENT_BYTES_MAX = 96 * 1024 * 1024

/** Members remembered, for late subscribers, to have handed something over; the last ones, each once. */
const HANDED_OVER_MAX = 64

type Payload = Extract<ConferenceEvent, { type: "payload" }>

/** A Yjs document of all members. Updates commute, so they travel `fifo`. */
export class ConferenceDocument implements SharedDocument {
  readonly name: string
  readonly doc = new Y.Doc()
  readonly awareness = new Awareness(this.doc)
  readonly #conference: string
  readonly #connection: EngineConnection
  readonly #view: () => ConferenceView
  readonly #emitter = new Emitter<DocumentEvents>()
  #handedOver: readonly Member[] = []
  readonly #owners = new AwarenessOwners()
  readonly #taking = new Set<Promise<void>>()
  readonly #assemblers = new Map<MemberId, ChunkAssembler>()
  /** Only the newest state of a pointer is worth sending: one is under way, and whether there is a newer one. */
  #announcing = false
  #announceAgain = false
  readonly #copy: DocumentCopy
  readonly #sender: DocumentSender

  /** `sendableBytesMax`: compressed; what is larger is not sent, and that is told. */
  constructor(
    name: string,
    conference: string,
    connection: EngineConnection,
    view: () => ConferenceView,
    sendableBytesMax = TRANSFER_BYTES_MAX,
  ) {
    this.name = name
    this.#conference = conference
    this.#connection = connection
    this.#view = view
    this.#copy = new DocumentCopy(this.doc, name, conference, connection)
    this.#sender = new DocumentSender({
      doc: this.doc,
      sendableBytesMax,
      sendUpdate: (update) => this.#send(MessageKind.documentUpdate, update),
      sendPiece: (piece) => this.#send(MessageKind.documentChunk, piece),
      onUnsent: (error) => this.#emitter.emit("unsent", error),
      onCaughtUp: () => this.#emitter.emit("caughtUp"),
    })
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== this && origin !== this.#copy) this.#sender.change(update)
      this.#sender.changed()
    })
    this.awareness.on("update", (_: unknown, origin: unknown) => {
      if (origin !== this) this.#announce()
    })
  }

  memberOfClient(clientId: number): Member | undefined {
    if (clientId === this.awareness.clientID) return this.#view().members.find((member) => member.self)
    const owner = this.#owners.ownerOf(clientId)
    return this.#view().members.find(({ id }) => id === owner)
  }

  on<E extends keyof DocumentEvents>(event: E, listener: DocumentEvents[E], options?: ListenOptions): Unsubscribe {
    if (event === "handedOver" && !options?.signal?.aborted) {
      for (const from of this.#handedOver) callSafely(() => (listener as DocumentEvents["handedOver"])(from))
    }
    return this.#emitter.on(event, listener, options)
  }

  // From the conference

  onView(view: ConferenceView, handOver: HandOver): void {
    const present = new Set(view.members.map(({ id }) => id))
    removeAwarenessStates(this.awareness, this.#owners.forgetAbsent(present), this)
    for (const sender of this.#assemblers.keys()) if (!present.has(sender)) this.#assemblers.delete(sender)
    this.#announce()
    if (handOver === "all" || (handOver === "unfinished" && this.#sender.busy)) void this.#handOver()
    else this.#sender.retry()
  }

  onPayload({ kind, from, payload }: Payload): void {
    if (from.self) return
    if (kind === MessageKind.documentUpdate) this.#apply(payload)
    else if (kind === MessageKind.awareness) this.#onAwareness(from, payload)
    else if (kind === MessageKind.documentChunk) this.#take(this.#onChunk(from, payload))
  }

  close(): void {
    this.#sender.close()
    this.#copy.close()
    this.awareness.destroy()
  }

  #onAwareness(from: Member, payload: Uint8Array): void {
    // Yjs lets any client set another's state; here a client id belongs to the member that used it first.
    const client = singleClient(payload)
    if (client === null || client === this.awareness.clientID) return
    const gone = this.#owners.claim(client, from.id)
    if (!gone) return
    removeAwarenessStates(this.awareness, gone, this)
    callSafely(() => applyAwarenessUpdate(this.awareness, payload, this))
  }

  #take(taking: Promise<void>): void {
    this.#taking.add(taking)
    void taking.finally(() => this.#taking.delete(taking))
  }

  async #onChunk(from: Member, chunk: Uint8Array): Promise<void> {
    const assembler = this.#assemblers.get(from.id) ?? new ChunkAssembler(TRANSFER_BYTES_MAX)
    this.#assemblers.set(from.id, assembler)
    const assembly = assembler.accept(chunk)
    if (assembly.type === "incomplete") {
      const { received, count } = assembly
      return this.#emitter.emit("progress", { from, received, count })
    }
    this.#assemblers.delete(from.id)
    const update = assembly.type === "complete" ? await inflate(assembly.bytes, DOCUMENT_BYTES_MAX) : null
    if (!update || !this.#apply(update)) return
    this.#handedOver = [...this.#handedOver.filter(({ id }) => id !== from.id), from].slice(-HANDED_OVER_MAX)
    this.#emitter.emit("handedOver", from)
  }

  /** False for bytes that are no update; the document stays as it was. */
  #apply(update: Uint8Array): boolean {
    try {
      Y.applyUpdate(this.doc, update, this)
      return true
    } catch {
      return false
    }
  }

  // To the conference

  /** What an earlier life of this member had drawn belongs to it, and may be known to nobody else. */
  async #handOver(): Promise<void> {
    await this.#copy.restored
    // What others have handed over before this view is part of what this member knows, and may still be unpacked.
    await Promise.all(this.#taking)
    if (isEmpty(this.doc)) return
    await this.#sender.handOver()
  }

  #announce(): void {
    if (this.#announcing) {
      this.#announceAgain = true
      return
    }
    // Not the document's client id: Yjs takes another as soon as somebody writes under it.
    const { clientID } = this.awareness
    if (this.awareness.getLocalState() === null && !this.awareness.meta.has(clientID)) return
    this.#announcing = true
    this.#announceAgain = false
    const update = encodeAwarenessUpdate(this.awareness, [clientID])
    void this.#send(MessageKind.awareness, update).then(() => {
      this.#announcing = false
      if (this.#announceAgain) this.#announce()
    })
  }

  /** What cannot be sent because the conference is over is of no use to anybody. */
  async #send(kind: number, payload: Uint8Array): Promise<Outcome> {
    const params = {
      id: this.#conference,
      channel: documentChannel(this.name),
      kind,
      payload,
      service: "fifo",
    } as const
    try {
      await this.#connection.call("conference.send", params)
      return "sent"
    } catch (error) {
      const code = error instanceof KeymootError ? error.code : null
      if (code === "not-permitted") return code
      return code === "queue-full" ? "full" : "over"
    }
  }
}

function isEmpty(doc: Y.Doc): boolean {
  return doc.store.clients.size === 0
}
