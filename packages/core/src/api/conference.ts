import type { MemberId } from "@keymoot/transport"
import type { Admission, AdmissionState } from "./admission.ts"
import type { Channel, ChannelOptions } from "./channels.ts"
import type { LinkPath, ServerState } from "./connections.ts"
import type { SharedDocument } from "./documents.ts"
import type { TimeFrame } from "./entering.ts"
import type { ConferenceEvents } from "./events.ts"
import type { ConferenceFiles } from "./files.ts"
import type { KeyStructure } from "./key-structure.ts"
import type { ListenOptions, Unsubscribe } from "./listening.ts"
import type { Note, StorageState } from "./local-copies.ts"
import type { Member, Role } from "./members.ts"
import type { Authenticity, HistoryPolicy, KeyAgreementName } from "./modes.ts"
import type { PairCode, ScanResult } from "./security.ts"
import type { ConferenceView } from "./views.ts"

export interface ConferenceHandle {
  readonly id: string
  readonly title: string
  readonly timeFrame: TimeFrame
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  /** The present one: removing somebody makes another. */
  readonly invitation: { readonly url: string }
  readonly view: ConferenceView
  readonly server: ServerState
  /** Everybody with whom this member is connected now. */
  readonly links: ReadonlyMap<MemberId, LinkPath>
  readonly storage: StorageState
  readonly admissionState: AdmissionState
  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe
  /** The same object for the same name. */
  channel(name: string, options?: ChannelOptions): Channel
  document(name: string): SharedDocument
  note(name: string): Note
  readonly files: ConferenceFiles
  /** 60 decimal digits in groups of five: equal at all members of this membership. */
  conferenceCode(): Promise<string>
  /**
   * Over both identities' public keys: equal at both in every conference and under every name.
   * @throws KeymootError `invalid-argument` for oneself or somebody who was never here
   */
  pairCode(member: MemberId): Promise<PairCode>
  /** Whether a text read from a code is the one on this member's own screen. Verifies nobody by itself: call `verify` then. */
  checkScan(member: MemberId, text: string): Promise<ScanResult>
  /**
   * Marks the key of this member as verified: for good, in every conference of this identity, and under every name. Call it
   * when the person has compared the pair code over a channel that nobody else controls.
   * @throws KeymootError `invalid-argument`, `storage-unavailable`, `too-large` (512 people are verified already)
   */
  verify(member: MemberId): Promise<void>
  /** Takes that back. */
  unverify(member: MemberId): Promise<void>
  /** Of the last key that was agreed; null before the first. Ask again at each `view`. */
  keyStructure(): Promise<KeyStructure | null>
  /**
   * Asks for a view of the same members, and so a new key; `view` tells when it is there.
   * @throws KeymootError `too-soon` while a key is being agreed, or within 15 seconds of the last one
   */
  refreshKey(): Promise<void>
  /** Tries at once what is tried anyway after a while: to reach the server, and those who are not linked. */
  reconnect(): Promise<void>
  /**
   * For hosts. Removes a member for good: a new view and a new key without it, and a new invitation (`invitation`), so that
   * it does not come back with the old link under another identity either. Resolves when this member has said so.
   * @throws KeymootError `not-permitted` (no host, a host of a higher rank, `majority`), `invalid-argument`, `too-large`
   */
  remove(member: MemberId): Promise<void>
  /** For hosts. @throws KeymootError as `remove` */
  setRole(member: MemberId, role: Role): Promise<void>
  /** For hosts: lets in somebody of `admissionState.knocks`. @throws KeymootError as `remove` */
  admit(member: MemberId, options?: { readonly role?: Exclude<Role, "host"> }): Promise<void>
  /** For hosts: turns away somebody of `admissionState.knocks`. @throws KeymootError as `remove` */
  refuse(member: MemberId): Promise<void>
  /** Sends what is pending if it can, says goodbye, forgets the invitation and this device's copy of the conference. */
  leave(): Promise<void>
}
