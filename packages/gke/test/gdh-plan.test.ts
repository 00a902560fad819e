import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "./harness.ts"
import { ids, nameOf } from "./small-groups.ts"
import { planOf } from "../src/gdh/plan.ts"
import type { Seat } from "../src/seniority/order.ts"

/** "a3 b1": seats and the epochs of their shares. */
const seatsOf = (text: string): Seat[] =>
  text.split(" ").flatMap((word) => ids(word[0]!).map((owner) => ({ owner, sinceEpoch: Number(word.slice(1)) })))
const written = (seats: readonly Seat[]): string => seats.map((seat) => nameOf(seat.owner) + seat.sinceEpoch).join(" ")

/** In epoch 9. */
function planned(seniors: string, newcomers: string, seatsBefore: number): string {
  const plan = planOf({ seniors: seniors === "" ? [] : seatsOf(seniors), newcomers: ids(newcomers) }, seatsBefore, 9)
  const chain = plan.kind === "merge" ? ` ${plan.chain.map(nameOf).join("")}` : ""
  return `${plan.kind}${chain}, list by ${nameOf(plan.controller)}: ${written(plan.seats)}`
}

test("newcomers make a chain from the newest senior on, and the last of them is the controller", () => {
  expect(planned("c4 a7 b5", "de", 3)).toBe("merge bde, list by e: c4 a7 b9 d9 e9")
  expect(planned("c4 a7", "d", 5)).toBe("merge ad, list by d: c4 a9 d9")
  expect(planned("", "abc", 0)).toBe("merge abc, list by c: a9 b9 c9")
  expect(planned("", "a", 0)).toBe("alone, list by a: a9")
})

test("where some have left, the newest of those who stay refreshes, as the paper has it", () => {
  expect(planned("c4 a2 b5", "", 4)).toBe("refresh, list by b: c4 a2 b9")
})

test("of the same members the oldest share refreshes, of equally old ones the lowest member's", () => {
  expect(planned("c4 a7 b5", "", 3)).toBe("refresh, list by c: c9 a7 b5")
  expect(planned("c4 b4 a7", "", 3)).toBe("refresh, list by b: c4 b9 a7")
})

test("members that stay together refresh in turn, so no share lives longer than as many refreshes as there are members", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = [..."abcdef"].map((name) => harness.start(name))
  harness.change(all)
  const controllers = all.map(() => nameOf(harness.change(all).view.log[0]!.from))
  expect(controllers.sort().join("")).toBe("abcdef")
  expect(harness.faults).toEqual([])
})
