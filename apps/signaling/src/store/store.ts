/** Who is to take part in a conference, as its creator published it. Fingerprints are 64 lower-case hex digits. */
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
  readonly roster?: Roster
}

/** A published certificate. There is one for each identity at a time. */
export interface StoredParticipant {
  /** SHA-256 of the certificate: 64 lower-case hex digits. */
  readonly fingerprint: string
  /** Who it is that has at most one certificate here; see `certificate.ts`. */
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

/** Where one stands in the list of conferences. */
export type ConferencePosition = Pick<ListedConference, "id" | "startsAtMs">

/** `more` when the list goes on behind the last entry. */
export interface Page<E> {
  readonly entries: readonly E[]
  readonly more: boolean
}

/**
 * What outlives the process. A promise that resolved is on the disk: it survives the death of the process and of the
 * machine. A rejection means that the database failed, never that a caller's data was wrong.
 */
export interface Store {
  /** `exists` when the id is taken, by the same descriptor or another; `full` at the bound given at opening. */
  createConference(conference: StoredConference): Promise<"created" | "exists" | "full">
  /** The descriptor, unless it has expired by `nowMs`. */
  findDescriptor(id: string, nowMs: number): Promise<Uint8Array | undefined>
  hasConference(id: string, nowMs: number): Promise<boolean>
  /** Those whose roster names the member and which have not ended by `nowMs`, in the order of their starts. */
  listConferences(member: string, nowMs: number, after?: ConferencePosition): Promise<Page<ListedConference>>
  /**
   * Publishes the certificate in the place of an earlier one of its identity. `superseded` when there is one that is not
   * earlier; `full` at the bound given at opening. Adding again what is there is `added`.
   */
  addParticipant(participant: StoredParticipant, nowMs: number): Promise<"added" | "superseded" | "full">
  /** The certificate, unless it has expired by `nowMs`. */
  findCertificate(fingerprint: string, nowMs: number): Promise<Uint8Array | undefined>
  /** Those whose name begins with the prefix, whatever the case, in the order of their names. */
  listParticipants(prefix: string, nowMs: number, after?: ListedParticipant): Promise<Page<ListedParticipant>>
  /** Deletes what has expired by `nowMs` and answers how much that was. */
  purgeExpired(nowMs: number): Promise<number>
  /** Rejects when the database cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Rows kept at most. */
export interface StoreBounds {
  readonly conferencesMax: number
  readonly participantsMax: number
}
