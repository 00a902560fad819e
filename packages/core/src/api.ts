/**
 * What an application sees. Everything here is plain data or an interface; `Identity` and `Conference`
 * (the two entry points) implement it.
 */
import type { MemberId } from "@keymoot/transport"
import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"

export type Unsubscribe = () => void
/** Ends the subscription when it aborts. */
export type ListenOptions = { readonly signal?: AbortSignal }

export type Member = { readonly id: MemberId; readonly name: string; readonly self: boolean }

/**
 * joining: no link to anybody yet, or alone and looking; agreeing: a view is there, its key is not;
 * keyed: this member holds the key; secured: every member has proved that it does, and application data flows.
 */
export type ViewStatus = "joining" | "agreeing" | "keyed" | "secured"

export type ConferenceView = {
  /** Hex, 64 digits; equal at all members of the view. */
  readonly id: string
  /** Grows with every view; equal on every screen. */
  readonly epoch: number
  readonly status: ViewStatus
  /** Sorted by id, this member included. */
  readonly members: readonly Member[]
  /** Milliseconds since 1970 of the moment when this view was secured here; null before. */
  readonly securedAtMs: number | null
}

export type ViewChange = {
  readonly joined: readonly Member[]
  readonly left: readonly Member[]
  /** created: the first view; joined, left, changed: by what happened to the members; refreshed: the same members, a new key. */
  readonly cause: "created" | "joined" | "left" | "changed" | "refreshed"
}

export type SecurityEvent = {
  readonly code:
    | "fingerprint-mismatch"
    | "forged-signal"
    | "bad-association"
    | "bad-credential"
    | "bad-frame"
    /** It holds up the others, by intent or on a bad network, and is left out for a while. */
    | "obstruction"
    | "failed-confirmation"
    | "agreement-fault"
    | "undecryptable"
    | "invalid-content"
  /** Plain English for logs and developers; a user interface translates by `code`. */
  readonly detail: string
  readonly member: MemberId | null
}

/** up: newcomers can come; down: the conference goes on, newcomers wait. */
export type ServerState = "up" | "down"

export type ConferenceEvents = {
  /** A view has been secured. Late subscribers get the current one at once (change.cause "created"). */
  view: (view: ConferenceView, change: ViewChange) => void
  /** `conference.view` has changed in any way (also before it is secured). Replayed to late subscribers. */
  status: (view: ConferenceView) => void
  security: (event: SecurityEvent) => void
  /** Replayed to late subscribers. */
  server: (state: ServerState) => void
  /** The conference is over for this member; nothing follows. */
  closed: (reason: ClosedReason) => void
}
export type ClosedReason = "left" | "conference-over" | "opened-elsewhere" | "engine-failed"

export type HistoryPolicy = "everything" | "from-join"
/** What each costs and promises: see `@keymoot/gke`. `tgdh` unless there is a reason. */
export type KeyAgreementName = "tgdh" | "str" | "bd" | "gdh" | "ckd"

export type ChannelMessage = {
  /** Unique in the conference, equal at all members. */
  readonly id: string
  readonly from: Member
  readonly data: Uint8Array
  /** `data` as UTF-8. */
  readonly text: string
  /** The sender's clock, milliseconds since 1970: for display only. */
  readonly sentAtMs: number
  /** Where it stands: sort by (epoch, view, sequence), and all members see one order. */
  readonly position: { readonly epoch: number; readonly view: string; readonly sequence: number }
  /** Sent before this member came; handed over by another member, proved by its author's signature. */
  readonly handedOver: boolean
}

export type SendOptions = { readonly service?: "fifo" | "agreed"; readonly signal?: AbortSignal }
export type ChannelOptions = {
  /** Keep a bounded log and hand it to newcomers, as far as the conference's history policy lets them see it. */
  readonly history?: boolean
}

export interface Channel {
  readonly name: string
  /**
   * Resolves when the message has been delivered here in its place in the order; held while a key is being agreed.
   * Rejects with `KeymootError`: `too-large`, `queue-full`, `closed`, `aborted`.
   */
  send(data: string | Uint8Array, options?: SendOptions): Promise<ChannelMessage>
  /** Own messages come too, in their place. What has been received so far is replayed to late subscribers (bounded). */
  on(event: "message", listener: (message: ChannelMessage) => void, options?: ListenOptions): Unsubscribe
}

export interface SharedDocument {
  readonly name: string
  readonly doc: Doc
  /** A member speaks for itself only: states that claim another's client id are dropped. */
  readonly awareness: Awareness
  /** The member that speaks as this awareness client, if it has spoken. */
  memberOfClient(clientId: number): Member | undefined
  /** Somebody handed over what was there before; replayed to late subscribers. */
  on(event: "handedOver", listener: (from: Member) => void, options?: ListenOptions): Unsubscribe
}

export type CreateOptions = {
  /** Origin of the server, like `https://meet.example`. */
  readonly server: string
  readonly identity: IdentityHandle
  readonly title?: string
  readonly keyAgreement?: KeyAgreementName
  readonly history?: HistoryPolicy
  /** Milliseconds from now; 24 hours unless given, 30 days at most. */
  readonly durationMs?: number
  readonly signal?: AbortSignal
}
export type JoinOptions = {
  /** The invitation link, its fragment included. */
  readonly url: string
  readonly identity: IdentityHandle
  readonly signal?: AbortSignal
}
export type ResumeOptions = {
  /** The conference id, as in the path of its link. */
  readonly id: string
  readonly identity: IdentityHandle
  readonly signal?: AbortSignal
}

export interface IdentityHandle {
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** Ends the engine behind this identity with all its conferences. */
  close(): Promise<void>
}

export interface ConferenceHandle {
  readonly id: string
  readonly title: string
  readonly self: Member
  readonly keyAgreement: KeyAgreementName
  readonly history: HistoryPolicy
  readonly invitation: { readonly url: string }
  readonly view: ConferenceView
  readonly server: ServerState
  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe
  /** The same object for the same name. */
  channel(name: string, options?: ChannelOptions): Channel
  document(name: string): SharedDocument
  /** 40 decimal digits in groups of five: equal at all members of this membership. */
  conferenceCode(): Promise<string>
  /** 60 decimal digits in groups of five over both identities' public keys: equal at both, in every conference. */
  pairCode(member: MemberId): Promise<string>
  /** Sends what is pending if it can, says goodbye, forgets the invitation. */
  leave(): Promise<void>
}

/**
 * Statics of the two classes, as the app uses them:
 *   Identity.open({ name })            loads this browser's identity or makes one; another name makes another certificate on the same key
 *   Identity.stored()                  the name of the stored identity, or null
 *   Conference.create(CreateOptions)   Conference.join(JoinOptions)   Conference.resume(ResumeOptions)
 */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-link"
  | "no-invitation"
  | "unknown-conference"
  | "descriptor-mismatch"
  | "conference-over"
  | "server-unreachable"
  | "server-refused"
  | "already-open"
  | "storage-unavailable"
  | "unsupported-browser"
  | "too-large"
  | "queue-full"
  | "closed"
  | "aborted"
  | "internal"

/** Every rejection and throw of this package. `message` says what to do; `code` is for programs. */
export class KeymootError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "KeymootError"
    this.code = code
  }
}
