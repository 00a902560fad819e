/** NATs of the lab, and two browsers behind them. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { promisify } from "node:util"
import { LabUnavailable } from "@keymoot/e2e/hosts"
import { missingForNat, NatLab } from "@keymoot/e2e/nat-lab"
import type { NatBehaviour } from "@keymoot/e2e/nat-probe"
import { NATS } from "@keymoot/e2e/nats"
import { findService, howToInstall } from "@keymoot/tools"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { PairLab } from "../../src/nat/pair-lab.ts"
import { headOf, type Measured, pairsOf, rowOf } from "../../src/nat/table.ts"
import { BROWSER_TIMEOUT_MS, noChromium } from "../browsers/browser.ts"

const missing = missingForNat()
if (missing !== null) console.log(`Skipped: NATs in a lab. ${missing}`)
const noBrowser = noChromium("browsers behind NATs")
const noTurn = findService("turnserver") === null
if (noTurn) console.log(`Skipped: TURN between NATs. ${howToInstall("turnserver")}.`)
const PROBE = createRequire(import.meta.url).resolve("@keymoot/e2e/nat-probe")

test("says why there is no lab with NATs without root, and makes nothing", () => {
  const uid = vi.spyOn(process, "getuid").mockReturnValue(1000)
  onTestFinished(() => uid.mockRestore())
  const plan = { servers: [], homes: { ada: "none" } } as const
  expect(() => NatLab.start(plan)).toThrow(LabUnavailable)
  expect(() => NatLab.start(plan)).toThrow(process.platform === "linux" ? "must be root" : "on Linux")
})

test.skipIf(missing !== null)("each NAT of the lab maps and filters as its name says", async () => {
  const homes = Object.fromEntries(NATS.map((nat, number) => [`home${number}`, nat]))
  const lab = NatLab.start({ servers: ["srv"], homes })
  onTestFinished(() => lab.close())
  const command = (host: string, ...args: readonly string[]) => {
    const [program, ...before] = lab.on(host)
    return [program, [...before, process.execPath, PROBE, ...args, lab.address("srv")]] as const
  }
  const answering = spawn(...command("srv", "answer"), { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void answering.kill())
  await once(answering.stdout, "data")
  const behaviours = new Map<string, { mapping: string; takesFromAnybody: boolean }>()
  for (const [host, nat] of Object.entries(homes)) {
    const { stdout } = await promisify(execFile)(...command(host, "ask"))
    const { ports, takesFromAnybody } = JSON.parse(stdout) as NatBehaviour
    const mapping = ports.length < 2 ? "no UDP" : ports[0] === ports[1] ? "one port" : "a port for each peer"
    behaviours.set(nat, { mapping, takesFromAnybody })
  }
  expect(Object.fromEntries(behaviours)).toEqual({
    none: { mapping: "one port", takesFromAnybody: true },
    "port-preserving": { mapping: "one port", takesFromAnybody: true },
    "port-restricted": { mapping: "one port", takesFromAnybody: false },
    "random-port": { mapping: "a port for each peer", takesFromAnybody: false },
    "udp-blocked": { mapping: "no UDP", takesFromAnybody: false },
  })
})

test("the table has each pair once, and names every path that a pair took", () => {
  expect(pairsOf(NATS)).toHaveLength(15)
  const meeting = (route: Measured["route"], securedMs: number) => ({ route, securedMs, routeMs: 0 })
  const plain = [meeting("by the server", 4), meeting("direct", 2), meeting("direct", 3)]
  const row = { nats: ["none", "random-port"] as const, plain, turn: [] }
  expect(rowOf(row)).toBe("| none | random-port | direct (2), by the server (1) | 3 | 0 |")
  expect(rowOf({ ...row, turn: [meeting("via TURN", 7)] })).toMatch(/ \| via TURN \| 7 \| 0 \|$/u)
  expect(headOf(false).split("\n")[0]).toBe("| one | other | path | secured, ms | path after, ms |")
})

describe.skipIf(missing !== null || noBrowser)("two browsers behind NATs", { timeout: BROWSER_TIMEOUT_MS }, () => {
  test("connect directly through port-restricted NATs, unless one hides its address", async () => {
    const lab = await PairLab.start(["port-restricted", "port-restricted"], { withTurn: false })
    onTestFinished(() => lab.close())
    const open = await lab.meet(false)
    expect(open.route).toBe("direct")
    // Local addresses are hidden behind mDNS names, as people have them.
    for (const candidates of open.candidates) {
      expect(candidates.join("\n")).toMatch(/\.local \d+ typ host/u)
      expect(candidates.join("\n")).toMatch(/ 10\.77\.0\.\d+ \d+ typ srflx /u)
      expect(candidates.join("\n")).not.toContain("10.78.")
    }

    const hidden = await lab.meet(false, { oneHides: true, directWithinMs: 5_000 })
    expect(hidden.route).toBe("by the server")
    expect(hidden.candidates[0]).toEqual([])
  })

  test("use the server's relay when one network blocks UDP", async () => {
    const lab = await PairLab.start(["udp-blocked", "none"], { withTurn: false })
    onTestFinished(() => lab.close())
    expect(await lab.meet(false, { directWithinMs: 1 })).toMatchObject({ route: "by the server" })
  })

  test("use the server's relay behind two random-port NATs when there is no TURN", async () => {
    const lab = await PairLab.start(["random-port", "random-port"], { withTurn: false })
    onTestFinished(() => lab.close())
    expect(await lab.meet(false)).toMatchObject({ route: "by the server" })
  })

  test.skipIf(noTurn)("use TURN behind two random-port NATs when there is one", async () => {
    const lab = await PairLab.start(["random-port", "random-port"], { withTurn: true })
    onTestFinished(() => lab.close())
    expect(await lab.meet(true)).toMatchObject({ route: "via TURN" })
  })
})
