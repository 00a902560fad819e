import type { MemberId } from "@keymoot/core"
import { PICTURES_BYTES_MAX, PICTURES_HELD_BYTES_MAX, PICTURES_HELD_MAX, PICTURES_MAX } from "../elements/limits.ts"

type Use = { readonly pictures: number; readonly bytes: number }

/** The share that is given in order of arrival. The rest is reserved for members with fewer pictures. */
const COMMON_PART = 1 / 2
/** On the board. */
const PLACED: Use = { pictures: PICTURES_MAX, bytes: PICTURES_BYTES_MAX }
/** With deleted ones. */
const HELD: Use = { pictures: PICTURES_HELD_MAX, bytes: PICTURES_HELD_BYTES_MAX }
const NOTHING: Use = { pictures: 0, bytes: 0 }

type Taken = { readonly owner: MemberId | null; readonly bytes: number }

export type PictureBudget = {
  /** Whether there is a place for one more picture of this owner and size. */
  hasRoom(owner: MemberId | null, bytes: number): boolean
  /**
   * Counts it from now on, even if it is not a picture. `isPlaced`: an element on the board shows it. Otherwise one will
   * show it later.
   */
  take(picture: Taken & { readonly id: string; readonly isPlaced: boolean }): void
  /** No element will show it after all. It counts as deleted from the next `keepPlaced` on. */
  giveUp(id: string): void
  /** Gives back the places of the other pictures, which are deleted. Returns whether there were any. */
  keepPlaced(ids: ReadonlySet<string>): boolean
}

/**
 * Divides the pictures that a page can hold. Half of the places go to the first arrivals. The other half is split in
 * equal shares among all members, with one share for all absent owners. So no member takes the places of all others. An
 * owner is the member that put the picture on the board; null stands for an absent one. The same rule
 * divides what the page holds with deleted pictures.
 */
export function pictureBudget(present: () => readonly MemberId[]): PictureBudget {
  const held = new Map<string, Taken>()
  /** Ids of the held pictures that are on the board, and of those that have not been there yet. */
  const placed = new Set<string>()
  const unplaced = new Set<string>()
  /** Without the deleted pictures, and with them. */
  let uses = { placed: usesOf([]), held: usesOf([]) }

  function recount(): void {
    const onBoard = [...held].flatMap(([id, picture]) => (placed.has(id) || unplaced.has(id) ? [picture] : []))
    uses = { placed: usesOf(onBoard), held: usesOf([...held.values()]) }
  }

  function fitsInto(total: Use, used: ReadonlyMap<MemberId | null, Use>, { owner, bytes }: Taken): boolean {
    const here = new Set(present())
    const share = scale(total, (1 - COMMON_PART) / (here.size + 1))
    /** The use of each share; absent owners have one together. */
    const shares = new Map<MemberId | null, Use>()
    const add = (of: MemberId | null, use: Use): Use => {
      const holder = of !== null && here.has(of) ? of : null
      const next = sum(shares.get(holder) ?? NOTHING, use)
      shares.set(holder, next)
      return next
    }
    for (const [of, use] of used) add(of, use)
    const own = add(owner, { pictures: 1, bytes })
    const all = [...shares.values()].reduce(sum, NOTHING)
    const beyondShares = [...shares.values()].map((use) => excess(use, share)).reduce(sum, NOTHING)
    return fits(all, total) && (fits(own, share) || fits(beyondShares, scale(total, COMMON_PART)))
  }

  return {
    hasRoom: (owner, bytes) =>
      fitsInto(PLACED, uses.placed, { owner, bytes }) && fitsInto(HELD, uses.held, { owner, bytes }),
    take({ id, owner, bytes, isPlaced }) {
      held.set(id, { owner, bytes })
      if (isPlaced) placed.add(id)
      else unplaced.add(id)
      recount()
    },
    giveUp(id) {
      unplaced.delete(id)
      placed.add(id)
    },
    keepPlaced(ids) {
      const deleted = [...placed].filter((id) => !ids.has(id))
      for (const id of deleted) placed.delete(id)
      for (const id of held.keys()) {
        if (!ids.has(id)) continue
        placed.add(id)
        unplaced.delete(id)
      }
      recount()
      return deleted.length > 0
    },
  }
}

/** By owner. */
function usesOf(pictures: readonly Taken[]): ReadonlyMap<MemberId | null, Use> {
  const uses = new Map<MemberId | null, Use>()
  for (const { owner, bytes } of pictures) uses.set(owner, sum(uses.get(owner) ?? NOTHING, { pictures: 1, bytes }))
  return uses
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
