import type { MemberId } from "@keymoot/transport"
import {
  KeymootError,
  type Channel,
  type ChannelOptions,
  type ConferenceEvents,
  type ConferenceHandle,
  type ConferenceView,
  type CreateOptions,
  type HistoryPolicy,
  type IdentityHandle,
  type JoinOptions,
  type KeyAgreementName,
  type ListenOptions,
  type Member,
  type ResumeOptions,
  type ServerState,
  type SharedDocument,
  type Unsubscribe,
} from "../api.ts"
import { documentChannel, RESERVED_PREFIX } from "../engine/message-kind.ts"
import type { ConferenceEvent, ConferenceInfo } from "../engine/protocol.ts"
import { isChannelName } from "../multicast/index.ts"
import { ConferenceChannel } from "./channel.ts"
import { ConferenceDocument } from "./document.ts"
import { callSafely, Emitter } from "./emitter.ts"
import { aborted, type EngineConnection } from "./engine-connection.ts"
import { connectionOf } from "./identity.ts"

/** Channels and documents that peers may begin before the application opens them here; what comes for others is dropped. */
const UNOPENED_MAX = 16
const DURATION_MS_DEFAULT = 24 * 60 * 60 * 1000

/**
 * A conference that this identity takes part in.
 *
 * @example
 * const conference = await Conference.join({ url: location.href, identity })
 * conference.on("view", (view) => console.log(`${view.members.length} people can read this`))
 * await conference.channel("chat").send("hello")
 */
export class Conference implements ConferenceHandle {
  readonly id: string
  readonly title: string
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly history: HistoryPolicy
  readonly invitation: { readonly url: string }
  readonly #connection: EngineConnection
  readonly #emitter = new Emitter<ConferenceEvents>()
  readonly #channels = new Map<string, ConferenceChannel>()
  readonly #documents = new Map<string, ConferenceDocument>()
  #view: ConferenceView
  #server: ServerState
  #closed: Parameters<ConferenceEvents["closed"]>[0] | null = null

  private constructor(connection: EngineConnection, info: ConferenceInfo) {
    this.#connection = connection
    this.id = info.id
    this.title = info.title
    this.self = info.self
    this.keyAgreement = info.keyAgreement
    this.history = info.history
    this.invitation = { url: info.url }
    this.#view = info.view
    this.#server = info.server
    connection.listen(info.id, (event) => this.#onEvent(event))
  }

  /**
   * Makes a conference and enters it.
   * @throws KeymootError `invalid-argument`, `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static create({ identity, signal, ...options }: CreateOptions): Promise<Conference> {
    return enter(identity, signal, (connection) =>
      connection.call("conference.create", {
        server: options.server,
        title: options.title ?? "",
        keyAgreement: options.keyAgreement ?? "tgdh",
        history: options.history ?? "everything",
        durationMs: options.durationMs ?? DURATION_MS_DEFAULT,
      }),
    )
  }

  /**
   * Enters by an invitation link.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `conference-over`, `already-open`,
   * `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static join({ identity, url, signal }: JoinOptions): Promise<Conference> {
    return enter(identity, signal, (connection) => connection.call("conference.join", { url }))
  }

  /** Enters again after a reload. @throws KeymootError `no-invitation`, and as `join` */
  static resume({ identity, id, signal }: ResumeOptions): Promise<Conference> {
    return enter(identity, signal, (connection) => connection.call("conference.resume", { id }))
  }

  /** @internal */
  static opened(connection: EngineConnection, info: ConferenceInfo): Conference {
    return new Conference(connection, info)
  }

  get view(): ConferenceView {
    return this.#view
  }

  get server(): ServerState {
    return this.#server
  }

  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe {
    if (!options?.signal?.aborted) callSafely(() => this.#replay(event, listener))
    return this.#emitter.on(event, listener, options)
  }

  channel(name: string, options: ChannelOptions = {}): Channel {
    assertName(name)
    return this.#channel(name, options)
  }

  document(name: string): SharedDocument {
    assertName(name)
    return this.#document(name)
  }

  conferenceCode(): Promise<string> {
    return this.#connection.call("conference.code", { id: this.id })
  }

  pairCode(member: MemberId): Promise<string> {
    return this.#connection.call("conference.pairCode", { id: this.id, member })
  }

  async leave(): Promise<void> {
    await this.#connection.call("conference.leave", { id: this.id })
  }

  #channel(name: string, options: ChannelOptions): ConferenceChannel {
    const existing = this.#channels.get(name)
    existing?.configure(options)
    if (existing) return existing
    const channel = new ConferenceChannel(name, this.id, this.#connection, options)
    this.#channels.set(name, channel)
    return channel
  }

  #document(name: string): ConferenceDocument {
    const existing = this.#documents.get(name)
    if (existing) return existing
    const document = new ConferenceDocument(name, this.id, this.#connection, () => this.#view)
    this.#documents.set(name, document)
    return document
  }

  #replay<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E]): void {
    if (event === "status") (listener as ConferenceEvents["status"])(this.#view)
    if (event === "server") (listener as ConferenceEvents["server"])(this.#server)
    if (event === "closed" && this.#closed) (listener as ConferenceEvents["closed"])(this.#closed)
    if (event === "view" && this.#view.status === "secured") {
      const change = { joined: this.#view.members, left: [], cause: "created" } as const
      ;(listener as ConferenceEvents["view"])(this.#view, change)
    }
  }

  #onPayload(event: ConferenceEvent & { type: "payload" }): void {
    const name = documentNameOf(event.channel)
    if (name === null || (!this.#documents.has(name) && this.#documents.size >= UNOPENED_MAX)) return
    this.#document(name).onPayload(event)
  }

  #onEvent(event: ConferenceEvent): void {
    switch (event.type) {
      case "status":
        this.#view = event.view
        return this.#emitter.emit("status", event.view)
      case "view":
        this.#view = event.view
        for (const document of this.#documents.values()) document.onView(event.view, event.handOver)
        return this.#emitter.emit("view", event.view, event.change)
      case "message":
        if (!this.#channels.has(event.channel) && this.#channels.size >= UNOPENED_MAX) return
        return this.#channel(event.channel, {}).deliver(event.message)
      case "payload":
        return this.#onPayload(event)
      case "security":
        return this.#emitter.emit("security", event.event)
      case "server":
        this.#server = event.state
        return this.#emitter.emit("server", event.state)
      case "closed":
        this.#closed = event.reason
        for (const document of this.#documents.values()) document.close()
        return this.#emitter.emit("closed", event.reason)
    }
  }
}

function documentNameOf(channel: string): string | null {
  const prefix = documentChannel("")
  return channel.startsWith(prefix) && channel.length > prefix.length ? channel.slice(prefix.length) : null
}

/** A conference whose caller has lost interest is left again. */
async function enter(
  identity: IdentityHandle,
  signal: AbortSignal | undefined,
  call: (connection: EngineConnection) => Promise<ConferenceInfo>,
): Promise<Conference> {
  const connection = connectionOf.get(identity)
  if (!connection) throw new KeymootError("invalid-argument", "Give an identity from Identity.open({ name }).")
  if (signal?.aborted) throw aborted()
  const info = await call(connection)
  if (!signal?.aborted) return Conference.opened(connection, info)
  await connection.call("conference.leave", { id: info.id })
  throw aborted()
}

function assertName(name: string): void {
  if (!isChannelName(name) || name.startsWith(RESERVED_PREFIX)) {
    const message = `A name has 1 to 64 bytes in UTF-8 and does not begin with ${RESERVED_PREFIX}.`
    throw new KeymootError("invalid-argument", message)
  }
}
