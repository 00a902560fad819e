import type { MemberId, SharedFile } from "@keymoot/core"

/** Files up to this size are fetched by every member, so that they outlast the person that shared them. */
export const SMALL_FILE_BYTES_MAX = 5 * 1024 * 1024
/** Bounds on what is fetched unasked while the page is open: of one member, and of all. */
const OF_ONE = { files: 100, bytes: 50 * 1024 * 1024 } as const
const OF_ALL = { files: 500, bytes: 200 * 1024 * 1024 } as const

type Share = { files: number; bytes: number }

export type SelfFetching = {
  /** Whether this file may be fetched unasked; it then counts. Beyond the bounds a person presses "Save" as before. */
  readonly take: (file: Pick<SharedFile, "owner" | "sizeBytes">) => boolean
}

/** Divides the places among the owners, so that one member cannot use up what others need. */
export function selfFetching(): SelfFetching {
  const all: Share = { files: 0, bytes: 0 }
  const byOwner = new Map<MemberId, Share>()
  return {
    take({ owner, sizeBytes }) {
      const one = byOwner.get(owner) ?? { files: 0, bytes: 0 }
      const hasRoom = ({ files, bytes }: Share, bound: Readonly<Share>): boolean =>
        files + 1 <= bound.files && bytes + sizeBytes <= bound.bytes
      if (!hasRoom(one, OF_ONE) || !hasRoom(all, OF_ALL)) return false
      // At most one entry for each counted file, so the map is bounded, too.
      byOwner.set(owner, one)
      for (const share of [one, all]) {
        share.files++
        share.bytes += sizeBytes
      }
      return true
    },
  }
}
