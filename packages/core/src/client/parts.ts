import { utf8ToBytes } from "@noble/hashes/utils.js"
import { KeymootError, type ChannelOptions, type Member, type Note } from "../api/index.ts"
import type { DocumentPeer } from "../documents/client-id.ts"
import { documentChannel, RESERVED_PREFIX } from "../multicast/message-kind.ts"
import { messagesOf } from "../rpc/message-runs.ts"
import type { ConferenceEvent } from "../rpc/protocol.ts"
import { transferIn } from "../history/arrivals.ts"
import { isChannelName } from "../multicast/batch.ts"
import { ConferenceChannel, type ChannelConfig } from "./channel.ts"
import { ConferenceDocument } from "./documents/document.ts"
import { newTransfers, type TransfersOfDocuments } from "./documents/document-transfers.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import { MessagePieces } from "./connection/message-pieces.ts"
import { assertArguments, METHODS } from "./options.ts"
import type { PresentState } from "./connection/present-state.ts"
import { UnopenedLog } from "./unopened-log.ts"

/**
 * Channels, and documents, that peers may begin before the application opens them here. Data for others is dropped,
 * except messages of the log.
 */
export const UNOPENED_MAX = 16
/**
 * Longest time that `leave` waits for what this member still sends in pieces. Others can't use a part of it. It also
 * waits so long for the local copies of documents.
 */
export const LAST_PIECES_MS = 3000

type EventOf<T extends ConferenceEvent["type"]> = Extract<ConferenceEvent, { readonly type: T }>

type ContentEvent = EventOf<"message" | "run" | "request" | "response" | "progress" | "erased" | "payload">

export type PartsConfig = {
  readonly conference: string
  readonly connection: EngineConnection
  readonly present: Pick<PresentState, "view" | "onEvent">
  readonly self: Member
  readonly incarnation: number
}

/** Channels, documents and notes of one conference by name. */
export class Parts {
  readonly #config: PartsConfig
  readonly #ofChannels: ChannelConfig
  readonly #channels = new Map<string, ConferenceChannel>()
  readonly #documents = new Map<string, ConferenceDocument>()
  /** Names that a peer has begun and the application has not opened. Opened ones do not use up the room of these. */
  readonly #unopened = { channels: new Set<string>(), documents: new Set<string>() }
  readonly #unopenedLog = new UnopenedLog()
  readonly #transfers: TransfersOfDocuments = newTransfers()
  /** Whether this member sends newcomers the whole state in the present view. */
  #transfersAll = false
  /** Peers of the last installed view. */
  #peers: readonly DocumentPeer[] = []
  #transfer = ""
  #closed = false

  constructor(config: PartsConfig) {
    const { conference, connection, present } = config
    this.#config = config
    const pieces = new MessagePieces(conference, connection)
    this.#ofChannels = { conference, connection, present, pieces }
  }

  /** @throws KeymootError `invalid-argument` */
  channel(name: string, options: ChannelOptions): ConferenceChannel {
    assertName(name)
    assertArguments(METHODS.channel, options)
    const isOpen = this.#isOpen(name)
    this.#unopened.channels.delete(name)
    const channel = this.#channel(name, options)
    if (!isOpen) for (const message of this.#unopenedLog.take(name)) channel.deliver(message)
    return channel
  }

  /** @throws KeymootError `invalid-argument` */
  document(name: string): ConferenceDocument {
    assertName(name)
    this.#unopened.documents.delete(name)
    return this.#document(name)
  }

  /** @throws KeymootError `invalid-argument` */
  note(name: string): Note {
    assertName(name)
    const { conference, connection } = this.#config
    const copy = { id: conference, part: `note/${name}` } as const
    return {
      read: async () => {
        const [bytes] = await connection.call("copy.read", copy)
        return bytes ? new TextDecoder().decode(bytes) : null
      },
      write: async (text) => {
        assertArguments(METHODS.write, { text })
        return connection.call("copy.write", { ...copy, bytes: utf8ToBytes(text), how: "replace" })
      },
    }
  }

  // Events of the conference

  /** Precedes all other events of that view. A newcomer that has secured it sends at once. */
  onViewStart({ viewStart, peers }: EventOf<"viewStart">): void {
    this.#transfers.arrivals.onView(viewStart, 0)
    this.#transfers.budget.renew()
    this.#peers = peers
    for (const document of this.#documents.values()) document.onViewStart(peers)
    for (const channel of this.#channels.values()) channel.onViewStart(viewStart.transitional)
  }

  onView({ view, transferScope, peers }: EventOf<"view">): void {
    this.#transfersAll = transferScope === "all"
    this.#transfer = transferIn(view.id)
    for (const document of this.#documents.values()) document.onView(peers, transferScope, this.#transfer)
  }

  onContent(event: ContentEvent): void {
    switch (event.type) {
      case "message":
        if (this.#isOpen(event.channel)) return this.#channels.get(event.channel)!.deliver(event.message)
        return this.#unopenedLog.add(event.channel, event.message)
      case "run":
        return this.#begun(event.run.channel)?.deliverRun(event.run, event.messages)
      case "request":
        for (const message of messagesOf(event.run)) this.#begun(event.channel)?.onRequest(event.subject, message)
        return
      case "response":
        for (const message of messagesOf(event.run))
          this.#channels.get(event.channel)?.onResponse(event.subject, message, event.refused)
        return
      case "progress":
        return this.#channels
          .get(event.channel)
          ?.onProgress({ from: event.from, received: event.received, count: event.count })
      case "erased":
        this.#unopenedLog.erase(event.messages)
        return this.#channels.get(event.channel)?.onErased(event.messages)
      case "payload": {
        const name = documentNameOf(event.channel)
        if (name === null || (!this.#documents.has(name) && !mayBegin(name, this.#unopened.documents))) return
        return this.#document(name).onPayload(event)
      }
    }
  }

  /**
   * Resolves once all that this member sends in pieces has gone, or has failed, or when `signal` is aborted.
   * @param stores whether the local copies of documents must have all changes too
   */
  drained(signal: AbortSignal, stores: boolean): Promise<unknown> {
    const documents = [...this.#documents.values()]
    const senders = [this.#ofChannels.pieces, ...this.#channels.values(), ...documents]
    const stored = stores ? documents.map((each) => each.stored()) : []
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
    return Promise.race([Promise.all([...senders.map((each) => each.drained()), ...stored]), aborted])
  }

  close(): void {
    this.#closed = true
    for (const document of this.#documents.values()) document.close()
    for (const channel of this.#channels.values()) channel.close()
  }

  /** Whether the application has opened the channel, and not only a peer. */
  #isOpen(name: string): boolean {
    return this.#channels.has(name) && !this.#unopened.channels.has(name)
  }

  /** Returns the channel, which a peer may have opened first. */
  #begun(name: string): ConferenceChannel | null {
    return this.#channels.has(name) || mayBegin(name, this.#unopened.channels) ? this.#channel(name, {}) : null
  }

  #channel(name: string, options: ChannelOptions): ConferenceChannel {
    const existing = this.#channels.get(name)
    existing?.configure(options)
    if (existing) return existing
    const channel = new ConferenceChannel(name, this.#ofChannels, options)
    this.#channels.set(name, channel)
    return channel
  }

  #document(name: string): ConferenceDocument {
    const existing = this.#documents.get(name)
    if (existing) return existing
    const { conference, connection, present, self, incarnation } = this.#config
    const peer = { id: self.id, incarnation }
    const transfers = this.#transfers
    const document = new ConferenceDocument({ name, conference, connection, present, self: peer, transfers })
    this.#documents.set(name, document)
    // The local copy may hold changes that present members lack.
    document.onView(this.#peers, this.#transfersAll ? "all" : "nothing", this.#transfer)
    // Its read is refused, and would be retried for ever.
    if (this.#closed) document.close()
    return document
  }
}

function documentNameOf(channel: string): string | null {
  const prefix = documentChannel("")
  return channel.startsWith(prefix) && channel.length > prefix.length ? channel.slice(prefix.length) : null
}

function assertName(name: string): void {
  if (typeof name !== "string" || !isChannelName(name) || name.startsWith(RESERVED_PREFIX)) {
    const message = `A name has 1 to 64 bytes in UTF-8 and does not begin with ${RESERVED_PREFIX}.`
    throw new KeymootError("invalid-argument", message)
  }
}

/** False if peers have begun as many as they may; else the name is one of them. */
function mayBegin(name: string, unopened: Set<string>): boolean {
  if (unopened.size >= UNOPENED_MAX) return false
  unopened.add(name)
  return true
}
