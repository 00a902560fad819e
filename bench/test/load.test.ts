import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { load } from "../src/load/load.ts"
import { startMeasuredServer } from "../src/load/measured-server.ts"
import { expectSound } from "./sound.ts"

const missing = !existsSync("/proc/self/status")
if (missing) console.log("Skipped: the load on a server. It reads /proc, which only Linux has.")

test.skipIf(missing)("the load experiment fills rooms, loses no signal and measures what it says", async () => {
  const size = { clients: 12, rooms: 3, signalsPerSecond: 50, seconds: 1, settleMs: 100 }
  const figures = await load(1, size)
  expectSound("load", figures)
  const of = (metric: string): number => figures.find((figure) => figure.metric === metric)!.median
  expect(of("signals lost or refused")).toBe(0)
  expect(of("start without a compile cache")).toBeGreaterThan(0)
  expect(of("start with a compile cache")).toBeGreaterThan(0)
  expect(of("resident memory, idle")).toBeGreaterThan(30)
  expect(of("signal sent to signal there, 99 %")).toBeGreaterThan(0)
  expect(figures.every(({ n, runs }) => n === 12 && runs === 1)).toBe(true)
})

test.skipIf(missing)("a measured server compiles into the given cache, not into that of the machine", async () => {
  const cache = mkdtempSync(join(tmpdir(), "keymoot-cache-"))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  await (await startMeasuredServer(cache)).stop()
  expect(readdirSync(cache)).not.toEqual([])
})
