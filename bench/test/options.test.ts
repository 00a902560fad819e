import { expect, test } from "vitest"
import type { Experiment, Options } from "../src/experiment/experiment.ts"
import { parseRequest, UsageError } from "../src/run/options.ts"

const cost: Experiment = {
  name: "cost",
  about: "What it costs.",
  takes: { modules: ["tgdh", "bd"], sizes: { what: "members", least: 2, most: 300 }, network: true, postQuantum: true },
  run: () => [],
}
const room: Experiment = { name: "room", about: "A room.", takes: {}, run: () => [] }
const sharing: Experiment = { ...room, name: "sharing", takes: { network: "shared", part: "simulated" } }
const parse = (...args: string[]) => parseRequest(args, [cost, room, sharing])

test("parses the requested options", () => {
  expect(parse("cost", "--module", "tgdh,bd", "--sizes", "2,8", "--network", "70", "--runs", "3", "--json")).toEqual({
    command: "run",
    experiment: cost,
    json: true,
    options: { modules: ["tgdh", "bd"], sizes: [2, 8], network: "70", runs: 3 },
  })
  expect(parse("all", "--quick", "--out", "kept")).toEqual({
    command: "all",
    json: false,
    out: "kept",
    options: { quick: true },
  })
  expect(parse("compare", "a.json", "b.json")).toEqual({ command: "compare", files: ["a.json", "b.json"] })
  const { options } = parse("cost", "--post-quantum", "off,hybrid") as { options: Options }
  expect(options).toEqual({ postQuantum: ["off", "hybrid"] })
  expect(parse("sharing", "--network", "lan/13")).toMatchObject({ options: { network: "lan/13" } })
  expect(parse("sharing", "--part", "simulated")).toMatchObject({ options: { part: "simulated" } })
  expect(parse()).toEqual({ command: "list" })
})

test("refuses unknown options, and lists the known ones", () => {
  const refusal = (...args: string[]): string => {
    try {
      parse(...args)
    } catch (error) {
      if (error instanceof UsageError) return error.message
    }
    throw new Error("it was accepted")
  }
  expect(refusal("speed")).toContain('no experiment "speed". There are: cost, room, sharing, all.')
  expect(refusal("cost", "--module", "tgdh,rsa")).toContain('no module "rsa". It has: tgdh, bd.')
  expect(refusal("cost", "--sizes", "8,")).toContain('--sizes (members) takes whole numbers from 2 to 300, not ""')
  expect(refusal("cost", "--part", "simulated")).toContain('cost has no part "simulated"')
  expect(refusal("cost", "--sizes", "1")).toContain("whole numbers from 2")
  expect(refusal("cost", "--sizes", "1e2")).toContain("whole numbers from 2")
  expect(refusal("cost", "--sizes", "301")).toContain("to 300")
  expect(refusal("cost", "--runs", "0")).toContain("whole numbers from 1")
  for (const network of ["moon", "", "-1", "0", "1e9"]) {
    expect(refusal("cost", `--network=${network}`)).toContain(`lan, wan or a round trip`)
  }
  expect(refusal("cost", "--network", "lan/13")).toContain("no processors are shared")
  expect(refusal("sharing", "--network", "lan/0")).toContain("whole numbers from 1")
  expect(refusal("sharing", "--network", "moon/13")).toContain("lan, wan or a round trip")
  expect(refusal("room", "--sizes", "2")).toContain("room has no --sizes")
  expect(refusal("room", "--module", "tgdh")).toContain("room has no --module")
  expect(refusal("room", "--network", "lan")).toContain("room has no --network")
  expect(refusal("cost", "--post-quantum", "on")).toContain('--post-quantum takes off, hybrid, not "on"')
  expect(refusal("room", "--post-quantum", "off")).toContain("room has no --post-quantum")
  expect(refusal("all", "--post-quantum", "off")).toContain("all has no --post-quantum")
  expect(refusal("all", "--sizes", "2")).toContain("all has no --sizes")
  expect(refusal("cost", "room")).toContain("One experiment at a time")
  expect(refusal("cost", "--fast")).toContain("--module")
  expect(refusal("compare", "a.json")).toContain("two files")
  expect(refusal("compare", "a.json", "b.json", "--quick")).toContain("no --quick")
})
