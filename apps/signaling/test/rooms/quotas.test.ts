import { expect, test } from "vitest"
import { Quotas } from "../../src/bounds/quotas.ts"

test("finds no quota for a new key beyond the bound, and gives a temporary one", () => {
  const quotas = new Quotas({ burst: 2, perSecond: 0 }, 1, 3)
  for (const key of ["a", "b", "c"]) expect(quotas.find(key)!.take(0)).toBe(true)
  expect(quotas.find("d")).toBeNull()
  // `of` would never refuse such a key, so strangers' rates ask with `find`.
  for (let i = 0; i < 3; i++) expect(quotas.of("d").take(0)).toBe(true)
  expect([quotas.of("a").take(0), quotas.of("a").take(0)]).toEqual([true, false])
})

test("gives the place of a key whose quota is full again to a new one", () => {
  const quotas = new Quotas({ burst: 2, perSecond: 0 }, 1, 2)
  quotas.find("rested")
  expect(quotas.find("used")!.take(0)).toBe(true)
  expect(quotas.find("new")).not.toBeNull()
  expect(quotas.of("used").take(0)).toBe(true)
  expect(quotas.of("used").take(0)).toBe(false)
})
