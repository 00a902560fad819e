/**
 * Compares a full mesh with an overlay of few links by the number of members. `FULL_MESH_MAX` follows from its table.
 *
 * A conference grows in real browsers, first as a full mesh and then over the overlay from its third member on. Two
 * things are measured at each size. The last join takes from its call until all are secured. A member takes processor
 * time when idle, and while one of them sends ten messages a second.
 */
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { fromCommandLine } from "@keymoot/tools"
import { FULL_MESH_MAX, MEMBERS_MAX } from "@keymoot/transport"
import { median } from "../experiment/machine.ts"
import { wholeNumber } from "../run/options.ts"
import { Tabs } from "./tabs.ts"

const OVERLAY_FROM = 2
/** After the last join. By then all direct paths are there. */
const SETTLE_MS = 10_000
const FOR_MS = 20_000
const BETWEEN_MESSAGES_MS = 100
const LOOK_MS = 20
const WITHIN_MS = 120_000

type Sample = { readonly joinMs: number; readonly idle: number; readonly active: number }

const { runs, browsers, sizes } = fromCommandLine(
  "npm run mesh-sizes -- [--runs N] [--browsers N] [--sizes 4,8,…]",
  () => {
    const { values } = parseArgs({
      options: {
        runs: { type: "string", default: "3" },
        browsers: { type: "string", default: "2" },
        sizes: { type: "string", default: "4,8,12,16,24" },
      },
    })
    return {
      runs: wholeNumber("--runs", values.runs, 1, 100),
      browsers: wholeNumber("--browsers", values.browsers, 1, 16),
      sizes: values.sizes.split(",").map((size) => wholeNumber("--sizes", size, 2, MEMBERS_MAX)),
    }
  },
)
const samples = new Map<string, Sample[]>()
/** Sizes that this machine does not reach. */
const failures: string[] = []
for (let run = 0; run < runs; run++) {
  await grow("full mesh", FULL_MESH_MAX)
  await grow("overlay", OVERLAY_FROM)
}
report()

async function grow(mode: string, meshMax: number): Promise<void> {
  const tabs = await Tabs.open(browsers, meshMax)
  try {
    while (tabs.members < Math.max(...sizes)) {
      const joinMs = await join(tabs)
      if (joinMs === null)
        return void failures.push(`${mode}: ${tabs.members} members do not meet in ${WITHIN_MS / 1000} s`)
      if (!sizes.includes(tabs.members)) continue
      await pause(SETTLE_MS)
      const idle = await processorOf(tabs, () => pause(FOR_MS))
      const active = await processorOf(tabs, () => talk(tabs))
      const name = `${mode}, ${tabs.members}`
      samples.set(name, [...(samples.get(name) ?? []), { joinMs, idle, active }])
      console.log(`${name}: join ${joinMs.toFixed(0)} ms, idle ${idle.toFixed(2)} %, active ${active.toFixed(2)} %`)
    }
  } finally {
    await tabs.close()
  }
}

/** Returns the time from the call until all are secured, in ms. Null: too long, or the join failed. */
async function join(tabs: Tabs): Promise<number | null> {
  const sinceMs = performance.now()
  try {
    await tabs.add()
  } catch (error) {
    if (!String(error).includes("KeymootError")) throw error
    return null
  }
  while ((await tabs.together()) === null) {
    if (performance.now() - sinceMs > WITHIN_MS) return null
    await pause(LOOK_MS)
  }
  return performance.now() - sinceMs
}

/** Ten messages a second of the first member. */
async function talk(tabs: Tabs): Promise<void> {
  const untilMs = performance.now() + FOR_MS
  for (let i = 0; performance.now() < untilMs; i++) {
    await tabs.pages[0]!.evaluate((text) => window.tab.sayFirst(text), `message ${i}`)
    await pause(BETWEEN_MESSAGES_MS)
  }
}

/** Percent of one processor that a member takes meanwhile. */
async function processorOf(tabs: Tabs, act: () => Promise<void>): Promise<number> {
  const [beforeMs, startMs] = [await tabs.processorMs(), performance.now()]
  await act()
  const [afterMs, endMs] = [await tabs.processorMs(), performance.now()]
  return (100 * (afterMs - beforeMs)) / (endMs - startMs) / tabs.members
}

function report(): void {
  console.log("\n| links, members | last join, ms | idle, % of a processor a member | ten messages a second, % |")
  console.log("| --- | --- | --- | --- |")
  for (const [name, all] of samples) {
    const cell = (values: readonly number[], digits: number): string =>
      `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`
    const joins = all.map(({ joinMs }) => joinMs)
    const [idle, active] = [all.map((each) => each.idle), all.map((each) => each.active)]
    console.log(`| ${name} | ${cell(joins, 0)} | ${cell(idle, 2)} | ${cell(active, 2)} |`)
  }
  for (const failure of failures) console.log(failure)
  if (failures.length > 0) process.exitCode = 1
}
