/**
 * Protocol between an application's thread and the engine. All values survive structured cloning. Bytes of frames are
 * transferred.
 */
import type { MemberId } from "@keymoot/transport"
import type { ConnectionId, HostCommand, HostEvent, IceServer, IceTransportPolicy } from "@keymoot/transport/host"
import type { ProofPurpose, Request } from "@keymoot/transport/signaling-protocol"
import type {
  Admission,
  AdmissionState,
  AdmissionOptions,
  Authenticity,
  Cipher,
  OwnModule,
  PostQuantum,
  ChannelMessage,
  CardHolder,
  ClosedReason,
  ConferencePreview,
  ConferenceView,
  ErrorCode,
  EvidenceDocument,
  HistoryPolicy,
  KeptConference,
  Diagnostics,
  LinkDiagnostics,
  LinkPath,
  KeyAgreementName,
  KeyStructure,
  ListedConference,
  ListedPerson,
  Member,
  NewIdentity,
  PairCode,
  Role,
  ScanResult,
  SecurityEvent,
  ServerState,
  OtherVersion,
  StorageState,
  StoredIdentity,
  ScheduledConference,
  TimeFrame,
  ViewChange,
} from "../api/index.ts"

import type { DocumentPeer } from "../documents/client-id.ts"
import type { FetchProgress } from "../files/fetching.ts"
import type { Offering } from "../files/exchange.ts"
import type { OwnedTicket } from "../files/ticket.ts"
import type { ViewStart } from "../history/arrivals.ts"
import type { TransferScope } from "../history/transitional-set.ts"
import type { MediaSignal } from "../media/signals/media-signal.ts"
import type { MessageRun, Sent, SentRun } from "./message-runs.ts"

export type ConferenceInfo = {
  readonly id: string
  readonly title: string
  readonly timeFrame: TimeFrame
  readonly url: string
  readonly self: Member
  readonly keyAgreement: KeyAgreementName | OwnModule
  readonly admission: Admission
  readonly admissionState: AdmissionState
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  readonly cipher: Cipher | OwnModule
  readonly postQuantum: PostQuantum
  readonly view: ConferenceView
  readonly server: ServerState
  readonly storage: StorageState
  /** This member's incarnation, as the others see it in the view. */
  readonly incarnation: number
  readonly copyOnly: boolean
}

/**
 * `forget`: delete the invitation and the local copy, too. `"if-new"`: only if this device had no data of the
 * conference before it entered.
 */
export type LeaveParams = { readonly id: string; readonly forget: boolean | "if-new" }

/** As `Diagnostics`. The page measures the round trips of the direct links that `link` numbers. */
export type EngineDiagnostics = Omit<Diagnostics, "links"> & {
  readonly links: readonly (Omit<LinkDiagnostics, "roundTripMs"> & { readonly connectionId: ConnectionId | null })[]
}

export type IdentityInfo = {
  readonly name: string
  readonly member: MemberId
  readonly fingerprint: string
  readonly card: string
}

type EnteringField = "localCopy" | "transportPolicy"

/** A certificate of the own identity, now or before. */
export type OwnCertificate = {
  readonly name: string
  readonly fingerprint: string
  readonly certificate: Uint8Array
}
/** `certificate`: null if the server sent none. */
export type ListedCertificate = {
  readonly fingerprint: string
  readonly name: string
  readonly certificate: Uint8Array | null
}
/** `creator`: a fingerprint. */
export type ListedDescriptor = {
  readonly id: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly creator: string
  readonly certificate: Uint8Array | null
  readonly descriptor: Uint8Array | null
}

/** Requests by name, with parameters and result. */
export type EngineCalls = {
  "identity.stored": { params: Record<string, never>; result: string | null }
  "identity.enteredAs": { params: { conference: string }; result: { name: string; identity: string } | null }
  "identity.open": { params: { name: string; id: string | null }; result: IdentityInfo }
  "identity.list": { params: Record<string, never>; result: readonly StoredIdentity[] }
  "identity.create": { params: { name: string; passphrase: string | null }; result: NewIdentity }
  "identity.restore": { params: { backup: Uint8Array; passphrase: string }; result: StoredIdentity }
  "identity.rename": { params: { id: string; name: string }; result: null }
  "identity.choose": { params: { id: string }; result: null }
  "identity.certificateRequest": { params: { id: string }; result: string }
  "identity.certify": {
    params: { id: string; certificate: Uint8Array | string; authority: Uint8Array | string }
    result: StoredIdentity
  }
  "identity.remove": { params: { id: string }; result: null }
  /** The current one, then former ones, latest first. */
  "directory.own": { params: Record<string, never>; result: readonly OwnCertificate[] }
  /** Signs a proof of possession for the directory at this origin. `fingerprint`: of an own certificate. */
  "directory.prove": {
    params: { purpose: ProofPurpose; origin: string; challenge: Uint8Array; fingerprint: string }
    result: { certificate: Uint8Array; signature: Uint8Array }
  }
  /** Checks an entry of a directory, with what the server sent for it. */
  "directory.person": { params: ListedCertificate; result: ListedPerson }
  "directory.conference": { params: ListedDescriptor; result: ListedConference }
  /** Makes a conference and stores its invitation. The caller lists it. `opensAtMs`: null for now. */
  "directory.create": {
    params: Omit<EngineCalls["conference.create"]["params"], EnteringField> & { opensAtMs: number | null }
    result: { scheduled: ScheduledConference; creation: Request<"conference:create"> }
  }
  "card.read": { params: { text: string }; result: CardHolder }
  "conference.create": {
    params: {
      server: string
      title: string
      keyAgreement: KeyAgreementName | OwnModule
      admission: AdmissionOptions
      history: HistoryPolicy
      authenticity: Authenticity
      cipher: Cipher | OwnModule
      postQuantum: PostQuantum
      durationMs: number
      localCopy: boolean
      transportPolicy: IceTransportPolicy
    }
    result: ConferenceInfo
  }
  /** Returns the invitation of a conference that nobody has entered yet. */
  "conference.schedule": {
    params: Omit<EngineCalls["conference.create"]["params"], EnteringField> & { opensAtMs: number }
    result: ScheduledConference
  }
  "conference.join": {
    params: { url: string; localCopy: boolean; transportPolicy: IceTransportPolicy }
    result: ConferenceInfo
  }
  "conference.resume": {
    params: { id: string; late: boolean; localCopy: boolean; transportPolicy: IceTransportPolicy }
    result: ConferenceInfo
  }
  "conference.openKept": { params: { id: string }; result: ConferenceInfo }
  "conference.preview": { params: { url: string }; result: ConferencePreview }
  "conference.kept": { params: Record<string, never>; result: readonly KeptConference[] }
  "conference.evidence": { params: { id: string; documents: readonly EvidenceDocument[] }; result: Uint8Array }
  "conference.forget": { params: { id: string }; result: null }
  "conference.reconnect": { params: { id: string }; result: null }
  "conference.send": { params: Sent & { payload: Uint8Array }; result: ChannelMessage | null }
  "conference.erase": { params: { id: string; channel: string; messages: readonly string[] }; result: null }
  "conference.code": { params: { id: string }; result: string }
  "conference.pairCode": { params: { id: string; member: MemberId }; result: PairCode }
  "conference.checkScan": { params: { id: string; member: MemberId; text: string }; result: ScanResult }
  "conference.verify": { params: { id: string; member: MemberId; verified: boolean }; result: null }
  "conference.keyStructure": { params: { id: string }; result: KeyStructure | null }
  "conference.diagnostics": { params: { id: string }; result: EngineDiagnostics }
  "conference.refreshKey": { params: { id: string }; result: null }
  /** Returns the ticket. `watch` names its progress events. */
  "file.offer": { params: { id: string } & Offering; result: string }
  "file.fetch": { params: { id: string } & OwnedTicket; result: null }
  /** Bytes stored here. */
  "file.kept": { params: { id: string } & OwnedTicket; result: number }
  "file.read": { params: { id: string; block: number } & OwnedTicket; result: Uint8Array }
  "file.remove": { params: { id: string } & OwnedTicket; result: null }
  /** Sends a message about a call to members with a link. */
  "media.signal": { params: { id: string; to: readonly MemberId[]; signal: MediaSignal }; result: null }
  /** A member's microphone is on, and the page gets nothing of it. */
  "media.unheard": { params: { id: string; member: MemberId }; result: null }
  /** Configuration of the page's peer connections. */
  "media.configuration": {
    params: { id: string }
    result: { iceServers: readonly IceServer[]; transportPolicy: IceTransportPolicy }
  }
  "conference.remove": { params: { id: string; member: MemberId }; result: null }
  "conference.setEnd": { params: { id: string; endsAtMs: number | null }; result: null }
  "conference.setRole": { params: { id: string; member: MemberId; role: Role }; result: null }
  "conference.admit": { params: { id: string; member: MemberId; role: Exclude<Role, "host"> }; result: null }
  /** `to`: null from a waiting person to the hosts. */
  "conference.sendLobbyMessage": { params: { id: string; text: string; to: MemberId | null }; result: null }
  "conference.refuse": { params: { id: string; member: MemberId }; result: null }
  "conference.leave": { params: LeaveParams; result: null }
  /** Returns the stored records of a part of the conference in order. @throws KeymootError `storage-unavailable` */
  "copy.read": { params: { id: string; part: string }; result: Uint8Array[] }
  /** Returns whether it is stored now. */
  "copy.write": {
    params: { id: string; part: string; bytes: Uint8Array; how: "append" | "replace" }
    result: boolean
  }
}
export type EngineCall = keyof EngineCalls

export type LoneCall = Exclude<EngineCall, "conference.send">

/** Requests that cross one by one. Sends cross in runs. */
export type EngineRequest = {
  [C in LoneCall]: { readonly type: "request"; readonly request: number; readonly call: C } & {
    readonly params: EngineCalls[C]["params"]
  }
}[LoneCall]

export type ToEngine =
  | EngineRequest
  | SentRun
  /** Cancels a request. It fails with `aborted` if that is still possible. */
  | { readonly type: "abort"; readonly request: number }
  | BatchTaken
  /** Switches the trace on or off. See `TraceSink.set`. */
  | { readonly type: "trace"; readonly setting: string | null }
  | { readonly type: "host"; readonly event: HostEvent }

export type ConferenceEvent =
  | { readonly type: "status"; readonly view: ConferenceView }
  /** `transferScope`: what this member transfers to the others. */
  | {
      readonly type: "view"
      readonly view: ConferenceView
      readonly change: ViewChange
      readonly transferScope: TransferScope
      /** All members, this one included. */
      readonly peers: readonly DocumentPeer[]
    }
  /** A view is installed and not secured yet. `peers`: all its members, which can send from now on. */
  | { readonly type: "viewStart"; readonly viewStart: ViewStart; readonly peers: readonly DocumentPeer[] }
  | { readonly type: "message"; readonly channel: string; readonly message: ChannelMessage }
  /** `messages`: those of the run. */
  | { readonly type: "run"; readonly run: MessageRun; readonly messages: readonly ChannelMessage[] }
  /** A piece of a message in several has arrived. */
  | {
      readonly type: "progress"
      readonly channel: string
      readonly from: Member
      readonly received: number
      readonly count: number
    }
  /** A request to this member. The answer repeats `subject`. The run has one message. */
  | { readonly type: "request"; readonly channel: string; readonly subject: string; readonly run: MessageRun }
  /** Answer to a request of this or an earlier incarnation of this member; `refused`: there is no answer. */
  | {
      readonly type: "response"
      readonly channel: string
      readonly subject: string
      readonly run: MessageRun
      readonly refused: boolean
    }
  /** Erased by their author. */
  | { readonly type: "erased"; readonly channel: string; readonly messages: readonly string[] }
  | {
      readonly type: "payload"
      readonly channel: string
      readonly kind: number
      readonly from: Member
      readonly payload: Uint8Array
    }
  | { readonly type: "security"; readonly event: SecurityEvent }
  | { readonly type: "server"; readonly state: ServerState }
  | { readonly type: "links"; readonly links: ReadonlyMap<MemberId, LinkPath> }
  | { readonly type: "other-version"; readonly others: readonly OtherVersion[] }
  | { readonly type: "storage"; readonly state: StorageState }
  /** Progress of a fetched file, by its id, or of an offer. */
  | { readonly type: "file"; readonly watch: string; readonly progress: FetchProgress }
  /** A message about a call, authenticated by the link of its sender. */
  | { readonly type: "media"; readonly from: MemberId; readonly signal: MediaSignal }
  | { readonly type: "admission"; readonly state: AdmissionState }
  | { readonly type: "invitation"; readonly url: string }
  | { readonly type: "closed"; readonly reason: ClosedReason }

/** Events as they cross. The application's end makes single messages of a run. */
export type EngineEvent = ConferenceEvent | MessageRun | BatchEnd

/** Acknowledges a `batch` with the processing time of the application's thread. `id`: of the conference. */
export type BatchTaken = {
  readonly type: "taken"
  readonly id: string
  readonly from: MemberId
  readonly bytes: number
  readonly tookMs: number
}

/** End of the events of another member's batch. Acknowledge it with `taken`. */
export type BatchEnd = { readonly type: "batch"; readonly from: MemberId; readonly bytes: number }

export type FromEngine =
  /** Sent once by a worker whose engine has started. It ends the page's start timeout. */
  | { readonly type: "ready" }
  | { readonly type: "reply"; readonly request: number; readonly ok: true; readonly result: unknown }
  | {
      readonly type: "reply"
      readonly request: number
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
      readonly opensAtMs: number | null
    }
  | { readonly type: "event"; readonly id: string; readonly event: EngineEvent }
  | { readonly type: "host"; readonly command: HostCommand }
