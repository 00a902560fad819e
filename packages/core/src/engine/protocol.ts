/**
 * What crosses between an application's thread and the engine. Everything survives structured cloning; bytes of
 * frames cross as transferables.
 */
import type { MemberId } from "@keymoot/transport"
import type { HostCommand, HostEvent, IceTransportPolicy } from "@keymoot/transport/host"
import type {
  Admission,
  AdmissionState,
  AdmissionOptions,
  Authenticity,
  ChannelMessage,
  ClosedReason,
  ConferencePreview,
  ConferenceView,
  ErrorCode,
  HistoryPolicy,
  KeptConference,
  LinkPath,
  KeyAgreementName,
  KeyStructure,
  Member,
  NewIdentity,
  Person,
  PairCode,
  Role,
  ScanResult,
  SecurityEvent,
  ServerState,
  StorageState,
  StoredIdentity,
  ScheduledConference,
  TimeFrame,
  ViewChange,
} from "../api.ts"

import type { FetchProgress, Offering } from "../files/index.ts"
import type { HandOver } from "./companions.ts"
import type { MessageRun, Sent, SentRun } from "./message-runs.ts"

export type ConferenceInfo = {
  readonly id: string
  readonly title: string
  readonly timeFrame: TimeFrame
  readonly url: string
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly admission: Admission
  readonly admissionState: AdmissionState
  readonly history: HistoryPolicy
  readonly authenticity: Authenticity
  readonly view: ConferenceView
  readonly server: ServerState
  readonly storage: StorageState
}

export type IdentityInfo = {
  readonly name: string
  readonly member: MemberId
  readonly fingerprint: string
  readonly card: string
}

type ScheduleField = "server" | "title" | "keyAgreement" | "admission" | "history" | "authenticity" | "durationMs"

/** Requests by name: what they take and what they answer. */
export type EngineCalls = {
  "identity.stored": { params: Record<string, never>; result: string | null }
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
  "card.read": { params: { text: string }; result: Person }
  "conference.create": {
    params: {
      server: string
      title: string
      keyAgreement: KeyAgreementName
      admission: AdmissionOptions
      history: HistoryPolicy
      authenticity: Authenticity
      durationMs: number
      localCopy: boolean
      transportPolicy: IceTransportPolicy
    }
    result: ConferenceInfo
  }
  /** Answers the invitation of a conference that nobody has entered yet. */
  "conference.schedule": {
    params: Pick<EngineCalls["conference.create"]["params"], ScheduleField> & { opensAtMs: number }
    result: ScheduledConference
  }
  "conference.join": {
    params: { url: string; localCopy: boolean; transportPolicy: IceTransportPolicy }
    result: ConferenceInfo
  }
  "conference.resume": {
    params: { id: string; localCopy: boolean; transportPolicy: IceTransportPolicy }
    result: ConferenceInfo
  }
  "conference.preview": { params: { url: string }; result: ConferencePreview }
  "conference.kept": { params: Record<string, never>; result: readonly KeptConference[] }
  "conference.forget": { params: { id: string }; result: null }
  "conference.reconnect": { params: { id: string }; result: null }
  "conference.send": { params: Sent & { payload: Uint8Array }; result: ChannelMessage | null }
  "conference.erase": { params: { id: string; channel: string; messages: readonly string[] }; result: null }
  "conference.code": { params: { id: string }; result: string }
  "conference.pairCode": { params: { id: string; member: MemberId }; result: PairCode }
  "conference.checkScan": { params: { id: string; member: MemberId; text: string }; result: ScanResult }
  "conference.verify": { params: { id: string; member: MemberId; verified: boolean }; result: null }
  "conference.keyStructure": { params: { id: string }; result: KeyStructure | null }
  "conference.refreshKey": { params: { id: string }; result: null }
  /** Answers the ticket. `watch` names the events of its progress. */
  "file.offer": { params: { id: string } & Offering; result: string }
  "file.fetch": { params: { id: string; ticket: string }; result: null }
  /** Bytes that are here. */
  "file.kept": { params: { id: string; ticket: string }; result: number }
  "file.read": { params: { id: string; ticket: string; block: number }; result: Uint8Array }
  "file.remove": { params: { id: string; ticket: string }; result: null }
  "conference.remove": { params: { id: string; member: MemberId }; result: null }
  "conference.setRole": { params: { id: string; member: MemberId; role: Role }; result: null }
  "conference.admit": { params: { id: string; member: MemberId; role: Exclude<Role, "host"> }; result: null }
  "conference.refuse": { params: { id: string; member: MemberId }; result: null }
  /** `forget`: the invitation and what this device keeps, too. */
  "conference.leave": { params: { id: string; forget: boolean }; result: null }
  /** What this device keeps of a part of the conference, in its order. */
  "copy.read": { params: { id: string; part: string }; result: Uint8Array[] }
  /** Answers whether it is kept now. */
  "copy.write": {
    params: { id: string; part: string; bytes: Uint8Array; how: "append" | "replace" }
    result: boolean
  }
}
export type EngineCall = keyof EngineCalls

type LoneCall = Exclude<EngineCall, "conference.send">

/** Those that cross by themselves: what is sent crosses in runs. */
export type EngineRequest = {
  [C in LoneCall]: { readonly type: "request"; readonly request: number; readonly call: C } & {
    readonly params: EngineCalls[C]["params"]
  }
}[LoneCall]

export type ToEngine =
  | EngineRequest
  | SentRun
  /** The caller of a request has lost interest; it fails with `aborted` if that is still possible. */
  | { readonly type: "abort"; readonly request: number }
  | { readonly type: "host"; readonly event: HostEvent }

export type ConferenceEvent =
  | { readonly type: "status"; readonly view: ConferenceView }
  /** `handOver`: what this member tells those who have not seen it. */
  | { readonly type: "view"; readonly view: ConferenceView; readonly change: ViewChange; readonly handOver: HandOver }
  | { readonly type: "message"; readonly channel: string; readonly message: ChannelMessage }
  /** `messages`: those of the run. */
  | { readonly type: "run"; readonly run: MessageRun; readonly messages: readonly ChannelMessage[] }
  /** A piece of a message in several has come. */
  | {
      readonly type: "progress"
      readonly channel: string
      readonly from: Member
      readonly received: number
      readonly count: number
    }
  /** To this member. `subject`: names it in the answer. Its run is of one message. */
  | { readonly type: "request"; readonly channel: string; readonly subject: string; readonly run: MessageRun }
  /** To a request of this member, or of an earlier life of it; `refused`: there is no answer. */
  | {
      readonly type: "response"
      readonly channel: string
      readonly subject: string
      readonly run: MessageRun
      readonly refused: boolean
    }
  /** By their author. */
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
  | { readonly type: "storage"; readonly state: StorageState }
  /** Of a file that is fetched, by its id, or of one that is being offered. */
  | { readonly type: "file"; readonly watch: string; readonly progress: FetchProgress }
  | { readonly type: "admission"; readonly state: AdmissionState }
  | { readonly type: "invitation"; readonly url: string }
  | { readonly type: "closed"; readonly reason: ClosedReason }

/** As they cross; the application's end makes single messages of a run. */
export type EngineEvent = ConferenceEvent | MessageRun

export type FromEngine =
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
