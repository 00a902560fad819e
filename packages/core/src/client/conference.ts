import type { MemberId } from "@keymoot/transport"
import type {
  Admission,
  AdmissionState,
  Authenticity,
  Cipher,
  OwnModule,
  PostQuantum,
  Channel,
  ChannelOptions,
  ConferenceEvents,
  ConferenceFiles,
  ConferenceHandle,
  ConferenceMedia,
  ConferencePreview,
  ConferenceView,
  CreateOptions,
  Diagnostics,
  EvidenceDocument,
  HistoryPolicy,
  IdentityHandle,
  JoinOptions,
  KeptConference,
  KeyAgreementName,
  KeyStructure,
  LeaveOptions,
  LinkPath,
  ListenOptions,
  Member,
  Note,
  OtherVersion,
  PairCode,
  PreviewOptions,
  OpenKeptOptions,
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
} from "../api/index.ts"
import type { ConferenceEvent } from "../rpc/protocol.ts"
import type { EngineConnection } from "./connection/engine-connection.ts"
import {
  aside,
  createConference,
  type EnteredConference,
  joinConference,
  openKeptConference,
  resumeConference,
  scheduleConference,
} from "./entering.ts"
import { Files } from "./files.ts"
import { LazyMedia } from "./lazy-media.ts"
import { assertArguments, METHODS } from "./options.ts"
import { LAST_PIECES_MS, Parts } from "./parts.ts"
import { PresentState } from "./connection/present-state.ts"

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
  readonly copyOnly: boolean
  readonly keyAgreement: KeyAgreementName | OwnModule
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  readonly cipher: Cipher | OwnModule
  readonly postQuantum: PostQuantum
  readonly files: ConferenceFiles
  readonly media: ConferenceMedia
  readonly #connection: EngineConnection
  readonly #present: PresentState
  readonly #self: Member
  readonly #timeFrame: TimeFrame
  readonly #parts: Parts

  private constructor({ connection, info }: EnteredConference) {
    const { id, self, incarnation } = info
    const present = new PresentState(info)
    this.#connection = connection
    this.#present = present
    this.id = id
    this.title = info.title
    this.#timeFrame = info.timeFrame
    this.copyOnly = info.copyOnly
    this.#self = self
    this.keyAgreement = info.keyAgreement
    this.admission = info.admission
    this.history = info.history
    this.authenticity = info.authenticity
    this.cipher = info.cipher
    this.postQuantum = info.postQuantum
    const files = new Files(id, connection, self.id)
    const media = new LazyMedia({ info, connection, present })
    this.files = files
    this.media = media
    this.#parts = new Parts({ conference: id, connection, present, self, incarnation })
    connection.listen(id, (event) => this.#onEvent(event, files, media))
  }

  /**
   * Creates a conference and enters it.
   * @throws KeymootError `invalid-argument`, `invalid-card`, `roster-too-long`, `named-twice`, `server-unreachable`,
   * `other-server-version`, `server-refused`, `server-full`, `missing-module`, `bad-certificate` (an authority's),
   * `storage-unavailable`, `closed`, `aborted`
   */
  static async create(input: CreateOptions): Promise<Conference> {
    return new Conference(await createConference(input))
  }

  /**
   * Creates a conference that opens later, without entering it. The link can be sent at once. Nobody can enter before
   * the opening. This identity enters with `resume`.
   * @throws KeymootError as `create`
   */
  static async schedule(input: ScheduleOptions): Promise<ScheduledConference> {
    return scheduleConference(input)
  }

  /**
   * Enters by an invitation link.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `not-yet-open` (its `opensAtMs`
   * says when), `conference-over`, `not-admitted`, `missing-module`, `already-open`, `server-unreachable`,
   * `other-server-version`, `server-refused`, `storage-unavailable`, `closed`, `aborted`
   */
  static async join(input: JoinOptions): Promise<Conference> {
    return new Conference(await joinConference(input))
  }

  /** Enters again after a reload. @throws KeymootError `no-invitation`, and as `join` */
  static async resume(input: ResumeOptions): Promise<Conference> {
    return new Conference(await resumeConference(input))
  }

  /**
   * Opens this device's copy of a conference without a connection, also after the conference is over. Messages, files
   * and documents of the copy can be read. Nothing is sent or received, and the view never leaves `joining`.
   * @throws KeymootError `no-invitation`, `already-open`, `not-admitted`, `missing-module`, `storage-unavailable`,
   * `closed`, `aborted`
   */
  static async openKept(input: OpenKeptOptions): Promise<Conference> {
    return new Conference(await openKeptConference(input))
  }

  /**
   * Reads what an invitation link leads to: the creator, the admission and the time. It enters nothing. The server
   * learns of the request, and no member does.
   * @throws KeymootError `invalid-link`, `unknown-conference`, `descriptor-mismatch`, `conference-over`,
   * `missing-module`, `server-unreachable`, `other-server-version`, `server-refused`, `storage-unavailable`
   */
  static async preview(input: PreviewOptions): Promise<ConferencePreview> {
    const { url, identity } = assertArguments(METHODS.preview, input)
    return aside(identity, (connection) => connection.call("conference.preview", { url }))
  }

  /**
   * Conferences that this device has not left, last entered first, also those that are over. They stay until `forget`
   * or `leave`.
   * @throws KeymootError `storage-unavailable`
   */
  static async kept(options: { readonly identity?: IdentityHandle } = {}): Promise<readonly KeptConference[]> {
    return aside(options?.identity, (connection) => connection.call("conference.kept", {}))
  }

  /**
   * Deletes this device's data of a conference that is not open: its invitation, documents, messages and files.
   * @throws KeymootError `already-open`, `storage-unavailable`
   */
  static async forget(input: { readonly id: string; readonly identity?: IdentityHandle }): Promise<void> {
    const { id, identity } = assertArguments(METHODS.forget, input)
    await aside(identity, (connection) => connection.call("conference.forget", { id }))
  }

  /** This member with its present role. */
  get self(): Member {
    return this.view.members.find(({ self }) => self) ?? this.#self
  }

  get timeFrame(): TimeFrame {
    return { ...this.#timeFrame, endsAtMs: this.#present.of("admission").endsAtMs }
  }

  get view(): ConferenceView {
    return this.#present.view
  }

  get server(): ServerState {
    return this.#present.of("server")
  }

  get links(): ReadonlyMap<MemberId, LinkPath> {
    return this.#present.of("links")
  }

  get otherVersions(): readonly OtherVersion[] {
    return this.#present.of("other-version")
  }

  get invitation(): { readonly url: string } {
    return this.#present.of("invitation")
  }

  get admissionState(): AdmissionState {
    return this.#present.of("admission")
  }

  get storage(): StorageState {
    return this.#present.of("storage")
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

  evidence(documents: readonly EvidenceDocument[] = []): Promise<Uint8Array> {
    // As in `Channel.erase`.
    const copies = Array.isArray(documents) ? documents.map((each) => ({ ...each })) : documents
    return this.#connection.call("conference.evidence", { id: this.id, documents: copies })
  }

  async diagnostics(): Promise<Diagnostics> {
    const { links, ...rest } = await this.#connection.call("conference.diagnostics", { id: this.id })
    const measure = async ({ connectionId, ...facts }: (typeof links)[number]) => {
      return { ...facts, roundTripMs: connectionId && (await this.#connection.roundTripMs(connectionId)) }
    }
    return { ...rest, links: await Promise.all(links.map(measure)) }
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

  async admit(member: MemberId, options: { readonly role?: Exclude<Role, "host"> } = {}): Promise<void> {
    await this.#connection.call("conference.admit", { id: this.id, member, role: options?.role ?? "editor" })
  }

  async refuse(member: MemberId): Promise<void> {
    await this.#connection.call("conference.refuse", { id: this.id, member })
  }

  async sendLobbyMessage(text: string, to: MemberId | null = null): Promise<void> {
    await this.#connection.call("conference.sendLobbyMessage", { id: this.id, text, to })
  }

  async setEnd(end: number | "now"): Promise<void> {
    assertArguments(METHODS.setEnd, { end })
    await this.#connection.call("conference.setEnd", { id: this.id, endsAtMs: end === "now" ? null : end })
  }

  async leave(options: LeaveOptions = {}): Promise<void> {
    const forget = assertArguments(METHODS.leave, options).forget ?? true
    // The wait below may take seconds, in which nobody expects to be seen or heard.
    this.media.leave()
    // Changes of documents of this turn are sent in a microtask.
    await Promise.resolve()
    await this.#parts.drained(AbortSignal.timeout(LAST_PIECES_MS), forget !== true)
    await this.#connection.call("conference.leave", { id: this.id, forget })
  }

  #onEvent(event: ConferenceEvent, files: Files, media: LazyMedia): void {
    switch (event.type) {
      case "message":
      case "run":
      case "erased":
      case "payload":
      case "progress":
      case "request":
      case "response":
        return this.#parts.onContent(event)
      case "file":
        return files.onProgress(event)
      case "viewStart":
        this.#parts.onViewStart(event)
        return media.onEvent(event)
      // Comes first, because a listener may read a document.
      case "view":
        this.#parts.onView(event)
        break
      case "closed":
        this.#parts.close()
        break
    }
    this.#present.onEvent(event)
    media.onEvent(event)
  }
}
