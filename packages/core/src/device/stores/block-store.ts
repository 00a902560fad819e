/** Bound on the files of one conference. At the bound nothing more is stored, and the fetch fails. */
export const CONFERENCE_FILES_BYTES_MAX = 2 * 1024 * 1024 * 1024
/**
 * Bound on the files of all conferences of a device. Beyond it the least recently used ones are evicted and must be
 * fetched again.
 */
export const FILES_BYTES_MAX = 4 * 1024 * 1024 * 1024

/**
 * Storage of fetched files' blocks, sealed as they arrived, in order and without gaps. Their keys are in the tickets,
 * which are sealed with the rest of the conference. Calls reject with the storage's error.
 */
export interface BlockStore {
  /** Number of stored blocks of a file. */
  count(conference: string, file: string): Promise<number>
  read(conference: string, file: string, block: number): Promise<Uint8Array | null>
  /** `block` must be the number of stored blocks. @throws BlocksFullError */
  append(conference: string, file: string, block: number, sealed: Uint8Array): Promise<void>
  remove(conference: string, file: string): Promise<void>
  forget(conference: string): Promise<void>
  /**
   * Bytes of a conference's files that can still be stored beyond the life of this process; 0 if nothing is persistent.
   */
  room(conference: string): Promise<number>
}

export class BlocksFullError extends Error {
  constructor(bytesMax: number) {
    super(`the files of a conference have ${bytesMax} bytes at most here`)
    this.name = "BlocksFullError"
  }
}
