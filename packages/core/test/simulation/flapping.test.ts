import { defaultTimes } from "@keymoot/transport"
import { type Cast, type Fault } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import { toyCryptography } from "./cryptography.ts"
import { DrivenMember } from "./members/driven-member.ts"
import { assertSecure, judgeSecure, playSecure } from "./run.ts"

const NAMES = ["a", "b", "c", "d", "e", "f"]
const FROM_MS = 3000
const UNTIL_MS = FROM_MS + 60_000
/** By then the longest time for which somebody is left out is over. */
const CALM_MS = UNTIL_MS + 130_000
/** One way: a view change and its agreement take some 0.4 s. */
const DELAY_MS = 40

/** They crash in turns, each after `everyMs`, and come again after half of that. */
function comingsAndGoings(flapping: readonly string[], everyMs: number): Fault[] {
  const faults = flapping.flatMap((member, i) => {
    const firstMs = FROM_MS + (i * everyMs) / 2
    const count = Math.ceil((UNTIL_MS - firstMs) / everyMs)
    return Array.from({ length: count }, (_, k) => firstMs + k * everyMs).flatMap((atMs): Fault[] => [
      { atMs, type: "crash", member },
      { atMs: atMs + everyMs / 2, type: "recover", member },
    ])
  })
  return faults.sort((a, b) => a.atMs - b.atMs)
}

/** For how much of that time a member may send under the key of its view, and for how long at most it may not. */
class OpenTime {
  #lastMs = FROM_MS
  #wasOpen = false
  #shutMs = 0
  openMs = 0
  longestShutMs = 0

  look(nowMs: number, isOpen: boolean): void {
    const sinceMs = Math.min(nowMs, UNTIL_MS) - this.#lastMs
    if (sinceMs > 0) {
      this.#lastMs += sinceMs
      if (this.#wasOpen) this.openMs += sinceMs
      this.#shutMs = this.#wasOpen ? 0 : this.#shutMs + sinceMs
      this.longestShutMs = Math.max(this.longestShutMs, this.#shutMs)
    }
    this.#wasOpen = isOpen
  }
}

class FlappingMember extends DrivenMember {
  readonly #openTime: OpenTime

  constructor(openTime: OpenTime, ...rest: ConstructorParameters<typeof DrivenMember>) {
    super(...rest)
    this.#openTime = openTime
  }

  protected override onTick(): void {
    super.onTick()
    this.#openTime.look(this.now(), this.application.isOpen)
  }

  protected override onEvent(event: DriverEvent): void | Promise<void> {
    const done = super.onEvent(event)
    this.#openTime.look(this.now(), this.application.isOpen)
    return done
  }
}

async function playFlapping(flapping: readonly string[], everyMs: number) {
  const times = new Map(NAMES.map((name) => [name, new OpenTime()]))
  const faults = comingsAndGoings(flapping, everyMs)
  const scenario = { seed: 1, members: NAMES.length, faults, calmMs: CALM_MS }
  const chance = (nowMs: number): number => (nowMs < UNTIL_MS ? 0.3 : 0.01)
  const cryptography = toyCryptography()
  const cast: Cast = {
    times: { ...defaultTimes, aloneAfterMs: 1500 },
    delayMs: DELAY_MS,
    create: ({ untilMs }) => {
      const module = { module: "tgdh", postQuantum: "off" } as const
      const options = { cryptography, ...module, sends: { untilMs, chance } }
      return (world, name, id, config) => new FlappingMember(times.get(name)!, world, name, id, config, options)
    },
  }
  const trace = await playSecure(scenario, cast)
  const staying = NAMES.filter((name) => !flapping.includes(name)).map((name) => times.get(name)!)
  return {
    judged: () => assertSecure(judgeSecure(trace), scenario, cast, `${flapping.join()} every ${everyMs} ms`),
    share: Math.min(...staying.map(({ openMs }) => openMs)) / (UNTIL_MS - FROM_MS),
    longestMs: Math.max(...staying.map(({ longestShutMs }) => longestShutMs)),
  }
}

test.each([
  [["f"], 500],
  [["f"], 1000],
  [["f"], 3000],
  [["e", "f"], 500],
  [["e", "f"], 1000],
  [["e", "f"], 3000],
])("while %j flap every %i ms, the others can send for three quarters of a minute", async (flapping, everyMs) => {
  const { judged, share, longestMs } = await playFlapping(flapping, everyMs)
  expect(share).toBeGreaterThan(0.75)
  expect(longestMs).toBeLessThan(6000)
  await judged()
})
