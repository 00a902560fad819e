/**
 * Table 1 of "On the performance of group key agreement protocols" (Amir, Kim, Nita-Rotaru, Tsudik) for GDH and CKD.
 * Beside it are counts from outside: outputs, and the multiplications of a wrapped group. The papers count the members
 * before (n), merging (m) and leaving (p). Every multicast and unicast is signed by its sender and verified by each
 * receiver, so the signatures on the critical path are the rounds.
 */
import { expect, test } from "vitest"
import type { KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "../harness.ts"

type Counted = { readonly group: PrimeOrderGroup; multiplications: number }

function counting(): Counted {
  const group = createToyGroup()
  const counted = {
    multiplications: 0,
    group: {
      ...group,
      multiply: (...args: Parameters<PrimeOrderGroup["multiply"]>) => {
        counted.multiplications++
        return group.multiply(...args)
      },
      multiplyBase: (...args: Parameters<PrimeOrderGroup["multiplyBase"]>) => {
        counted.multiplications++
        return group.multiplyBase(...args)
      },
    },
  }
  return counted
}

type Cost = { readonly rounds: number; readonly unicasts: number; readonly multicasts: number }

class Conference {
  readonly harness: Harness
  readonly #counted = new Map<MemberId, Counted>()
  #started = 0

  constructor(module: KeyAgreementName) {
    this.harness = new Harness(createToyGroup(), { module })
  }

  /** So many members more; not yet in a view. */
  start(count: number): MemberId[] {
    return Array.from({ length: count }, () => {
      const counted = counting()
      const id = this.harness.start(`m${this.#started++}`.padEnd(5, "x"), counted.group)
      this.#counted.set(id, counted)
      return id
    })
  }

  change(ids: readonly MemberId[]): Cost {
    const proposal = this.harness.propose(ids)
    // Computation for the flush is off the path from the view to the key.
    for (const counted of this.#counted.values()) counted.multiplications = 0
    const view = this.harness.install(proposal)
    const rounds = this.harness.settle(view.members)
    expect(this.harness.faults).toEqual([])
    expect(new Set(ids.map((id) => this.harness.member(id).secret?.secret)).size).toBe(1)
    return { rounds, unicasts: view.unicasts.length, multicasts: view.log.length }
  }

  /** After the last view, most first. */
  multiplications(): number[] {
    return [...this.#counted.values()].map((counted) => counted.multiplications).sort((a, b) => b - a)
  }
}

const SIZES = [2, 3, 5, 13, 32, 64]
const CHANGES = [1, 2, 3, 4, 5, 6, 7, 8]

test("GDH: a join and a merge cost the papers' rounds and messages, differing by m", () => {
  for (const n of SIZES) {
    for (const m of CHANGES) {
      const conference = new Conference("gdh")
      const present = conference.start(n)
      conference.change(present)
      expect(conference.change([...present, ...conference.start(m)]), `n=${n} m=${m}`).toEqual({
        rounds: m + 3,
        unicasts: n + 2 * m - 1,
        multicasts: 2,
      })
      // The papers' n+2m+1 in a row: one at each of m members of the chain, one factoring out, n+m-1 of the controller, and
      // everybody's own. The controller's own key, for the commitment to it, is made while the others factor out.
      const [controller, ...others] = conference.multiplications()
      expect(controller).toBe(n + m)
      expect(others.slice(0, m)).toEqual([...Array<number>(m).fill(3)])
      expect(others.slice(m)).toEqual(Array<number>(n - 1).fill(2))
    }
  }
})

test("GDH: a leave, a partition and each refreshed share cost one message", () => {
  for (const n of SIZES) {
    for (const p of [0, ...CHANGES].filter((leaving) => leaving < n - 1)) {
      const conference = new Conference("gdh")
      const present = conference.start(n)
      conference.change(present)
      const leaving = new Set(Array.from({ length: p }, (_, i) => present[(i * 7 + n) % n]))
      const remaining = present.filter((id) => !leaving.has(id))
      // Sixty refreshes an hour, and no share older than that.
      const lists = p === 0 ? Math.ceil(n / 60) : 1
      const cost = { rounds: lists, unicasts: 0, multicasts: lists }
      expect(conference.change(remaining), `n=${n} p=${p}`).toEqual(cost)
      // The papers' n-p at the controller; its commitment puts its own key before the others', so the way to theirs is n-p+1.
      const [controllers, others] = [Array<number>(lists).fill(remaining.length + lists - 1), [lists]]
      expect(conference.multiplications().slice(0, lists + 1)).toEqual([...controllers, ...others])
    }
  }
})

test("GDH: the smaller part of a split enters like newcomers when it comes back", () => {
  const conference = new Conference("gdh")
  const all = conference.start(13)
  conference.change(all)
  conference.change(all.slice(0, 8))
  conference.change(all.slice(8))
  expect(conference.change(all)).toEqual({ rounds: 5 + 3, unicasts: 8 + 2 * 5 - 1, multicasts: 2 })
})

test("CKD: every event costs one round and message, less than the papers' joins", () => {
  for (const n of SIZES) {
    for (const change of CHANGES) {
      const conference = new Conference("ckd")
      const present = conference.start(n)
      const newcomers = conference.start(change)
      const expectOneMessage = (ids: readonly MemberId[]): void => {
        expect(conference.change(ids), `n=${n} change=${change}`).toEqual({ rounds: 1, unicasts: 0, multicasts: 1 })
        // The controller's pairwise keys, and each member's own. The papers' controller: n+2 to join, n-1 to leave, but
        // 3n-5 if the controller left. These are for pairwise keys that are here made anew each time.
        expect(conference.multiplications().slice(0, 2)).toEqual([ids.length - 1, 1])
      }
      expectOneMessage(present)
      expectOneMessage(present)
      expectOneMessage([...present, ...newcomers])
      expectOneMessage(present)
      if (n > change + 1) expectOneMessage(present.slice(change))
    }
  }
})

test("CKD: a reload of the controller, or of everybody else, costs no more", () => {
  const conference = new Conference("ckd")
  const present = conference.start(8)
  conference.change(present)
  const one = { rounds: 1, unicasts: 0, multicasts: 1 }
  conference.harness.startAs(present[0]!)
  expect(conference.change(present)).toEqual(one)
  for (const id of present.slice(1)) conference.harness.startAs(id)
  expect(conference.change(present)).toEqual(one)
})
