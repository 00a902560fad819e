import type { MemberId } from "@keymoot/transport"
import type { Admission, AdmissionState } from "./admission-options.ts"
import type { Channel, ChannelOptions } from "./channels.ts"
import type { LinkPath, OtherVersion, ServerState } from "./connections.ts"
import type { Diagnostics } from "./diagnostics.ts"
import type { EvidenceDocument, SharedDocument } from "./documents.ts"
import type { LeaveOptions, TimeFrame } from "./enter-options.ts"
import type { ConferenceEvents, ListenOptions, Unsubscribe } from "./events.ts"
import type { ConferenceFiles } from "./shared-files.ts"
import type { Note, StorageState } from "./kept.ts"
import type { ConferenceMedia } from "./media.ts"
import type { Member, Role } from "./members.ts"
import type { Authenticity, Cipher, HistoryPolicy, KeyAgreementName, OwnModule, PostQuantum } from "./modes.ts"
import type { KeyStructure, PairCode, ScanResult } from "./security.ts"
import type { ConferenceView } from "./views.ts"

export interface ConferenceHandle {
  readonly id: string
  readonly title: string
  /** Its end changes when a host sets another one; `admission` reports that. */
  readonly timeFrame: TimeFrame
  /** Whether this is a copy from `Conference.openKept`, which nothing is sent from. Its reader appears as a viewer. */
  readonly copyOnly: boolean
  readonly self: Member
  readonly keyAgreement: KeyAgreementName | OwnModule
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  readonly cipher: Cipher | OwnModule
  readonly postQuantum: PostQuantum
  /** The present invitation. A removal creates a new one. */
  readonly invitation: { readonly url: string }
  readonly view: ConferenceView
  readonly server: ServerState
  /** Paths to all members with a link. */
  readonly links: ReadonlyMap<MemberId, LinkPath>
  /** People in the room whose client has another protocol version; usually empty. */
  readonly otherVersions: readonly OtherVersion[]
  readonly storage: StorageState
  readonly admissionState: AdmissionState
  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe
  /** Returns the same object for the same name. */
  channel(name: string, options?: ChannelOptions): Channel
  document(name: string): SharedDocument
  note(name: string): Note
  readonly files: ConferenceFiles
  /** Voice, video and screen. */
  readonly media: ConferenceMedia
  /** 60 decimal digits in groups of five. They are equal at all members of this view. */
  conferenceCode(): Promise<string>
  /**
   * Code of both identities' public keys. It is equal at both, in every conference and under every name.
   * @throws KeymootError `invalid-argument` for oneself, also on another device, or an unknown member
   */
  pairCode(member: MemberId): Promise<PairCode>
  /**
   * Checks whether a scanned text is the code on this member's own screen. It verifies nobody by itself: call `verify`
   * then.
   */
  checkScan(member: MemberId, text: string): Promise<ScanResult>
  /**
   * Marks the key of this member as verified: permanently, in every conference of this identity, and under every name.
   * Call it after the person has compared the pair code over a channel that nobody else controls.
   * @throws KeymootError `invalid-argument`, `storage-unavailable`, `too-large` (512 people are verified already)
   */
  verify(member: MemberId): Promise<void>
  /** Removes the mark of `verify`. */
  unverify(member: MemberId): Promise<void>
  /** Structure of the last agreed key; null before the first. Read it again at each `view`. */
  keyStructure(): Promise<KeyStructure | null>
  /**
   * Returns a signed archive of the messages on channels with a history that this device has, for `verifyEvidence` of
   * `@keymoot/core/evidence`. It is not encrypted.
   * @throws KeymootError `too-large`; `bad-certificate`: the own certificate has expired, so nobody could verify it
   */
  evidence(documents?: readonly EvidenceDocument[]): Promise<Uint8Array>
  /** Links, views with their causes, queues and security events, to find out why something happened. */
  diagnostics(): Promise<Diagnostics>
  /**
   * Requests a view of the same members with a new key. `view` reports it.
   * @throws KeymootError `too-soon` while a key is being agreed, or within 15 seconds of the last one; `not-permitted`
   * in a copy
   */
  refreshKey(): Promise<void>
  /** Retries connections to the server and to members without a link now, instead of after the backoff. */
  reconnect(): Promise<void>
  /**
   * For hosts. Removes a member permanently. A new view with a new key excludes it. A new invitation (`invitation`)
   * keeps it from returning by the old link under another identity. Resolves when this member has issued the removal.
   * @throws KeymootError `not-permitted` (no host, a host of a higher rank, `majority`, a copy),
   * `invalid-argument`, `too-large`
   */
  remove(member: MemberId): Promise<void>
  /** For hosts. Sets a member's role. @throws KeymootError as `remove` */
  setRole(member: MemberId, role: Role): Promise<void>
  /** For hosts. Admits a person of `admissionState.knocks`. @throws KeymootError as `remove` */
  admit(member: MemberId, options?: { readonly role?: Exclude<Role, "host"> }): Promise<void>
  /**
   * For hosts. Sets the end of the conference for everybody, at `timeFrame.latestEndMs` at the latest; "now" ends it.
   * @throws KeymootError `not-permitted` (no host, a host of a higher rank has set the end, `majority`, a copy),
   * `invalid-argument`, `too-large`
   */
  setEnd(end: number | "now"): Promise<void>
  /**
   * For a waiting person: writes to the hosts that are connected to it. For hosts, with `to`: writes to a person of
   * `admissionState.knocks`, for example to ask something or to give a reason before `refuse`. Other members do not get
   * it. Messages are in `admissionState`.
   * @throws KeymootError `invalid-argument` (more than 1,024 bytes), `not-permitted`, `no-answer` (no host is here),
   * `queue-full` (four messages wait for an answer)
   */
  sendLobbyMessage(text: string, to?: MemberId): Promise<void>
  /**
   * For hosts. Refuses a person of `admissionState.knocks`. After a minute it may knock again.
   * @throws KeymootError as `remove`
   */
  refuse(member: MemberId): Promise<void>
  /**
   * Leaves the call at once, sends pending messages for a short time and says goodbye. It waits up to 3 s for large
   * messages and changes of documents, which go in pieces; without any it waits for none. By default it then deletes
   * the invitation and the local copy.
   * @throws KeymootError `closed` (the identity was closed), `storage-unavailable` (something could not be deleted)
   */
  leave(options?: LeaveOptions): Promise<void>
}
