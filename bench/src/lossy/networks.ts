/** A call of two over bad networks: a lab with delay and loss, and a line that becomes narrow. */
import { setTimeout as pause } from "node:timers/promises"
import { openChromium, type Hosts } from "@keymoot/e2e/hosts"
import { Lab } from "@keymoot/e2e/lab"
import { Line } from "@keymoot/e2e/line"
import type { PagePackage } from "@keymoot/e2e/package-page"
import { ServerProcess } from "@keymoot/e2e/server"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { Caller, DEVICES, type Received } from "../call/caller.ts"
import { FRAMES } from "../call/metrics.ts"

export const CONCEALED = "sound concealed"
export const VIDEO_RATE = "video received"
export const LOST = "packets lost"
export const REGAINED = "video after the narrow line, to that before"

/** There and back 150 ms, and 5 % of the packets are lost each way. */
const LOSSY = { oneWayMs: 75, loss: 0.05 }
export const LOSSY_NETWORK = "150 ms, 5 % lost"
export const LOSSY_WITHOUT_RED = `${LOSSY_NETWORK}, without RED`
const WIDE_MBIT = 5
const NARROW_MBIT = 0.5
export const WIDE = `${WIDE_MBIT} Mbit/s`
export const NARROW = `then ${NARROW_MBIT} Mbit/s, from 5 s after`
export const WIDE_SOON = `then ${WIDE_MBIT} Mbit/s, from 5 s after`
export const WIDE_AGAIN = `then ${WIDE_MBIT} Mbit/s, from 15 s after`
const ADAPT_MS = 5000
const RECOVER_MS = 15_000
const SETTLE_MS = 8000

/** The parts that this machine can make. */
export type NetworkSize = {
  readonly runs: number
  readonly forMs: number
  readonly hasLab: boolean
  readonly hasLine: boolean
}

type Samples = { readonly concealed: number; readonly frames: number; readonly bytes: number; readonly lost: number }

/** Runs `act` with two people in a call, one of them on each host. */
async function withCall(
  hosts: Hosts,
  [server, one, other]: readonly [string, string, string],
  built: PagePackage,
  redundant: boolean,
  act: (receiver: Caller, sender: Caller) => Promise<void>,
): Promise<void> {
  const started = await ServerProcess.start({ HOST: hosts.address(server), ADDRESS_SCALE: "100" }, hosts.on(server))
  const { origin } = started
  const browsers = await Promise.all([one, other].map((host) => openChromium(hosts, host, origin, false, DEVICES)))
  try {
    const [ada, bob] = [
      await Caller.open(browsers[0]!, origin, built, { redundant }),
      await Caller.open(browsers[1]!, origin, built, { redundant }),
    ]
    const url = await ada.meet("Ada", origin, null)
    await bob.meet("Bob", origin, url)
    for (const caller of [ada, bob]) {
      await caller.capture()
      await caller.enter()
    }
    for (const caller of [ada, bob]) await caller.connected(1)
    for (const source of ["microphone", "camera"] as const) await ada.publish(source)
    await pause(SETTLE_MS)
    await act(bob, ada)
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await started.dispose()
  }
}

/** Values of the next while, in percent and a second. */
async function during(caller: Caller, forMs: number): Promise<Samples> {
  const before: Received = await caller.received()
  const sinceMs = performance.now()
  await pause(forMs)
  const after = await caller.received()
  const lost = Math.max(0, after.lost - before.lost)
  const seconds = (performance.now() - sinceMs) / 1000
  return {
    concealed: (100 * (after.concealed - before.concealed)) / Math.max(1, after.samples - before.samples),
    frames: (after.frames - before.frames) / seconds,
    bytes: (after.videoBytes - before.videoBytes) / seconds,
    lost: (100 * lost) / Math.max(1, after.packets - before.packets + lost),
  }
}

export async function* overNetworks(
  { runs, forMs, hasLab, hasLine }: NetworkSize,
  built: PagePackage,
  onRun: (run: number) => void,
): AsyncGenerator<Figure> {
  const found = new Map<string, Samples[]>()
  const note = async (network: string, caller: Caller, ms: number): Promise<void> => {
    found.set(network, [...(found.get(network) ?? []), await during(caller, ms)])
  }
  for (let run = 0; run < runs; run++) {
    onRun(run)
    if (hasLab) {
      const near = { oneWayMs: 5 }
      const path = (from: string, to: string) => (from === "srv" || to === "srv" ? near : LOSSY)
      const lab = await Lab.start({ hosts: ["srv", "ada", "bob"], path, seed: run + 1 })
      try {
        for (const [network, redundant] of [
          [LOSSY_NETWORK, true],
          [LOSSY_WITHOUT_RED, false],
        ] as const)
          await withCall(lab, ["srv", "ada", "bob"], built, redundant, (bob) => note(network, bob, forMs))
      } finally {
        await lab.close()
      }
    }
    if (!hasLine) continue
    const line = Line.start(["ada", "bob"])
    try {
      await withCall(line, ["ada", "ada", "bob"], built, true, async (bob, ada) => {
        line.narrow(WIDE_MBIT)
        await ada.publishNoise()
        await pause(RECOVER_MS)
        await note(WIDE, bob, forMs)
        line.narrow(NARROW_MBIT)
        await pause(ADAPT_MS)
        await note(NARROW, bob, forMs)
        line.narrow(WIDE_MBIT)
        await pause(ADAPT_MS)
        await note(WIDE_SOON, bob, Math.min(forMs, ADAPT_MS))
        await pause(RECOVER_MS - 2 * ADAPT_MS)
        await note(WIDE_AGAIN, bob, forMs)
      })
    } finally {
      line.close()
    }
  }
  for (const [network, samples] of found) {
    const what = { experiment: "lossy", n: 2, network }
    const value = (metric: string, unit: string, of: (samples: Samples) => number): Figure =>
      figureOf({ ...what, metric, unit }, samples.map(of))
    yield value(CONCEALED, "%", ({ concealed }) => concealed)
    yield value(FRAMES, "per second", ({ frames }) => frames)
    yield value(LOST, "%", ({ lost }) => lost)
    yield value(VIDEO_RATE, "MB/s", ({ bytes }) => bytes / 1_000_000)
  }
  const [before, after] = [found.get(WIDE) ?? [], found.get(WIDE_SOON) ?? []]
  const regained = after.map(({ bytes }, run) => bytes / before[run]!.bytes)
  if (regained.length > 0)
    yield figureOf({ experiment: "lossy", n: 2, network: WIDE_SOON, metric: REGAINED, unit: "ratio" }, regained)
}
