/** Bound on the copies of all conferences of a device. Beyond it the least recently used ones are deleted. */
export const COPIES_BYTES_MAX = 512 * 1024 * 1024
/** Bound on the copy of one conference. At the bound nothing more is stored, and the application is notified. */
export const COPY_BYTES_MAX = 128 * 1024 * 1024

/**
 * Storage of sealed records of a device's conferences. A record belongs to a part (a document, the log). The records of
 * a part keep their order. A returned record is the caller's own copy. Calls reject with the storage's error.
 */
export interface CopyStore {
  /**
   * AES-256-GCM key of this conference's records, generated at first use. It is non-extractable if the storage supports
   * that.
   */
  key(conferenceId: string): Promise<CryptoKey>
  read(conferenceId: string, part: string): Promise<Uint8Array[]>
  /** @throws CopyFullError at {@link COPY_BYTES_MAX}; existing records stay. Throws also after the copy was deleted. */
  append(conferenceId: string, part: string, record: Uint8Array): Promise<void>
  /** Replaces all records of the part in one step. @throws as `append` */
  replace(conferenceId: string, part: string, record: Uint8Array): Promise<void>
  /** Deletes the key first, so that data left on the disk cannot be decrypted. */
  forget(conferenceId: string): Promise<void>
  /** Ids of all copies. */
  list(): Promise<string[]>
}

/** The copy of one conference has reached its bound. */
export class CopyFullError extends Error {
  override readonly name = "CopyFullError"
}

/** The copy was forgotten or evicted, so no key could decrypt a further write. */
export function copyDeleted(): Error {
  return new Error("the copy of this conference was deleted")
}

export type CopySize = { readonly conferenceId: string; readonly bytes: number; readonly usedAtMs: number }

/** Conferences to evict so that all copies together respect the bound; never the one in use. */
export function overBound(sizes: readonly CopySize[], inUse: string, bytesMax = COPIES_BYTES_MAX): string[] {
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const gone: string[] = []
  for (const { conferenceId, bytes } of sizes.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (total <= bytesMax) break
    if (conferenceId === inUse) continue
    gone.push(conferenceId)
    total -= bytes
  }
  return gone
}

export function assertRoom(bytes: number): void {
  if (bytes > COPY_BYTES_MAX) throw new CopyFullError(`a copy of a conference has ${COPY_BYTES_MAX} bytes at most`)
}

export function createCopyKey(extractable: boolean): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, extractable, ["encrypt", "decrypt"])
}
