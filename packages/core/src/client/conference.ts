import type { MemberId } from "@keymoot/transport"
import type {
  Admission,
  AdmissionState,
  Authenticity,
  Channel,
  ChannelOptions,
  ConferenceEvents,
  ConferenceHandle,
  ConferencePreview,
  ConferenceView,
  CreateOptions,
  HistoryPolicy,
  IdentityHandle,
  JoinOptions,
  KeptConference,
  KeyAgreementName,
  KeyStructure,
  LinkPath,
  ListenOptions,
  Member,
  Note,
  PairCode,
  PreviewOptions,
  ResumeOptions,
  Role,
  ScanResult,
  ScheduledConference,
  ScheduleOptions,
  ServerState,
  SharedDocument,
  StorageState,
  TimeFrame,
  Unsubscribe,
} from "../api.ts"
import type { ConferenceEvent, ConferenceInfo } from "../engine/protocol.ts"
import type { EngineConnection } from "./engine-connection.ts"
import { aside, connectionBehind, madeOf, unlessCalledOff } from "./entering.ts"
import { Files } from "./files.ts"
import { Parts } from "./parts.ts"
import { PresentState } from "./present-state.ts"

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
  readonly #present: PresentState
  readonly #parts: Parts

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
    this.#present = new PresentState(info)
    this.#parts = new Parts(info.id, connection, () => this.#present.view)
    connection.listen(info.id, (event) => this.#onEvent(event))
  }

  /**
   * Makes a conference and enters it.
   * @throws KeymootError `invalid-argument`, `invalid-card`, `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static create({ identity, signal, ...options }: CreateOptions): Promise<Conference> {
    return enter(identity, { signal, forget: true }, (connection) =>
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
    return unlessCalledOff(connectionBehind(identity), { signal, forget: true }, (connection) =>
      connection.call("conference.schedule", { ...madeOf(options), opensAtMs: options.opensAtMs }),
    )
  }

  /**
   * Enters by an invitation link.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `not-yet-open` (its `opensAtMs` says
   * when), `conference-over`, `not-admitted`, `already-open`,
   * `server-unreachable`, `server-refused`, `storage-unavailable`, `aborted`
   */
  static join({ identity, url, signal, localCopy = true, ice }: JoinOptions): Promise<Conference> {
    const transportPolicy = ice?.transportPolicy ?? "all"
    return enter(identity, { signal, forget: true }, (connection) =>
      connection.call("conference.join", { url, localCopy, transportPolicy }),
    )
  }

  /** Enters again after a reload. @throws KeymootError `no-invitation`, and as `join` */
  static resume({ identity, id, signal, localCopy = true, ice }: ResumeOptions): Promise<Conference> {
    const transportPolicy = ice?.transportPolicy ?? "all"
    return enter(identity, { signal, forget: false }, (connection) =>
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
    return this.#present.view
  }

  get server(): ServerState {
    return this.#present.server
  }

  get links(): ReadonlyMap<MemberId, LinkPath> {
    return this.#present.links
  }

  get invitation(): { readonly url: string } {
    return this.#present.invitation
  }

  get admissionState(): AdmissionState {
    return this.#present.admission
  }

  get storage(): StorageState {
    return this.#present.storage
  }

  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe {
    return this.#present.on(event, listener, options)
  }

  channel(name: string, options: ChannelOptions = {}): Channel {
    return this.#parts.channel(name, options)
  }

  document(name: string): SharedDocument {
    return this.#parts.document(name)
  }

  note(name: string): Note {
    return this.#parts.note(name)
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
    await this.#connection.call("conference.leave", { id: this.id, forget: true })
  }

  #onEvent(event: ConferenceEvent): void {
    switch (event.type) {
      case "message":
        return this.#parts.onMessage(event)
      case "run":
        return this.#parts.onRun(event)
      case "erased":
        return this.#parts.onErased(event)
      case "payload":
        return this.#parts.onPayload(event)
      case "progress":
        return this.#parts.onProgress(event)
      case "request":
        return this.#parts.onRequest(event)
      case "response":
        return this.#parts.onResponse(event)
      case "file":
        return this.files.onProgress(event)
      // First: whoever listens may look at a document.
      case "view":
        this.#parts.onView(event)
        return this.#present.onEvent(event)
      case "closed":
        this.#parts.close()
        return this.#present.onEvent(event)
      default:
        return this.#present.onEvent(event)
    }
  }
}

async function enter(
  identity: IdentityHandle,
  how: Parameters<typeof unlessCalledOff>[1],
  call: (connection: EngineConnection) => Promise<ConferenceInfo>,
): Promise<Conference> {
  const connection = connectionBehind(identity)
  return opened(connection, await unlessCalledOff(connection, how, call))
}
