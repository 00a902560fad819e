/**
 * A member's memory does not grow with its history: each buffer of a view is watched until the garbage collector has
 * it.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import type { Scalar } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "../harness.ts"
import { MajorityWorld, toyX25519 } from "../majority/majority-world.ts"
import { MODULES } from "../modules.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const group = createToyGroup()
/** The last completed epoch, the one before it that a pending SYNC may name, and the view itself. */
const VIEWS_HELD_MAX = 3
const VIEWS = 40
const COLLECTIONS_MAX = 500
const BETWEEN_MS_MAX = 50

/**
 * How much is left of each view's buffers, once nothing is left of the `old` first ones. That is immediate, unless a
 * background compiler still refers to them.
 */
async function leftOf(brought: readonly WeakRef<object>[][], old: number): Promise<number[]> {
  let left: number[] = []
  for (let i = 0; i < COLLECTIONS_MAX; i++) {
    // Weak references are cleared between tasks only.
    await new Promise((resolve) => setTimeout(resolve, Math.min(i, BETWEEN_MS_MAX)))
    collectGarbage()
    left = brought.map((refs) => refs.filter((ref) => ref.deref()).length)
    if (i > 1 && left.slice(0, old).every((count) => count === 0)) break
  }
  return left
}

for (const { name } of MODULES) {
  test(`${name}: of ${VIEWS} views a member holds on to nothing but the last`, async () => {
    const harness = new Harness(group, { module: name })
    const ids = ["a", "b", "c", "d", "e"].map((id) => harness.start(id))
    const brought: WeakRef<object>[][] = []
    const change = (i: number): void => {
      // One comes and goes, so that trees are cut and seats move; one proposal in three is abandoned.
      if (i % 3 === 0) harness.propose(ids)
      const { view } = harness.change(i % 2 === 0 ? ids : ids.slice(0, 4))
      brought.push([...view.attachments.values(), ...view.log, view].map((one) => new WeakRef(one)))
      harness.secrets.length = 0
      for (const member of harness.members.values()) member.secret = null
    }
    for (let i = 0; i < VIEWS; i++) change(i)
    // The one who was left out still stands on its own last view.
    const old = VIEWS - VIEWS_HELD_MAX - 1
    const held = await leftOf(brought, old)
    expect(held.slice(0, old)).toEqual(Array(old).fill(0))
    expect(held.at(-1)).toBeGreaterThan(0)
  })
}

test("majority: after 20 sessions keeps only the last, and a bounded list of names", async () => {
  let made: WeakRef<object>[] = []
  const noted = <T extends object>(secret: T): T => {
    made.push(new WeakRef(secret))
    return secret
  }
  const watched = {
    ...group,
    randomScalar: (random: Uint8Array) => noted(group.randomScalar(random)),
    multiplyBase: (s: Scalar) => noted(group.multiplyBase(s)),
  }
  const world = new MajorityWorld({ group: watched, x25519: toyX25519(group) }, 3)
  const brought: WeakRef<object>[][] = []
  for (const id of world.roster) world.arrive(id)
  for (let session = 0; session < 20; session++) {
    for (const id of world.roster) world.startSession(id, session)
    world.settle()
    expect(world.outcomes(session)).toHaveLength(1)
    brought.push([...made, ...world.log.splice(0).map(({ bytes }) => new WeakRef(bytes))])
    made = []
    for (const { secrets } of world.members.values()) secrets.clear()
  }
  const held = await leftOf(brought, 18)
  expect(held.slice(0, 18)).toEqual(Array(18).fill(0))
  expect(held.at(-1)).toBeGreaterThan(0)
})
