/**
 * What crosses between an application's thread and the engine. Everything survives structured cloning; bytes of
 * frames cross as transferables.
 */
import type { MemberId } from "@keymoot/transport"
import type { HostCommand, HostEvent } from "@keymoot/transport/host"
import type {
  ChannelMessage,
  ClosedReason,
  ConferenceView,
  ErrorCode,
  HistoryPolicy,
  KeyAgreementName,
  Member,
  SecurityEvent,
  ServerState,
  ViewChange,
} from "../api.ts"

export type ConferenceInfo = {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly history: HistoryPolicy
  readonly view: ConferenceView
  readonly server: ServerState
}

export type IdentityInfo = { readonly name: string; readonly member: MemberId; readonly fingerprint: string }

/** Requests by name: what they take and what they answer. */
export type EngineCalls = {
  "identity.stored": { params: Record<string, never>; result: string | null }
  "identity.open": { params: { name: string }; result: IdentityInfo }
  "conference.create": {
    params: {
      server: string
      title: string
      keyAgreement: KeyAgreementName
      history: HistoryPolicy
      durationMs: number
    }
    result: ConferenceInfo
  }
  "conference.join": { params: { url: string }; result: ConferenceInfo }
  "conference.resume": { params: { id: string }; result: ConferenceInfo }
  "conference.send": {
    params: {
      id: string
      channel: string
      kind: number
      payload: Uint8Array
      service: "fifo" | "agreed"
    }
    result: ChannelMessage | null
  }
  "conference.code": { params: { id: string }; result: string }
  "conference.pairCode": { params: { id: string; member: MemberId }; result: string }
  "conference.leave": { params: { id: string }; result: null }
}
export type EngineCall = keyof EngineCalls

export type EngineRequest = {
  [C in EngineCall]: { readonly type: "request"; readonly request: number; readonly call: C } & {
    readonly params: EngineCalls[C]["params"]
  }
}[EngineCall]

export type ToEngine =
  | EngineRequest
  /** The caller of a request has lost interest; it fails with `aborted` if that is still possible. */
  | { readonly type: "abort"; readonly request: number }
  | { readonly type: "host"; readonly event: HostEvent }

export type ConferenceEvent =
  | { readonly type: "status"; readonly view: ConferenceView }
  /** `handOver`: of those who came here together, this member hands over what the others have not seen. */
  | { readonly type: "view"; readonly view: ConferenceView; readonly change: ViewChange; readonly handOver: boolean }
  | { readonly type: "message"; readonly channel: string; readonly message: ChannelMessage }
  | {
      readonly type: "payload"
      readonly channel: string
      readonly kind: number
      readonly from: Member
      readonly payload: Uint8Array
    }
  | { readonly type: "security"; readonly event: SecurityEvent }
  | { readonly type: "server"; readonly state: ServerState }
  | { readonly type: "closed"; readonly reason: ClosedReason }

export type FromEngine =
  | { readonly type: "reply"; readonly request: number; readonly ok: true; readonly result: unknown }
  | {
      readonly type: "reply"
      readonly request: number
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
    }
  | { readonly type: "event"; readonly id: string; readonly event: ConferenceEvent }
  | { readonly type: "host"; readonly command: HostCommand }
