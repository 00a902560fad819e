import { BlocksFullError, type BlockStore } from "./block-store.ts"

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
    room: async () => 0,
  }
}
