import { expect, test } from "vitest"
import { parseRequest, UsageError } from "../src/options.ts"

const takes = { cost: ["runs", "modules", "sizes"], room: ["runs"] } as const

test("what is asked for is understood", () => {
  expect(parseRequest(["cost", "--module", "tgdh,bd", "--sizes", "2,8", "--runs", "3", "--json"], takes)).toEqual({
    experiment: "cost",
    json: true,
    options: { modules: ["tgdh", "bd"], sizes: [2, 8], runs: 3 },
  })
  expect(parseRequest([], takes)).toEqual({ experiment: "list", json: false, options: {} })
})

test("what there is not is refused, with what there is", () => {
  const refusal = (...args: string[]): string => {
    try {
      parseRequest(args, takes)
    } catch (error) {
      if (error instanceof UsageError) return error.message
    }
    throw new Error("it was accepted")
  }
  expect(refusal("speed")).toContain("There are: cost, room.")
  expect(refusal("cost", "--module", "tgdh,rsa")).toContain("There are: tgdh, str, bd, gdh, ckd, majority.")
  expect(refusal("cost", "--sizes", "8,")).toContain("whole numbers from 2")
  expect(refusal("cost", "--sizes", "1")).toContain("whole numbers from 2")
  expect(refusal("cost", "--runs", "0")).toContain("whole numbers from 1")
  expect(refusal("room", "--sizes", "2")).toContain("no choice of sizes")
  expect(refusal("cost", "room")).toContain("One experiment at a time")
  expect(refusal("cost", "--fast")).toContain("--module")
})
