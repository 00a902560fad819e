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

export type Member = {
  readonly id: MemberId
  readonly name: string
  readonly self: boolean
  /** This identity has compared codes with the owner of this member's key, under whatever name (`verify`). */
  readonly verified: boolean
  /** Somebody verified goes by this name, and has another key: an impostor, or the same person on a new device. */
  readonly changedKey: boolean
  /** What this member may do, by what hosts have said. Of the author of a message that was handed over it says nothing. */
  readonly role: Role
}

/** host: lets in, removes, gives roles; editor: writes and draws; viewer: looks on, and what it sends to others is ignored. */
export type Role = "host" | "editor" | "viewer"

export type AdmissionState = {
  /** This member is not in yet: a host has to let it in. */
  readonly waiting: boolean
  /**
   * A host has confirmed within the hour that this member knows all that hosts have said. Until then somebody who has been
   * removed may be here: who has met nobody else cannot know.
   */
  readonly vouched: boolean
  /** For hosts: people who want to come in. */
  readonly knocks: readonly Person[]
}

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
  /** Of those who left: who did so without a goodbye, and was not removed. They may be cut off, and go on by themselves; they may come back. */
  readonly lost: readonly Member[]
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
    /** It said different things to different members under one number, and signed both. */
    | "equivocation"
    /** Two members were told different things; it is not known by whom. `member` is the other one. */
    | "divergence"
    | "failed-confirmation"
    | "agreement-fault"
    | "undecryptable"
    | "invalid-content"
    /** Somebody under the name of a verified person, with another key. Until the codes have been compared, trust nothing it says. */
    | "changed-key"
    /** The list of verified people was not written by this identity, and is not used: verify the people anew. */
    | "altered-verifications"
    /** Somebody who holds the link, and whom the roster or the authority does not name, was refused. Told once for each. */
    | "not-admitted"
    /** Somebody passed on as said by a host what no host has signed. */
    | "bad-statement"
    /** A viewer sent what only editors may; it was ignored. Told once a view. */
    | "beyond-role"
  /** Plain English for logs and developers; a user interface translates by `code`. */
  readonly detail: string
  readonly member: MemberId | null
}

/** up: newcomers can come; down: the conference goes on, newcomers wait. */
export type ServerState = "up" | "down"

/**
 * How this member is connected with another one. Whoever relays sees when and how much, and can read and change nothing;
 * it is slower.
 */
export type LinkPath = "direct" | "relayed-by-member" | "relayed-by-server"

/**
 * Whether this device keeps a sealed copy of what was drawn and said, so that a reload loses nothing. kept: it does;
 * failing: it could not write the last piece, for want of space mostly, and what is new is lost with this page unless others
 * have it; off: it was asked not to.
 */
export type StorageState = "kept" | "failing" | "off"

export type ConferenceEvents = {
  /** A view has been secured. Late subscribers get the current one at once (change.cause "created"). */
  view: (view: ConferenceView, change: ViewChange) => void
  /** `conference.view` has changed in any way (also before it is secured). Replayed to late subscribers. */
  status: (view: ConferenceView) => void
  security: (event: SecurityEvent) => void
  /** Replayed to late subscribers. */
  server: (state: ServerState) => void
  /** `conference.links` has changed. Replayed to late subscribers. */
  links: (links: ReadonlyMap<MemberId, LinkPath>) => void
  /** Replayed to late subscribers. */
  storage: (state: StorageState) => void
  /** `conference.admissionState` has changed. Replayed to late subscribers. */
  admission: (state: AdmissionState) => void
  /** There is another invitation: the former one only lets its bearer ask a host. Replayed to late subscribers. */
  invitation: (invitation: { readonly url: string }) => void
  /** The conference is over for this member; nothing follows. */
  closed: (reason: ClosedReason) => void
}
/** removed, refused: by a host. */
export type ClosedReason = "left" | "removed" | "refused" | "conference-over" | "opened-elsewhere" | "engine-failed"

/** What two people compare, each on the own screen: they verify each other if one of these is the same on both. */
export type PairCode = {
  /** 60 decimal digits in groups of five. */
  readonly digits: string
  /** 18 English words (BIP-39), for people who read aloud. */
  readonly words: readonly string[]
  /** Text for a QR code, in its alphanumeric alphabet; not equal on both screens, but checked by `checkScan` on the other. */
  readonly scannable: string
}
/** match: it is that member's screen, and shows this member's key; not-a-code: not Keymoot's, or of another version. */
export type ScanResult = "match" | "other-person" | "not-a-code"

/** A share or key in a key tree. `isNew`: the last change of the view has made it anew. */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: Member; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }
/**
 * How the key is put together; all of it is public.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key shared by the members below it; the root's becomes the group key.
 * - `ring` (`bd`): each member shares a key with both neighbours.
 * - `chain` (`gdh`): the members in the order in which their shares entered.
 * - `star` (`ckd`): the first seat gave the key to the others.
 * - `quorum` (`majority`): everybody on the roster; new are the shares of those whose contributions the key is made of.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | {
      readonly kind: "ring" | "chain" | "star" | "quorum"
      readonly seats: readonly { readonly member: Member; readonly isNew: boolean }[]
    }

/**
 * What proves who sent a message. `signature`: its sender's signature over each batch. `group`: the group key only, which costs
 * less and says "some member": any of them could have spoken in another's name, in what is delivered now. Messages of channels
 * with a history are signed by their authors in both.
 */
export type Authenticity = "signature" | "group"
export type HistoryPolicy = "everything" | "from-join"
/**
 * What each costs and promises: see `@keymoot/gke`. `tgdh` unless there is a reason.
 *
 * `majority` is for a roster (`Admission`): the first key comes as soon as more than half of the people in it are there, and
 * from then on any of them have it, however few. Coming and going changes no key, so **people of the roster who are away can
 * know it too**. A new one is agreed regularly, and by `refreshKey`, while more than half are there.
 */
export type KeyAgreementName = "tgdh" | "str" | "bd" | "gdh" | "ckd" | "majority"

/** A person as an identity card names it. */
export type Person = {
  readonly id: MemberId
  readonly name: string
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
}
/**
 * Who may enter, besides holding the link. Every member enforces it.
 *
 * - `link`: whoever holds it.
 * - `approval`: whom a host lets in (`admit`).
 * - `roster`: these people, the creator among them. A roster binds keys: who has another name now appears under the one in it.
 * - `ca`: whom this authority certified, the creator among them. Everybody appears under the name that it certified.
 */
export type Admission =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly people: readonly Person[] }
  | { readonly policy: "ca"; readonly authority: Pick<CertificateAuthority, "name" | "fingerprint"> }
/** `members`: identity cards (`IdentityHandle.card`) of those who may enter; the creator may in any case. 31 at most, and 16 with names of any length. */
export type AdmissionOptions =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly members: readonly string[] }
  /** `authority`: its root certificate, PEM or DER; one that the creator's identity was certified by (`Identities.certify`). */
  | { readonly policy: "ca"; readonly authority: Uint8Array | string }

export type ChannelMessage = {
  /** Unique in the conference, equal at all members. */
  readonly id: string
  /** As known when it came; `changedKey` is about the members of a view, and says nothing here. */
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

/**
 * What is promised of a message. Members that stay together deliver the same messages of every service but the first.
 * unreliable: may be lost, and comes only if nothing newer of its sender has; reliable: not lost;
 * fifo: in the order of its sender; causal: after everything its sender had received; agreed: causal, and in one order at
 * all members; safe: agreed, and only when every member has it, so that whoever sees it knows that all will.
 */
export type DeliveryService = "unreliable" | "reliable" | "fifo" | "causal" | "agreed" | "safe"

/** `service`: `agreed` unless given. Channels with a history take `agreed` and `safe` only, others become `agreed`. */
export type SendOptions = { readonly service?: DeliveryService; readonly signal?: AbortSignal }
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

export type DocumentEvents = {
  /** Somebody handed over what was there before; replayed to late subscribers. */
  handedOver: (from: Member) => void
  /**
   * Something can never be sent (`too-large`: 31 MiB compressed), a change or the whole that newcomers need. What this member
   * changes after a change that was not sent does not reach the others either: leave, and make the document anew.
   */
  unsent: (error: KeymootError) => void
  /** A part of a large change or of what is handed over has come: `received` of `count` pieces; `handedOver` or a change follows. */
  progress: (progress: { readonly from: Member; readonly received: number; readonly count: number }) => void
}

export interface SharedDocument {
  readonly name: string
  readonly doc: Doc
  /** A member speaks for itself only: states that claim another's client id are dropped. */
  readonly awareness: Awareness
  /** The member that speaks as this awareness client, if it has spoken. */
  memberOfClient(clientId: number): Member | undefined
  on<E extends keyof DocumentEvents>(event: E, listener: DocumentEvents[E], options?: ListenOptions): Unsubscribe
}

/** `receivedBytes`: that have come, or have been read where a file is offered; `waiting`: for somebody who has it to be back. */
export type FileProgress = { readonly receivedBytes: number; readonly sizeBytes: number; readonly waiting: boolean }
export type FileOptions = {
  readonly signal?: AbortSignal
  /** About five times a second, while it moves. */
  readonly onProgress?: (progress: FileProgress) => void
}
/** `type`: a media type, the blob's own unless given. It is told to others, and proves nothing. */
export type OfferOptions = FileOptions & { readonly name: string; readonly type?: string }

/** A file that a member of the conference offers, as its ticket says. */
export interface SharedFile {
  /** Hex, 32 digits, random. */
  readonly id: string
  /** Text, at most 1024 characters: who has it can fetch the file from members of the conference, and read it. */
  readonly ticket: string
  /** Fit to be shown and to be saved under: no directories, no control characters, 255 bytes at most. */
  readonly name: string
  /** A media type, or empty. What its owner says, and nothing that has been checked. */
  readonly type: string
  readonly sizeBytes: number
  readonly owner: MemberId
  /** How much of it is here: all of it at its owner's and once `fetch` has resolved. */
  keptBytes(): Promise<number>
  /**
   * Brings it here; resolves when all of it is, each chunk checked. What has come is kept over lost links, an abort and a
   * reload, and a later call goes on from there. Where its owner is away, it comes from another member that has all of it.
   * @throws KeymootError `file-unavailable`, `file-altered`, `storage-full`, `storage-unavailable`, `queue-full`, `aborted`, `closed`
   */
  fetch(options?: FileOptions): Promise<void>
  /** The content, about 1 MB at a time. Errors with `file-unavailable` where it has not been fetched. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  /** The content as a blob. @throws KeymootError `file-unavailable` before it has been fetched */
  blob(): Promise<Blob>
  /** Takes it off this device; its owner offers it no more. */
  remove(): Promise<void>
}

/**
 * Files from member to member, encrypted under a key of their own. A file goes to those who fetch it, and to nobody else.
 * What is said of it is its ticket: send that as a message, or put it into a document, and whoever may read it may fetch.
 */
export interface ConferenceFiles {
  /**
   * Offers a file of at most 512 MiB for as long as this page lives, and one of at most 8 MiB until this member leaves.
   * Reads it once, for its hashes. In Node, `openAsBlob` of `node:fs` gives a file as a blob.
   * @throws KeymootError `too-large`, `invalid-argument` (empty), `file-unavailable` (cannot be read), `aborted`
   */
  offer(content: Blob, options: OfferOptions): Promise<SharedFile>
  /** Reads a ticket, and asks nobody. @throws KeymootError `invalid-argument` */
  open(ticket: string): SharedFile
}

/** A short private text kept with this device's copy of the conference, such as a draft. Nobody else ever has it. */
export interface Note {
  /** What was written last, in this or an earlier life of the page; null for nothing. */
  read(): Promise<string | null>
  /** Resolves when it is kept, or cannot be (see {@link StorageState}). */
  write(text: string): Promise<void>
}

/** How peer connections find their way. */
export type IceOptions = {
  /**
   * `all`, the default: the shortest way, so members learn each other's network addresses. `relay`: through the server's
   * TURN servers only, so the other members learn none of yours; the server and its TURN servers still do. Without a TURN
   * server there is then no peer connection.
   */
  readonly transportPolicy?: "all" | "relay"
}

export type CreateOptions = {
  /** Origin of the server, like `https://meet.example`. */
  readonly server: string
  readonly identity: IdentityHandle
  readonly title?: string
  /** `majority` demands a roster. */
  readonly keyAgreement?: KeyAgreementName
  /** `link` unless given. */
  readonly admission?: AdmissionOptions
  readonly history?: HistoryPolicy
  /** `signature` unless given. `group` goes with every key agreement but `majority`. */
  readonly authenticity?: Authenticity
  /** Milliseconds from now; 24 hours unless given, 30 days at most. */
  readonly durationMs?: number
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}
export type JoinOptions = {
  /** The invitation link, its fragment included. */
  readonly url: string
  readonly identity: IdentityHandle
  /** Keep a sealed copy of documents and logs on this device until leaving; true unless given. See {@link StorageState}. */
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}
export type ResumeOptions = {
  /** The conference id, as in the path of its link. */
  readonly id: string
  readonly identity: IdentityHandle
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

/** An organisation's certificate authority (CA), known by its self-signed root certificate. */
export type CertificateAuthority = {
  readonly name: string
  /** SHA-256 of its certificate, hex. */
  readonly fingerprint: string
  /** DER. */
  readonly certificate: Uint8Array
}
/** That an authority says whose key this is. */
export type Certification = {
  /** The name that it certified. */
  readonly name: string
  readonly authority: CertificateAuthority
  /** Milliseconds since 1970. */
  readonly validUntilMs: number
}

/** An identity that this device keeps. */
export type StoredIdentity = {
  /** On this device only. */
  readonly id: string
  readonly name: string
  /** Raw Ed25519, 64 hex digits: what others verify, and what a backup brings to another device. */
  readonly publicKey: string
  /** `Identity.open` takes this one unless told otherwise. */
  readonly chosen: boolean
  readonly certifications: readonly Certification[]
}
/** `backup`: a file, sealed by the passphrase; null without one. It is not kept, and cannot be made later. */
export type NewIdentity = { readonly identity: StoredIdentity; readonly backup: Uint8Array | null }

/** The identities of this device. All calls reject with `storage-unavailable` too. */
export interface IdentitiesHandle {
  list(): Promise<readonly StoredIdentity[]>
  /**
   * Makes one, and chooses it. With a passphrase (12 characters or more) it comes with a backup; takes about a second then.
   * @throws KeymootError `invalid-argument` (name or passphrase), `too-large` (16 are here), `unsupported-browser`
   */
  create(options: { readonly name: string; readonly passphrase?: string }): Promise<NewIdentity>
  /**
   * Brings one back from its backup, and chooses it. The key is the same, so whoever verified it knows it again.
   * @throws KeymootError `wrong-passphrase`, `damaged-backup`, `newer-backup`, `too-large` (16 are here), `unsupported-browser`
   */
  restore(options: { readonly backup: Uint8Array; readonly passphrase: string }): Promise<StoredIdentity>
  /** @throws KeymootError `invalid-argument` (the name, or no such id) */
  rename(id: string, name: string): Promise<void>
  /** @throws KeymootError `invalid-argument` (no such id) */
  choose(id: string): Promise<void>
  /** A request (PKCS #10, PEM) that an authority turns into a certificate. @throws KeymootError `invalid-argument` (no such id) */
  certificateRequest(id: string): Promise<string>
  /**
   * Keeps what the authority issued: the certificate and the authority's own, PEM or DER. The authority must be a root, and
   * have issued it itself.
   * @throws KeymootError `bad-certificate` (with the reason), `invalid-argument` (no such id)
   */
  certify(
    id: string,
    issued: { readonly certificate: Uint8Array | string; readonly authority: Uint8Array | string },
  ): Promise<StoredIdentity>
  /** Without a backup its key is lost for good. @throws KeymootError `invalid-argument` (no such id) */
  remove(id: string): Promise<void>
  close(): void
}

export interface IdentityHandle {
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** A short text with this identity's name and public key, no secret: others who have it can name this person in a roster. */
  readonly card: string
  /** Ends the engine behind this identity with all its conferences. */
  close(): Promise<void>
}

export interface ConferenceHandle {
  readonly id: string
  readonly title: string
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

/**
 * Statics of the two classes, as the app uses them:
 *   Identity.open({ name })            loads this browser's identity or makes one; another name makes another certificate on the same key
 *   Identity.readCard(text)            name and fingerprint of the person whose card it is
 *   Identity.stored()                  the name of the chosen identity, or null
 *   Identities.open()                  the identities of this device: list, create with a backup, restore, rename, choose, remove
 *   Conference.create(CreateOptions)   Conference.join(JoinOptions)   Conference.resume(ResumeOptions)
 */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-link"
  | "invalid-card"
  | "bad-certificate"
  | "no-invitation"
  | "unknown-conference"
  | "descriptor-mismatch"
  | "conference-over"
  | "not-admitted"
  | "not-permitted"
  | "server-unreachable"
  | "server-refused"
  | "already-open"
  | "storage-unavailable"
  | "unsupported-browser"
  | "too-large"
  | "too-soon"
  | "wrong-passphrase"
  | "damaged-backup"
  | "newer-backup"
  | "queue-full"
  | "file-unavailable"
  | "file-altered"
  | "storage-full"
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
