/** A member holds nothing of past secrets. The test inspects buffers, not fields: all that passed through the group. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import type { KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "../harness.ts"
import { MODULES } from "../modules.ts"

const toy = createToyGroup()

/** `scalars`: the very buffers of all secret scalars and products that one member ever had, with what was in them at first. */
type Watched = { readonly group: PrimeOrderGroup; readonly buffers: Map<Uint8Array, string> }

function watched(): Watched {
  const buffers = new Map<Uint8Array, string>()
  const keep = <T extends Uint8Array>(secret: T): T => {
    if (!buffers.has(secret)) buffers.set(secret, bytesToHex(secret))
    return secret
  }
  const group: PrimeOrderGroup = {
    ...toy,
    randomScalar: (random) => keep(toy.randomScalar(random)),
    hashToScalar: (domain, e) => keep(toy.hashToScalar(domain, keep(e))),
    multiplyBase: (s) => toy.multiplyBase(keep(s)),
    multiply: (e, s) => toy.multiply(e, keep(s)),
    multiplyEncoded: (e, s) => toy.multiplyEncoded(e, keep(s)),
    invert: (s) => keep(toy.invert(keep(s))),
    multiplyScalars: (a, b) => keep(toy.multiplyScalars(keep(a), keep(b))),
  }
  return { group, buffers }
}

/** The secrets that are still in memory. */
function held({ buffers }: Watched): Set<string> {
  return new Set([...buffers].filter(([buffer, first]) => bytesToHex(buffer) === first).map(([, first]) => first))
}

class Room {
  readonly harness: Harness
  readonly watched: Watched
  readonly member: MemberId
  ids: MemberId[]

  /** `place`: of the watched one among seven. */
  constructor(module: KeyAgreementName, place: number) {
    this.harness = new Harness(toy, { module })
    this.watched = watched()
    const names = Array.from({ length: 7 }, (_, i) => `m${i}`)
    this.ids = names.map((name, i) => this.harness.start(name, i === place ? this.watched.group : toy))
    this.member = this.ids[place]!
    this.harness.change(this.ids)
  }

  change(ids: MemberId[]): void {
    this.ids = ids
    this.harness.change(ids)
    expect(this.harness.member(this.member).secret).not.toBeNull()
  }
}

for (const { name } of MODULES) {
  test(`${name}: holds no earlier secret once every share is new, in any seat`, () => {
    for (let place = 0; place < 7; place++) {
      const room = new Room(name, place)
      const before = held(room.watched)
      // A share lives until its owner refreshes: in seven turns all have.
      for (let i = 0; i < 7; i++) room.change(room.ids)
      const after = held(room.watched)
      expect([...before].filter((secret) => after.has(secret))).toEqual([])
      // Its share, and under key trees the keys above it.
      expect(after.size).toBeLessThanOrEqual(name === "tgdh" ? 4 : name === "str" ? 7 : name === "gdh" ? 1 : 0)
      expect(room.watched.buffers.size).toBeGreaterThan(7)
    }
  })

  test(`${name}: keeps nothing of abandoned views, before or after their SYNCs`, () => {
    const room = new Room(name, 3)
    for (let cut = 0; cut < 6; cut++) {
      const abandoned = room.harness.install(room.harness.propose(room.ids))
      for (const id of room.ids.slice(0, cut)) room.harness.deliverNext(id, abandoned.log[0]?.from ?? id)
      room.harness.propose(room.ids)
    }
    const made = new Set(room.watched.buffers.values())
    for (let i = 0; i < 7; i++) room.change(room.ids)
    const after = held(room.watched)
    expect([...made].filter((secret) => after.has(secret))).toEqual([])
  })

  test(`${name}: keeps nothing when closed at rest, in an agreement or in a flush`, () => {
    const moments: readonly ((room: Room) => void)[] = [
      () => {},
      ({ harness, ids }) => void harness.install(harness.propose(ids)),
      ({ harness, ids }) => void harness.propose(ids),
      ({ harness, ids }) => {
        // The flush finishes an epoch after its SYNC named the one before.
        const view = harness.install(harness.propose(ids))
        harness.propose(ids)
        harness.settle(view.members)
      },
    ]
    for (const reach of moments) {
      const room = new Room(name, 2)
      reach(room)
      room.harness.member(room.member).agreement.erase()
      expect(held(room.watched)).toEqual(new Set())
      // And it can only come back as a newcomer.
      expect(room.harness.member(room.member).agreement.publicState().bytes).toHaveLength(0)
      room.harness.faults.length = 0
      room.change(room.ids)
      expect(room.harness.faults).toEqual([])
    }
  })
}
