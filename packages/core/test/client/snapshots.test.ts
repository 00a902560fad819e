import { expect, test } from "vitest"
import { LazySnapshots } from "../../src/client/snapshots.ts"

function counted() {
  let made = 0
  const values: number[] = []
  const snapshots = new LazySnapshots(() => (made++, [...values]))
  const add = (value: number): void => {
    values.push(value)
    snapshots.changed()
  }
  return { snapshots, add, made: () => made }
}

test("gives the same snapshot until something changes", () => {
  const { snapshots, add } = counted()
  add(1)
  const before = snapshots.getSnapshot()
  expect(snapshots.getSnapshot()).toBe(before)
  add(2)
  expect(snapshots.getSnapshot()).toEqual([1, 2])
  expect(before).toEqual([1])
})

test("notifies once and makes one snapshot when many changes come in one turn", async () => {
  const { snapshots, add, made } = counted()
  const seen: (readonly number[])[] = []
  snapshots.subscribe(() => seen.push(snapshots.getSnapshot()))
  for (let i = 0; i < 1000; i++) add(i)
  expect(seen).toEqual([])
  await Promise.resolve()
  expect(seen.map(({ length }) => length)).toEqual([1000])
  expect(made()).toBe(1)
})

test("notifies nobody who has unsubscribed, by function or by signal", async () => {
  const { snapshots, add } = counted()
  const heard: string[] = []
  const off = snapshots.subscribe(() => heard.push("first"))
  const subscribed = new AbortController()
  snapshots.subscribe(() => heard.push("second"), { signal: subscribed.signal })
  add(1)
  off()
  subscribed.abort()
  await Promise.resolve()
  expect(heard).toEqual([])
})
