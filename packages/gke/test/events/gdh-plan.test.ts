import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "../harness.ts"
import { ids, nameOf, takeFaults } from "../small-groups.ts"
import { createGdhCodec } from "../../src/gdh/gdh-codec.ts"
import { multicastsOf, planOf } from "../../src/gdh/plan.ts"
import type { Seat } from "../../src/seniority/order.ts"

/** "a3 b1": seats and the epochs of their shares. */
const seatsOf = (text: string): Seat[] =>
  text.split(" ").flatMap((word) => ids(word[0]!).map((owner) => ({ owner, sinceEpoch: Number(word.slice(1)) })))
const written = (seats: readonly Seat[]): string => seats.map((seat) => nameOf(seat.owner) + seat.sinceEpoch).join(" ")

/** In epoch 9. */
function planned(seniors: string, newcomers: string, seatsBefore: number): string {
  const plan = planOf({ seniors: seniors === "" ? [] : seatsOf(seniors), newcomers: ids(newcomers) }, seatsBefore, 9)
  const chain = plan.kind === "merge" ? ` ${plan.chain.map(nameOf).join("")}` : ""
  const lists = [...new Set(multicastsOf(plan).map(({ sender }) => nameOf(sender)))].join("")
  return `${plan.kind}${chain}, list by ${lists}: ${written(plan.seats)}`
}

test("newcomers chain from the newest senior on, and the last is the controller", () => {
  expect(planned("c4 a7 b5", "de", 3)).toBe("merge bde, list by e: c4 a7 b9 d9 e9")
  expect(planned("c4 a7", "d", 5)).toBe("merge ad, list by d: c4 a9 d9")
  expect(planned("", "abc", 0)).toBe("merge abc, list by c: a9 b9 c9")
  expect(planned("", "a", 0)).toBe("alone, list by : a9")
})

test("after a leave the newest staying member refreshes, as in the paper", () => {
  expect(planned("c4 a2 b5", "", 4)).toBe("refresh, list by b: c4 a2 b9")
})

test("with the same members the oldest share refreshes, on a tie the lowest member's", () => {
  expect(planned("c4 a7 b5", "", 3)).toBe("refresh, list by c: c9 a7 b5")
  expect(planned("c4 b4 a7", "", 3)).toBe("refresh, list by b: c4 b9 a7")
})

test("larger groups refresh as many shares in a view as the window demands", () => {
  const seats = Array.from({ length: 121 }, (_, i) => ({
    owner: memberNamed(`m${i.toString().padStart(3, "0")}`),
    sinceEpoch: 1 + ((i * 50) % 121),
  }))
  const plan = planOf({ seniors: seats, newcomers: [] }, seats.length, 200)
  expect(
    multicastsOf(plan).map(({ round, sender }) => `${round} ${seats.findIndex((s) => s.owner === sender)}`),
  ).toEqual(["1 0", "2 46", "3 92"])
  expect(plan.seats.filter(({ sinceEpoch }) => sinceEpoch === 200)).toHaveLength(3)
})

test("sixty refreshes renew every share in any group, with one list and round each", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = Array.from({ length: 64 }, (_, i) => harness.start(`m${i.toString().padStart(2, "0")}`))
  harness.change(all)
  const refreshed = new Set<string>()
  for (let i = 0; i < 32; i++) {
    const { view, rounds } = harness.change(all)
    expect([rounds, view.log.length, view.unicasts.length]).toEqual([2, 2, 0])
    for (const { from } of view.log) refreshed.add(from)
  }
  expect(refreshed.size).toBe(64)
  expect(harness.faults).toEqual([])
  expect(new Set(harness.secrets.map(({ secret }) => secret)).size).toBe(33)
})

test("a list waits for the one that it builds on, and an unprescribed one is a fault", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = Array.from({ length: 61 }, (_, i) => harness.start(`m${i.toString().padStart(2, "0")}`))
  harness.change(all)
  const view = harness.install(harness.propose(all))
  const [first, second] = [all[0]!, all[1]!]
  harness.deliverNext(second, first)
  expect(view.log.map(({ from }) => from)).toEqual([first, second])
  const receiver = all[7]!
  harness.deliverNext(receiver, second)
  expect(harness.faults).toEqual([])
  expect(harness.member(receiver).secret).toBeNull()
  expect(harness.member(receiver).agreement.awaiting()).toEqual([first])
  harness.inject(receiver, second, view.log[1]!.bytes)
  harness.inject(receiver, all[9]!, view.log[1]!.bytes)
  expect(takeFaults(harness)).toEqual(
    [second, all[9]!].map((id) => `${nameOf(receiver)} of ${nameOf(id)}: unexpected-message`),
  )
  harness.settle()
  expect(harness.faults).toEqual([])
  expect(new Set(all.map((id) => harness.member(id).secret!.secret)).size).toBe(1)
})

test("leaves everybody with one key after a view at any list of a refresh", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = Array.from({ length: 61 }, (_, i) => harness.start(`m${i.toString().padStart(2, "0")}`))
  harness.change(all)
  for (const delivered of [0, 1, 2, 30, 61, 62, 80, 121]) {
    const view = harness.install(harness.propose(all))
    for (let i = 0; i < delivered; i++) {
      const receiver = all.find((id) => harness.sendersWaiting(id).length > 0)!
      harness.deliverNext(receiver, harness.sendersWaiting(receiver).at(-1)!)
    }
    harness.change(all)
    expect(harness.faults).toEqual([])
    expect(new Set(all.map((id) => harness.member(id).secret!.secret)).size, `${delivered}`).toBe(1)
    expect(view.log.length).toBeLessThanOrEqual(2)
  }
  const views = new Set(harness.secrets.map(({ view }) => view))
  expect(new Set(harness.secrets.map(({ secret }) => secret)).size).toBe(views.size)
})

test("a controller that lies in its list is named by exactly the members it lies to", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = Array.from({ length: 61 }, (_, i) => harness.start(`m${i.toString().padStart(2, "0")}`))
  harness.change(all)
  const view = harness.install(harness.propose(all))
  const codec = createGdhCodec(createToyGroup())
  harness.deliverNext(all[1]!, all[0]!)
  const list = codec.decode(view.log[1]!.bytes)
  if (list?.kind !== "list") throw new Error("the second controller lists")
  const { partials } = list.list
  // Its list leaves out m01: the fifth entry is m05's.
  view.log[1] = {
    ...view.log[1]!,
    bytes: codec.encode({ kind: "list", list: { ...list.list, partials: partials.with(4, partials[5]!) } }),
  }
  harness.settle(all.filter((id) => id !== all[1]))
  expect(harness.faults).toEqual([{ at: all[5], member: all[1], reason: "wrong-key" }])
  expect(harness.member(all[5]!).secret).toBeNull()
  harness.faults.length = 0
  harness.change(all.filter((id) => id !== all[1]))
  expect(harness.faults).toEqual([])
})

test("no share outlives as many refreshes as members when they stay together", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = [..."abcdef"].map((name) => harness.start(name))
  harness.change(all)
  const controllers = all.map(() => nameOf(harness.change(all).view.log[0]!.from))
  expect(controllers.sort().join("")).toBe("abcdef")
  expect(harness.faults).toEqual([])
})
