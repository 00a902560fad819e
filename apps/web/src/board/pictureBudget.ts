import type { MemberId } from "@keymoot/core"
import { PICTURES_BYTES_MAX, PICTURES_MAX } from "./limits.ts"

type Use = { readonly pictures: number; readonly bytes: number }

/** Of all that a page holds, what is taken in the order in which it comes; the rest is kept for those who have less. */
const COMMON_PART = 1 / 2
const TOTAL: Use = { pictures: PICTURES_MAX, bytes: PICTURES_BYTES_MAX }
const NOTHING: Use = { pictures: 0, bytes: 0 }

export type PictureBudget = {
  /** Whether one more of this owner's, so large, has a place. */
  hasRoom(owner: MemberId, bytes: number): boolean
  /** It counts from now on, also if it turns out to be none. */
  take(owner: MemberId, bytes: number): void
}

/**
 * How the pictures that a page holds are divided: half of them go to whoever brings them first, the other half in equal
 * shares to everybody here, and one share to all who are away. So nobody takes the places of all the others. Whose a picture
 * is its ticket says.
 */
export function pictureBudget(present: () => readonly MemberId[]): PictureBudget {
  const uses = new Map<MemberId, Use>()

  /** Of each share that somebody holds; those who are away have one together. */
  function shares(): Map<MemberId | null, Use> {
    const here = new Set(present())
    const held = new Map<MemberId | null, Use>()
    for (const [owner, use] of uses) {
      const holder = here.has(owner) ? owner : null
      held.set(holder, sum(held.get(holder) ?? NOTHING, use))
    }
    return held
  }

  return {
    hasRoom(owner, bytes) {
      const here = present()
      const share = scale(TOTAL, (1 - COMMON_PART) / (here.length + 1))
      const held = shares()
      const holder = here.includes(owner) ? owner : null
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
