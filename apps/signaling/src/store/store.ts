/** The participants of a conference, as its creator published them. Fingerprints are 64 lower-case hex digits. */
export interface Roster {
  readonly members: readonly string[]
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** The certificate that the creator has proved. */
  readonly creator: string
}

/** A descriptor as it was created: opaque, immutable, gone at `expiresAtMs`. */
export interface StoredConference {
  /** 32 lower-case hex digits. */
  readonly id: string
  readonly descriptor: Uint8Array
  readonly expiresAtMs: number
  /** Ed25519 public key that room proofs verify with. */
  readonly verifier?: Uint8Array
  /** Ed25519 public key of the creator, which signs announced ends. */
  readonly creatorKey?: Uint8Array
  readonly roster?: Roster
}

/** Descriptor and announced end, if any. */
export interface FoundConference {
  readonly descriptor: Uint8Array
  readonly end?: Uint8Array
}

/** A published certificate. There is one for each identity at a time. */
export interface StoredParticipant {
  /** SHA-256 of the certificate: 64 lower-case hex digits. */
  readonly fingerprint: string
  /** The identity, which has at most one certificate here; see `certificate.ts`. */
  readonly identity: string
  readonly name: string
  readonly certificate: Uint8Array
  readonly notBeforeMs: number
  readonly expiresAtMs: number
}

export interface ListedParticipant {
  readonly fingerprint: string
  readonly name: string
}

export interface ListedConference {
  readonly id: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly creator: string
}

/** The position of an entry in the list of conferences. */
export type ConferencePosition = Pick<ListedConference, "id" | "startsAtMs">

/** `more`: whether entries follow the last one. */
export interface Page<E> {
  readonly entries: readonly E[]
  readonly more: boolean
}

/**
 * The durable state. A resolved promise means that the write is on the disk: it survives a crash of the process and of
 * the machine. A rejection means that the database failed, never that an argument was wrong.
 */
export interface Store {
  /** `exists` when the id is taken, by the same descriptor or another; `full` at the bound given at opening. */
  createConference(conference: StoredConference): Promise<"created" | "exists" | "full">
  /** The descriptor and the announced end, unless the conference has expired by `nowMs`. */
  findConference(id: string, nowMs: number): Promise<FoundConference | undefined>
  /** Null for a conference without one, undefined if there is no such conference. */
  findCreatorKey(id: string, nowMs: number): Promise<Uint8Array | null | undefined>
  /**
   * Replaces the announced end of a conference. Setting a stored end again is `set`.
   * @param saidAtMs `superseded` if the stored one has a later or the same time
   */
  setEnd(id: string, end: Uint8Array, saidAtMs: number): Promise<"set" | "superseded">
  /** Null for a conference without one, undefined if there is no such conference. */
  findVerifier(id: string, nowMs: number): Promise<Uint8Array | null | undefined>
  /** Conferences whose roster names the member and which have not ended by `nowMs`, in the order of their starts. */
  listConferences(member: string, nowMs: number, after?: ConferencePosition): Promise<Page<ListedConference>>
  /**
   * Publishes the certificate, replacing an earlier one of its identity. `superseded` if the stored one is not earlier;
   * `full` at the bound given at opening. Adding a stored certificate again is `added`.
   */
  addParticipant(participant: StoredParticipant, nowMs: number): Promise<"added" | "superseded" | "full">
  /** Withdraws the certificate of an identity, if there is one. */
  removeParticipant(identity: string): Promise<void>
  /** The certificate, unless it has expired by `nowMs`. */
  findCertificate(fingerprint: string, nowMs: number): Promise<Uint8Array | undefined>
  /** Participants whose name begins with the prefix, ignoring case, in the order of their names. */
  listParticipants(prefix: string, nowMs: number, after?: ListedParticipant): Promise<Page<ListedParticipant>>
  /**
   * Deletes the rows that expired `graceMs` before `nowMs`; from a full table, all that have expired by `nowMs`.
   * @returns the number of deleted rows
   */
  purgeExpired(nowMs: number, graceMs: number): Promise<number>
  /** Rejects when the database cannot be reached, or has just failed to write. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Maximum numbers of rows. */
export interface StoreBounds {
  readonly conferencesMax: number
  readonly participantsMax: number
}
