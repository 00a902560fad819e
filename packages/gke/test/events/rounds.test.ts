/**
 * Rounds and messages after the view, counted from outside. The papers' tables have two rounds for a join under TGDH,
 * STR and BD, and two for a leave under BD. They have three messages for a join under TGDH and STR. Fresh shares on the
 * flush save the rest.
 */
import { expect, test } from "vitest"
import type { MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "../harness.ts"
import { MODULES, type ModuleUnderTest } from "../modules.ts"

const group = createToyGroup()
/** `npm run test:all` has larger groups. */
const MEMBERS_AT_MOST = process.env["RUNS"] === "full" ? 64 : 32
const names = Array.from({ length: MEMBERS_AT_MOST }, (_, i) => `m${i.toString().padStart(2, "0")}`)

type Count = { readonly rounds: number; readonly messages: number }

function groupOf(module: ModuleUnderTest, members: number): { harness: Harness; ids: MemberId[] } {
  const harness = new Harness(group, { module: module.name, seed: `${members}` })
  const ids = names.slice(0, members).map((name) => harness.start(name))
  harness.change(ids)
  return { harness, ids }
}

function count(harness: Harness, ids: readonly MemberId[]): Count {
  const { view, rounds } = harness.change(ids)
  expect(harness.faults).toEqual([])
  for (const id of ids) expect(harness.member(id).secret).not.toBeNull()
  return { rounds, messages: view.log.length }
}

for (const module of MODULES) {
  const { oneChange } = module
  if (!oneChange) continue
  test(`${module.name}: a join, leave or refresh takes one round, for each size`, () => {
    const { harness, ids } = groupOf(module, 1)
    for (let members = 2; members <= MEMBERS_AT_MOST; members++) {
      ids.push(harness.start(names[members - 1]!))
      expect(count(harness, ids)).toEqual(oneChange(members))
      // A power of two: the sizes between would only repeat it.
      if ((members & (members - 1)) === 0) expect(count(harness, ids)).toEqual(oneChange(members))
    }
    for (let members = MEMBERS_AT_MOST - 1; members >= 2; members--) {
      ids.splice((members * 31) % (members + 1), 1)
      expect(count(harness, ids)).toEqual(oneChange(members))
    }
  })

  test(`${module.name}: two halves that meet again take one round`, () => {
    for (const members of [4, 5, 8, 13, MEMBERS_AT_MOST / 2, MEMBERS_AT_MOST]) {
      const { harness, ids } = groupOf(module, members)
      const half = Math.ceil(members / 2)
      harness.change(ids.slice(0, half))
      harness.change(ids.slice(half))
      expect(count(harness, ids)).toEqual(oneChange(members))
    }
  })
}

test("str: any newcomers, leavers and clusters at once take one round and message", () => {
  const { harness, ids } = groupOf(
    MODULES.find(({ name }) => name === "str")!,
    32,
  )
  for (const part of [ids.slice(0, 9), ids.slice(9, 17), ids.slice(17, 20), ids.slice(20)]) harness.change(part)
  const newcomers = ["x", "y", "z"].map((name) => harness.start(name))
  const leavers = new Set([0, 5, 11, 12, 18, 31].map((place) => ids[place]!))
  const all = [...ids.filter((id) => !leavers.has(id)), ...newcomers]
  expect(count(harness, all)).toEqual({ rounds: 1, messages: 1 })
})

test("a missing public state costs str one message and no round, and bd has none", () => {
  const reloaded = (name: string): Count => {
    const { harness, ids } = groupOf(moduleNamed(name), 6)
    harness.startAs(ids[0]!)
    return count(harness, ids)
  }
  expect(reloaded("str")).toEqual({ rounds: 1, messages: 2 })
  expect(reloaded("bd")).toEqual({ rounds: 1, messages: 6 })
})

function moduleNamed(wanted: string): ModuleUnderTest {
  return MODULES.find(({ name }) => name === wanted)!
}
