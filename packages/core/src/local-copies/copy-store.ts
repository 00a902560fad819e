/** Of all conferences of a device. At the bound those used longest ago are forgotten. */
export const COPIES_BYTES_MAX = 512 * 1024 * 1024
/** Of one conference. At the bound nothing more is kept, and the application is told. */
export const COPY_BYTES_MAX = 128 * 1024 * 1024

/**
 * Where a device keeps sealed records of the conferences it takes part in. A record belongs to a part (a document, the
 * log); the records of a part are kept in the order of their coming. A record read is the caller's own copy.
 * Everything rejects with whatever the storage says.
 */
export interface CopyStore {
  /** The AES-256-GCM key of this conference's records, made at first use; not extractable where the storage can hold such. */
  key(conferenceId: string): Promise<CryptoKey>
  read(conferenceId: string, part: string): Promise<Uint8Array[]>
  /** @throws CopyFullError with {@link COPY_BYTES_MAX} reached; what is there stays. */
  append(conferenceId: string, part: string, record: Uint8Array): Promise<void>
  /** In place of all records of the part, as one step. @throws as `append` */
  replace(conferenceId: string, part: string, record: Uint8Array): Promise<void>
  /** Key first: whatever a disk still holds afterwards cannot be opened. */
  forget(conferenceId: string): Promise<void>
}

/** The copy of one conference has reached its bound. */
export class CopyFullError extends Error {
  override readonly name = "CopyFullError"
}

export type CopySize = { readonly conferenceId: string; readonly bytes: number; readonly usedAtMs: number }

/** Which conferences must go so that all the copies together keep the bound; never the one in use. */
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
