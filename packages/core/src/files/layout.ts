/**
 * Layout of a file: chunks that fill half a hop frame each, and blocks of chunks as the unit of requests, verification
 * and storage.
 */

/** Largest file that a member can offer. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024
/** Plaintext bytes of a chunk. Sealed and with its headers it is one piece of a hop frame; two fill one. */
export const CHUNK_BYTES = 16_320
export const TAG_BYTES = 16
export const BLOCK_CHUNKS = 64
export const BLOCK_BYTES = BLOCK_CHUNKS * CHUNK_BYTES
export const HASH_BYTES = 32
/** Hashes of chunks in one piece of the list. */
export const PIECE_HASHES = CHUNK_BYTES / HASH_BYTES

export function chunkCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / CHUNK_BYTES)
}

export function blockCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES)
}

/** Number of pieces of the list of hashes. */
export function listCount(sizeBytes: number): number {
  return Math.ceil(chunkCount(sizeBytes) / PIECE_HASHES)
}

/** Returns the sealed chunks of a sealed block in order; they alias it. */
export function chunksOf(block: Uint8Array): Uint8Array[] {
  const sealed = CHUNK_BYTES + TAG_BYTES
  return Array.from({ length: Math.ceil(block.length / sealed) }, (_, i) =>
    block.subarray(i * sealed, (i + 1) * sealed),
  )
}
