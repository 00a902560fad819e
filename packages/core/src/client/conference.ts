import type { MemberId } from "@keymoot/transport"
import {
  KeymootError,
  type Admission,
  type AdmissionState,
  type Authenticity,
  type Channel,
  type ChannelOptions,
  type ConferenceEvents,
  type ConferenceHandle,
  type ConferencePreview,
  type ConferenceView,
  type CreateOptions,
  type HistoryPolicy,
  type IdentityHandle,
  type JoinOptions,
  type KeptConference,
  type KeyAgreementName,
  type KeyStructure,
  type LinkPath,
  type ListenOptions,
  type Member,
  type Note,
  type PairCode,
  type PreviewOptions,
  type ResumeOptions,
  type Role,
  type ScanResult,
  type ScheduledConference,
  type ScheduleOptions,
  type ServerState,
  type StorageState,
  type TimeFrame,
  type SharedDocument,
  type Unsubscribe,
} from "../api.ts"
import { documentChannel, RESERVED_PREFIX } from "../engine/message-kind.ts"
import type { ConferenceEvent, ConferenceInfo } from "../engine/protocol.ts"
import { isChannelName } from "../multicast/index.ts"
import { ConferenceChannel } from "./channel.ts"
import { ConferenceDocument } from "./document.ts"
import { Files } from "./files.ts"
import { callSafely, Emitter } from "./emitter.ts"
import { aborted, type EngineConnection } from "./engine-connection.ts"
import { connectionOf, openConnection } from "./identity.ts"

/** Channels and documents that peers may begin before the application opens them here; what comes for others is dropped. */
const UNOPENED_MAX = 16
const DURATION_MS_DEFAULT = 24 * 60 * 60 * 1000

/** The constructor is nobody else's business. */
let opened: (connection: EngineConnection, info: ConferenceInfo) => Conference

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
  readonly timeFrame: TimeFrame
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  readonly files: Files
  readonly #connection: EngineConnection
  readonly #emitter = new Emitter<ConferenceEvents>()
  readonly #channels = new Map<string, ConferenceChannel>()
  readonly #documents = new Map<string, ConferenceDocument>()
  #view: ConferenceView
  /** In the present view this member tells the others what they have not seen. */
  #handsOver = false
  #server: ServerState
  #links: ReadonlyMap<MemberId, LinkPath> = new Map()
  #storage: StorageState
  #invitation: { readonly url: string }
  #admissionState: AdmissionState
  #closed: Parameters<ConferenceEvents["closed"]>[0] | null = null

  private constructor(connection: EngineConnection, info: ConferenceInfo) {
    this.#connection = connection
    this.id = info.id
    this.title = info.title
    this.timeFrame = info.timeFrame
    this.self = info.self
    this.keyAgreement = info.keyAgreement
    this.admission = info.admission
    this.history = info.history
    this.authenticity = info.authenticity
    this.files = new Files(info.id, connection)
    this.#invitation = { url: info.url }
    this.#admissionState = info.admissionState
    this.#view = info.view
    this.#server = info.server
    this.#storage = info.storage
    connection.listen(info.id, (event) => this.#onEvent(event))
  }

  /**
   * Makes a conference and enters it.
   * @throws KeymootError `invalid-argument`, `invalid-card`, `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static create({ identity, signal, ...options }: CreateOptions): Promise<Conference> {
    return enter(identity, signal, (connection) =>
      connection.call("conference.create", {
        ...madeOf(options),
        localCopy: options.localCopy ?? true,
        transportPolicy: options.ice?.transportPolicy ?? "all",
      }),
    )
  }

  /**
   * Makes a conference that opens later, and does not enter it: its link can be given out at once, and nobody enters by it
   * before. This identity enters with `resume`.
   * @throws KeymootError as `create`
   */
  static async schedule({ identity, signal, ...options }: ScheduleOptions): Promise<ScheduledConference> {
    const connection = connected(identity, signal)
    const scheduled = await connection.call("conference.schedule", {
      ...madeOf(options),
      opensAtMs: options.opensAtMs,
    })
    if (!signal?.aborted) return scheduled
    await connection.call("conference.leave", { id: scheduled.id })
    throw aborted()
  }

  /**
   * Enters by an invitation link.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `not-yet-open` (its `opensAtMs` says
   * when), `conference-over`, `not-admitted`, `already-open`,
   * `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static join({ identity, url, signal, localCopy = true, ice }: JoinOptions): Promise<Conference> {
    const transportPolicy = ice?.transportPolicy ?? "all"
    return enter(identity, signal, (connection) =>
      connection.call("conference.join", { url, localCopy, transportPolicy }),
    )
  }

  /** Enters again after a reload. @throws KeymootError `no-invitation`, and as `join` */
  static resume({ identity, id, signal, localCopy = true, ice }: ResumeOptions): Promise<Conference> {
    const transportPolicy = ice?.transportPolicy ?? "all"
    return enter(identity, signal, (connection) =>
      connection.call("conference.resume", { id, localCopy, transportPolicy }),
    )
  }

  /**
   * What a link leads to: who made it, who may enter, when. Nothing is entered and no member hears of it; the server does.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `conference-over`, `server-unreachable`,
   * `server-refused`, `storage-unavailable`
   */
  static preview({ url, identity }: PreviewOptions): Promise<ConferencePreview> {
    return aside(identity, (connection) => connection.call("conference.preview", { url }))
  }

  /**
   * The conferences that this device has not left, the last entered first. Those that are over are forgotten with this.
   * @throws KeymootError `storage-unavailable`
   */
  static kept({ identity }: { readonly identity?: IdentityHandle } = {}): Promise<readonly KeptConference[]> {
    return aside(identity, (connection) => connection.call("conference.kept", {}))
  }

  /**
   * Forgets what this device keeps of a conference that is not open: how to enter it, what was drawn and said, files.
   * @throws KeymootError `already-open`, `storage-unavailable`
   */
  static async forget({ id, identity }: { readonly id: string; readonly identity?: IdentityHandle }): Promise<void> {
    await aside(identity, (connection) => connection.call("conference.forget", { id }))
  }

  static {
    opened = (connection, info) => new Conference(connection, info)
  }

  get view(): ConferenceView {
    return this.#view
  }

  get server(): ServerState {
    return this.#server
  }

  get links(): ReadonlyMap<MemberId, LinkPath> {
    return this.#links
  }

  get invitation(): { readonly url: string } {
    return this.#invitation
  }

  get admissionState(): AdmissionState {
    return this.#admissionState
  }

  get storage(): StorageState {
    return this.#storage
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

  note(name: string): Note {
    assertName(name)
    const copy = { id: this.id, part: `note/${name}` } as const
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

  conferenceCode(): Promise<string> {
    return this.#connection.call("conference.code", { id: this.id })
  }

  pairCode(member: MemberId): Promise<PairCode> {
    return this.#connection.call("conference.pairCode", { id: this.id, member })
  }

  checkScan(member: MemberId, text: string): Promise<ScanResult> {
    return this.#connection.call("conference.checkScan", { id: this.id, member, text })
  }

  async verify(member: MemberId): Promise<void> {
    await this.#connection.call("conference.verify", { id: this.id, member, verified: true })
  }

  async unverify(member: MemberId): Promise<void> {
    await this.#connection.call("conference.verify", { id: this.id, member, verified: false })
  }

  keyStructure(): Promise<KeyStructure | null> {
    return this.#connection.call("conference.keyStructure", { id: this.id })
  }

  async refreshKey(): Promise<void> {
    await this.#connection.call("conference.refreshKey", { id: this.id })
  }

  async reconnect(): Promise<void> {
    await this.#connection.call("conference.reconnect", { id: this.id })
  }

  async remove(member: MemberId): Promise<void> {
    await this.#connection.call("conference.remove", { id: this.id, member })
  }

  async setRole(member: MemberId, role: Role): Promise<void> {
    await this.#connection.call("conference.setRole", { id: this.id, member, role })
  }

  async admit(member: MemberId, { role = "editor" }: { readonly role?: Exclude<Role, "host"> } = {}): Promise<void> {
    await this.#connection.call("conference.admit", { id: this.id, member, role })
  }

  async refuse(member: MemberId): Promise<void> {
    await this.#connection.call("conference.refuse", { id: this.id, member })
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
    // What this device kept of it may be news to those who are here already.
    if (this.#handsOver) document.onView(this.#view, true)
    return document
  }

  #replay<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E]): void {
    if (event === "status") (listener as ConferenceEvents["status"])(this.#view)
    if (event === "server") (listener as ConferenceEvents["server"])(this.#server)
    if (event === "links") (listener as ConferenceEvents["links"])(this.#links)
    if (event === "storage") (listener as ConferenceEvents["storage"])(this.#storage)
    if (event === "admission") (listener as ConferenceEvents["admission"])(this.#admissionState)
    if (event === "invitation") (listener as ConferenceEvents["invitation"])(this.#invitation)
    if (event === "closed" && this.#closed) (listener as ConferenceEvents["closed"])(this.#closed)
    if (event === "view" && this.#view.status === "secured") {
      const change = { joined: this.#view.members, left: [], lost: [], removed: [], cause: "created" } as const
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
        this.#handsOver = event.handOver
        for (const document of this.#documents.values()) document.onView(event.view, event.handOver)
        return this.#emitter.emit("view", event.view, event.change)
      case "message":
        if (!this.#channels.has(event.channel) && this.#channels.size >= UNOPENED_MAX) return
        return this.#channel(event.channel, {}).deliver(event.message)
      case "erased":
        return this.#channels.get(event.channel)?.onErased(event.messages)
      case "payload":
        return this.#onPayload(event)
      case "security":
        return this.#emitter.emit("security", event.event)
      case "server":
        this.#server = event.state
        return this.#emitter.emit("server", event.state)
      case "links":
        this.#links = event.links
        return this.#emitter.emit("links", event.links)
      case "storage":
        this.#storage = event.state
        return this.#emitter.emit("storage", event.state)
      case "file":
        return this.files.onProgress(event)
      case "admission":
        this.#admissionState = event.state
        return this.#emitter.emit("admission", event.state)
      case "invitation":
        this.#invitation = { url: event.url }
        return this.#emitter.emit("invitation", this.#invitation)
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
  const connection = connected(identity, signal)
  const info = await call(connection)
  if (!signal?.aborted) return opened(connection, info)
  await connection.call("conference.leave", { id: info.id })
  throw aborted()
}

function connected(identity: IdentityHandle, signal: AbortSignal | undefined): EngineConnection {
  const connection = connectionOf.get(identity)
  if (!connection) throw new KeymootError("invalid-argument", "Give an identity from Identity.open({ name }).")
  if (signal?.aborted) throw aborted()
  return connection
}

/** What a conference is made with; it cannot be changed later. */
function madeOf(options: Omit<CreateOptions, "identity" | "signal">) {
  return {
    server: options.server,
    title: options.title ?? "",
    keyAgreement: options.keyAgreement ?? "tgdh",
    admission: options.admission ?? { policy: "link" },
    history: options.history ?? "everything",
    authenticity: options.authenticity ?? "signature",
    durationMs: options.durationMs ?? DURATION_MS_DEFAULT,
  } as const
}

/** Without an identity in an engine of its own, for as long as it takes. */
async function aside<T>(
  identity: IdentityHandle | undefined,
  call: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  const own = identity && connectionOf.get(identity)
  if (own) return call(own)
  const connection = openConnection()
  try {
    return await call(connection)
  } finally {
    connection.close()
  }
}

function assertName(name: string): void {
  if (!isChannelName(name) || name.startsWith(RESERVED_PREFIX)) {
    const message = `A name has 1 to 64 bytes in UTF-8 and does not begin with ${RESERVED_PREFIX}.`
    throw new KeymootError("invalid-argument", message)
  }
}
