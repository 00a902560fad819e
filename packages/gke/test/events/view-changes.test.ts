import * as fc from "fast-check"
import { expect, test } from "vitest"
import { loadSodiumGroup, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "../harness.ts"
import { MODULES } from "../modules.ts"
import { expectAgreement, runSchedule, shortSchedule } from "./schedules.ts"

/** Over a group whose arithmetic is dear. `npm run test:all` plays more. */
const SCHEDULES = process.env["RUNS"] === "full" ? 50 : 6

/** A view change, given as who is there before and after. */
const CHANGES: readonly {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly reloads?: string
}[] = [
  { name: "a join", before: "abcde", after: "abcdef" },
  { name: "a leave", before: "abcdef", after: "abcef" },
  { name: "several leaves", before: "abcdefgh", after: "bceh" },
  { name: "several joins", before: "abc", after: "abcdefgh" },
  { name: "joins and leaves together", before: "abcdef", after: "acefgh" },
  { name: "the same members", before: "abcdef", after: "abcdef" },
  { name: "a reload", before: "abcdef", after: "abcdef", reloads: "c" },
  { name: "a reload of the lowest", before: "abcdef", after: "abcdefg", reloads: "a" },
]

for (const module of MODULES) {
  for (const { name, before, after, reloads = "" } of CHANGES) {
    test(`${module.name}: ${name}, interrupted by a view at any point around its SYNCs`, () => {
      let deliveries = 0
      for (let interruptAfter = 0; interruptAfter <= deliveries; interruptAfter++) {
        for (const syncAfter of new Set([0, Math.floor(interruptAfter / 2), interruptAfter])) {
          const harness = new Harness(createToyGroup(), {
            seed: `${name} ${interruptAfter} ${syncAfter}`,
            module: module.name,
          })
          for (const member of new Set(before + after)) harness.start(member)
          harness.change([...before].map(memberNamed))
          for (const member of reloads) harness.start(member)
          const members = [...after].map(memberNamed)
          harness.install(harness.propose(members))
          deliverSome(harness, members, syncAfter)
          const next = harness.propose(members)
          deliveries = Math.max(deliveries, deliverSome(harness, members, interruptAfter - syncAfter) + syncAfter)
          harness.install(next)
          harness.settle(members)
          for (const member of members) expect(harness.member(member).secret?.view.proposal).toEqual(next.id)
          harness.change(members)
          expectAgreement(harness)
        }
      }
      expect(deliveries).toBeGreaterThan(0)
    })
  }

  test(`${module.name}: agrees on a new key each time members join and leave singly`, () => {
    const harness = new Harness(createToyGroup(), { module: module.name })
    const present = [harness.start("a")]
    harness.change(present)
    const expectKeyed = (): void => {
      harness.change(present)
      for (const id of present) expect(harness.member(id).secret).not.toBeNull()
      expectAgreement(harness)
    }
    for (const name of "bcdefghijklmnop") {
      present.push(harness.start(name))
      expectKeyed()
    }
    while (present.length > 1) {
      present.splice(7 % present.length, 1)
      expectKeyed()
    }
  })

  test(`${module.name}: over ristretto255, each view has one secret, unlike all others`, async () => {
    const group = await loadSodiumGroup()
    fc.assert(
      fc.property(shortSchedule, (schedule) => runSchedule(group, module.name, schedule)),
      { numRuns: SCHEDULES },
    )
  })
}

/** Delivers up to `count` messages, to one member after the other; gives how many there were, one more if there were more. */
function deliverSome(harness: Harness, members: readonly MemberId[], count: number): number {
  for (let done = 0; ; done++) {
    const receiver = members.find((member) => harness.sendersWaiting(member).length > 0)
    if (!receiver) return done
    if (done === count) return done + 1
    harness.deliverNext(receiver, harness.sendersWaiting(receiver)[0]!)
  }
}
