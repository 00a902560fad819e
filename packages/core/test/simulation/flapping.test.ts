import { defaultTimes } from "@keymoot/transport"
import { assertHolds, judge, play, type Cast, type Fault, type UpperLayer } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { toyCryptography } from "./cryptography.ts"
import { SecureTraffic } from "./secure-traffic.ts"

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

function playFlapping(flapping: readonly string[], everyMs: number) {
  const times = new Map(NAMES.map((name) => [name, new OpenTime()]))
  const faults = comingsAndGoings(flapping, everyMs)
  const scenario = { seed: 1, members: NAMES.length, faults, calmMs: CALM_MS }
  const cast: Cast = {
    times: { ...defaultTimes, aloneAfterMs: 1500 },
    delayMs: DELAY_MS,
    upper: (member, untilMs) => {
      const chance = (nowMs: number): number => (nowMs < UNTIL_MS ? 0.3 : 0.01)
      const secure = new SecureTraffic(member, toyCryptography(), "tgdh", untilMs, chance)
      const look = (): void => times.get(member.name)!.look(member.now(), secure.open)
      return {
        handle: (output) => (secure.handle(output), look()),
        tick: () => (secure.tick(), look()),
        get idle() {
          return secure.idle
        },
      } satisfies UpperLayer
    },
  }
  const trace = play(scenario, cast)
  const staying = NAMES.filter((name) => !flapping.includes(name)).map((name) => times.get(name)!)
  return {
    judged: () => assertHolds(judge(trace), scenario, cast, `${flapping.join()} every ${everyMs} ms`),
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
])("while %j flap every %i ms, the others can send for three quarters of a minute", (flapping, everyMs) => {
  const { judged, share, longestMs } = playFlapping(flapping, everyMs)
  expect(share).toBeGreaterThan(0.75)
  expect(longestMs).toBeLessThan(6000)
  judged()
})
