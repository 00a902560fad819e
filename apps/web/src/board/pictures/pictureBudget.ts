import type { MemberId } from "@keymoot/core"
import { PICTURES_BYTES_MAX, PICTURES_MAX } from "../elements/limits.ts"

type Use = { readonly pictures: number; readonly bytes: number }

/** The share that is given in order of arrival. The rest is reserved for members with fewer pictures. */
const COMMON_PART = 1 / 2
const TOTAL: Use = { pictures: PICTURES_MAX, bytes: PICTURES_BYTES_MAX }
const NOTHING: Use = { pictures: 0, bytes: 0 }

export type PictureBudget = {
  /** Whether there is a place for one more picture of this owner and size. */
  hasRoom(owner: MemberId | null, bytes: number): boolean
  /** Counts it from now on, even if it is not a picture. */
  take(owner: MemberId | null, bytes: number): void
}

/**
 * Divides the pictures that a page can hold. Half of the places go to the first arrivals. The other half is split in
 * equal shares among all members, with one share for all absent owners. So no member takes the places of all others. An
 * owner is the member that put the picture on the board; null stands for an absent one.
 */
export function pictureBudget(present: () => readonly MemberId[]): PictureBudget {
  const uses = new Map<MemberId | null, Use>()

  /** The use of each share; absent owners have one together. */
  function shares(): Map<MemberId | null, Use> {
    const here = new Set(present())
    const held = new Map<MemberId | null, Use>()
    for (const [owner, use] of uses) {
      const holder = owner !== null && here.has(owner) ? owner : null
      held.set(holder, sum(held.get(holder) ?? NOTHING, use))
    }
    return held
  }

  return {
    hasRoom(owner, bytes) {
      const here = present()
      const share = scale(TOTAL, (1 - COMMON_PART) / (here.length + 1))
      const held = shares()
      const holder = owner !== null && here.includes(owner) ? owner : null
      held.set(holder, sum(held.get(holder) ?? NOTHING, { pictures: 1, bytes }))
      const all = [...held.values()].reduce(sum, NOTHING)
      const beyondShares = [...held.values()].map((use) => excess(use, share)).reduce(sum, NOTHING)
      return fits(all, TOTAL) && (fits(held.get(holder)!, share) || fits(beyondShares, scale(TOTAL, COMMON_PART)))
    },
    take: (owner, bytes) => void uses.set(owner, sum(uses.get(owner) ?? NOTHING, { pictures: 1, bytes })),
  }
}

function sum(a: Use, b: Use): Use {
  return { pictures: a.pictures + b.pictures, bytes: a.bytes + b.bytes }
}

function scale({ pictures, bytes }: Use, factor: number): Use {
  return { pictures: pictures * factor, bytes: bytes * factor }
}

function excess(use: Use, share: Use): Use {
  return { pictures: Math.max(0, use.pictures - share.pictures), bytes: Math.max(0, use.bytes - share.bytes) }
}

function fits(use: Use, room: Use): boolean {
  return use.pictures <= room.pictures && use.bytes <= room.bytes
}
