/** A descriptor as it was created: opaque, immutable, gone at `expiresAtMs`. */
export interface StoredConference {
  /** 32 lower-case hex digits. */
  readonly id: string
  readonly descriptor: Uint8Array
  readonly expiresAtMs: number
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
  /** Deletes what has expired by `nowMs` and answers how many that were. */
  purgeExpired(nowMs: number): Promise<number>
  close(): Promise<void>
}
