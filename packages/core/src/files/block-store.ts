/** Of the files of one conference. At the bound nothing more is kept, and whoever fetches is told. */
export const CONFERENCE_FILES_BYTES_MAX = 2 * 1024 * 1024 * 1024
/** Of all conferences of a device. At the bound those used longest ago give way, and their files have to be fetched again. */
export const FILES_BYTES_MAX = 4 * 1024 * 1024 * 1024

/**
 * Where a device keeps the blocks of fetched files, sealed as they came, in their order and without gaps. The keys lie
 * in the tickets, which are kept sealed with the rest of the conference. Everything rejects with what the storage says.
 */
export interface BlockStore {
  /** How many blocks of a file there are. */
  count(conference: string, file: string): Promise<number>
  read(conference: string, file: string, block: number): Promise<Uint8Array | null>
  /** `block`: the number of those that are there; any other is an error of the caller. @throws BlocksFullError */
  append(conference: string, file: string, block: number, sealed: Uint8Array): Promise<void>
  remove(conference: string, file: string): Promise<void>
  forget(conference: string): Promise<void>
  /** Bytes that may still be kept of a conference's files so that they outlast this process; 0 where nothing does. */
  room(conference: string): Promise<number>
}

export class BlocksFullError extends Error {
  constructor(bytesMax: number) {
    super(`the files of a conference have ${bytesMax} bytes at most here`)
    this.name = "BlocksFullError"
  }
}
