import { expect, test } from "vitest"
import { Cores } from "./cores.ts"

test("a view uses the features that all of its members name", () => {
  const named = [[1, 2, 5], [1, 2, 3], [2]]
  const cores = new Cores(3, (member) => ({ features: named[member]! }))
  const features = () => cores.members.map(({ size, core }) => [size, core.view.features])
  const all = (count: number, common: readonly number[]) => Array.from({ length: count }, () => [count, common])
  cores.runUntil(() => cores.members.every(({ size }) => size === 3), 5_000)
  expect(features()).toEqual(all(3, [2]))
  cores.crash(cores.members[2]!)
  cores.runUntil(() => cores.members.every(({ size }) => size === 2), 10_000)
  expect(features()).toEqual(all(2, [1, 2]))
})
