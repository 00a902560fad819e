import { KeymootError, type ChannelOptions, type ConferenceView, type Note } from "../api.ts"
import { documentChannel, RESERVED_PREFIX } from "../engine/message-kind.ts"
import { messagesOf } from "../engine/message-runs.ts"
import type { ConferenceEvent } from "../engine/protocol.ts"
import { isChannelName } from "../multicast/index.ts"
import { ConferenceChannel, type ChannelConfig } from "./channel.ts"
import { ConferenceDocument } from "./document.ts"
import type { EngineConnection } from "./engine-connection.ts"
import { MessagePieces } from "./message-pieces.ts"

/** Channels and documents that peers may begin before the application opens them here; what comes for others is dropped. */
const UNOPENED_MAX = 16

type EventOf<T extends ConferenceEvent["type"]> = Extract<ConferenceEvent, { readonly type: T }>

/** The channels, documents and notes of one conference, by their names. */
export class Parts {
  readonly #conference: string
  readonly #connection: EngineConnection
  readonly #view: () => ConferenceView
  readonly #ofChannels: ChannelConfig
  readonly #channels = new Map<string, ConferenceChannel>()
  readonly #documents = new Map<string, ConferenceDocument>()
  /** In the present view this member tells the others what they have not seen. */
  #handsOver = false

  constructor(conference: string, connection: EngineConnection, view: () => ConferenceView) {
    this.#conference = conference
    this.#connection = connection
    this.#view = view
    this.#ofChannels = { conference, connection, view, pieces: new MessagePieces(conference, connection) }
  }

  /** @throws KeymootError `invalid-argument` */
  channel(name: string, options: ChannelOptions): ConferenceChannel {
    assertName(name)
    return this.#channel(name, options)
  }

  /** @throws KeymootError `invalid-argument` */
  document(name: string): ConferenceDocument {
    assertName(name)
    return this.#document(name)
  }

  /** @throws KeymootError `invalid-argument` */
  note(name: string): Note {
    assertName(name)
    const copy = { id: this.#conference, part: `note/${name}` } as const
    return {
      read: async () => {
        const [bytes] = await this.#connection.call("copy.read", copy)
        return bytes ? new TextDecoder().decode(bytes) : null
      },
      write: async (text) => {
        await this.#connection.call("copy.write", { ...copy, bytes: new TextEncoder().encode(text), how: "replace" })
      },
    }
  }

  // From the conference

  onView({ view, handOver }: EventOf<"view">): void {
    this.#handsOver = handOver === "all"
    for (const document of this.#documents.values()) document.onView(view, handOver)
    for (const channel of this.#channels.values()) channel.onView(view)
  }

  onMessage({ channel, message }: EventOf<"message">): void {
    this.#begun(channel)?.deliver(message)
  }

  onRun({ run, messages }: EventOf<"run">): void {
    this.#begun(run.channel)?.deliverRun(run, messages)
  }

  onRequest({ channel, subject, run }: EventOf<"request">): void {
    for (const message of messagesOf(run)) this.#begun(channel)?.onRequest(subject, message)
  }

  onResponse({ channel, subject, run, refused }: EventOf<"response">): void {
    for (const message of messagesOf(run)) this.#channels.get(channel)?.onResponse(subject, message, refused)
  }

  onProgress({ channel, from, received, count }: EventOf<"progress">): void {
    this.#channels.get(channel)?.onProgress({ from, received, count })
  }

  onErased({ channel, messages }: EventOf<"erased">): void {
    this.#channels.get(channel)?.onErased(messages)
  }

  onPayload(event: EventOf<"payload">): void {
    const name = documentNameOf(event.channel)
    if (name === null || (!this.#documents.has(name) && this.#documents.size >= UNOPENED_MAX)) return
    this.#document(name).onPayload(event)
  }

  close(): void {
    for (const document of this.#documents.values()) document.close()
    for (const channel of this.#channels.values()) channel.close()
  }

  /** By a peer, perhaps. */
  #begun(name: string): ConferenceChannel | null {
    if (!this.#channels.has(name) && this.#channels.size >= UNOPENED_MAX) return null
    return this.#channel(name, {})
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
    const document = new ConferenceDocument(name, this.#conference, this.#connection, this.#view)
    this.#documents.set(name, document)
    // What this device kept of it may be news to those who are here already.
    if (this.#handsOver) document.onView(this.#view(), "all")
    return document
  }
}

function documentNameOf(channel: string): string | null {
  const prefix = documentChannel("")
  return channel.startsWith(prefix) && channel.length > prefix.length ? channel.slice(prefix.length) : null
}

function assertName(name: string): void {
  if (!isChannelName(name) || name.startsWith(RESERVED_PREFIX)) {
    const message = `A name has 1 to 64 bytes in UTF-8 and does not begin with ${RESERVED_PREFIX}.`
    throw new KeymootError("invalid-argument", message)
  }
}
