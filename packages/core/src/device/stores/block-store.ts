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
  /** Ids of all conferences with blocks. */
  list(): Promise<string[]>
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

/** Bound on one conference's files in memory. Larger ones need a store with a disk. */
export const MEMORY_FILES_BYTES_MAX = 64 * 1024 * 1024

/** Lives as long as its process. */
export function createMemoryBlockStore(bytesMax: number = MEMORY_FILES_BYTES_MAX): BlockStore {
  const conferences = new Map<string, Map<string, Uint8Array[]>>()
  const blocksOf = (conference: string, file: string): Uint8Array[] => conferences.get(conference)?.get(file) ?? []
  const bytesOf = (conference: string): number =>
    [...(conferences.get(conference)?.values() ?? [])].flat().reduce((sum, { length }) => sum + length, 0)

  return {
    count: async (conference, file) => blocksOf(conference, file).length,
    read: async (conference, file, block) => blocksOf(conference, file)[block] ?? null,
    append: async (conference, file, block, sealed) => {
      const files = conferences.get(conference) ?? new Map<string, Uint8Array[]>()
      const blocks = files.get(file) ?? []
      if (block !== blocks.length) throw new RangeError("blocks must be stored in order")
      if (bytesOf(conference) + sealed.length > bytesMax) throw new BlocksFullError(bytesMax)
      conferences.set(conference, files.set(file, [...blocks, sealed]))
    },
    remove: async (conference, file) => void conferences.get(conference)?.delete(file),
    forget: async (conference) => void conferences.delete(conference),
    list: async () => [...conferences.keys()],
    room: async () => 0,
  }
}
