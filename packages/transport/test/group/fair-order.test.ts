import { expect, test } from "vitest"
import { unstableEntriesMax } from "../../src/ordering/global-order.ts"
import { Cores, times, type Member } from "./cores.ts"

const ROUNDS = 6

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

/** As much as their windows take, and again when some of it is acknowledged. */
function flood(cores: Cores, members: readonly Member[]): void {
  for (const member of members) while (member.core.windowOpen) cores.send(member, member.id)
  cores.run(times.heartbeatMs)
}

test.each([2, 3])("gives each of %i busy senders its share of the order", (count) => {
  const cores = inOneView(count)
  for (let round = 0; round < ROUNDS; round++) flood(cores, cores.members)
  for (const { texts } of cores.members) {
    const counts = cores.members.map(({ id }) => texts.filter((text) => text === id).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(unstableEntriesMax(count))
    expect(Math.min(...counts)).toBeGreaterThan(Math.max(...counts) / 3)
  }
})

test("a single message of the last of three arrives soon beside full-rate senders", () => {
  const cores = inOneView(3)
  const [a, b, saying] = cores.members as [Member, Member, Member]
  flood(cores, [a, b])
  cores.send(saying, "once")
  for (let round = 0; round < ROUNDS && !saying.texts.includes("once"); round++) flood(cores, [a, b])
  for (const { texts } of cores.members) expect(texts).toContain("once")
})
