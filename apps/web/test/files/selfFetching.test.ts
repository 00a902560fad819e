import type { MemberId } from "@keymoot/core"
import { expect, it } from "vitest"
import { selfFetching } from "../../src/files/selfFetching.ts"

const MB = 1024 * 1024
const member = (index: number) => `${index}`.padStart(32, "0") as MemberId

it("fetches no more bytes of one member than its share", () => {
  const { take } = selfFetching()
  const taken = Array.from({ length: 30 }, () => take({ owner: member(0), sizeBytes: 5 * MB }))
  expect(taken.filter(Boolean)).toHaveLength(10)
  expect(take({ owner: member(1), sizeBytes: 5 * MB }), "of another member").toBe(true)
})

it("fetches no more files of one member than its share when they are tiny", () => {
  const { take } = selfFetching()
  const taken = Array.from({ length: 2000 }, () => take({ owner: member(0), sizeBytes: 1 }))
  expect(taken.filter(Boolean)).toHaveLength(100)
})

it("fetches no more than the bound of all when many members share", () => {
  const { take } = selfFetching()
  let bytes = 0
  for (let index = 0; index < 100; index++)
    for (let file = 0; file < 10; file++) if (take({ owner: member(index), sizeBytes: 5 * MB })) bytes += 5 * MB
  expect(bytes).toBe(200 * MB)
})
