import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { DifferingViews } from "../../src/admission/differing-views.ts"

const [SELF, OTHER] = ["1", "2"] as [MemberId, MemberId]
const view = { members: [SELF, OTHER].map((id) => ({ id, incarnation: 1 })) } as unknown as View

/** Times at which the other member is named, if so many views in a row differ before each secured one. */
function namedAt(inARow: number, everyMs: number, untilMs: number): number[] {
  const views = new DifferingViews(SELF)
  const named: number[] = []
  for (let nowMs = 0; nowMs < untilMs; nowMs += everyMs) {
    for (let i = 0; i < inARow; i++) {
      views.onView()
      if (views.onDiffering(view, [OTHER], nowMs + 500 * i).length > 0) named.push(nowMs)
    }
    views.onView()
    views.onSecured()
  }
  return named
}

test("names no member to which each statement of a busy host comes a view late", () => {
  expect(namedAt(1, 1000, 600_000)).toEqual([])
  expect(namedAt(2, 2000, 600_000)).toEqual([])
})

test("names a member that tells the truth once before it has lied too often", () => {
  for (const lies of [3, 4, 5]) expect(namedAt(lies, 17_000, 180_000)).not.toEqual([])
})

test("names no member that is slow for some views once a minute", () => {
  expect(namedAt(3, 60_000, 3_600_000)).toEqual([])
})

test("starts no other view when the next one has equal statements", () => {
  const views = new DifferingViews(SELF)
  views.onDiffering(view, [OTHER], 0)
  expect([0, 499, 500].map((nowMs) => views.tick(nowMs))).toEqual([null, null, [OTHER]])
  views.onView()
  expect([1000, 2000].map((nowMs) => views.tick(nowMs))).toEqual([null, null])
})

test("names nobody while a host speaks before each view", () => {
  const views = new DifferingViews(SELF)
  const named = Array.from({ length: 50 }, (_, i) => {
    views.onStatements()
    views.onView()
    return views.onDiffering(view, [OTHER], 200 * i)
  })
  expect(named.flat()).toEqual([])
})

test("names a liar at the sixth false view although a host has spoken once", () => {
  const views = new DifferingViews(SELF)
  views.onStatements()
  const named = Array.from({ length: 7 }, (_, i) => {
    views.onView()
    return views.onDiffering(view, [OTHER], 500 * i).length
  })
  expect(named).toEqual([0, 0, 0, 0, 0, 0, 1])
})
