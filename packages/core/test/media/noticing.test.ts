/** The time until a dead path is noticed, by a call and its link together. */
import { expect, test } from "vitest"
import { PathChoice } from "../../../transport/src/network/path/path-choice.ts"
import { PathWatch, SILENCE_MS } from "../../src/media/connection/path-watch.ts"
import { LOOK_MS } from "../../src/media/worker/media-worker-protocol.ts"
import { SoundReports } from "../../src/media/worker/sound-reports.ts"
import { TICK_MS } from "../../src/runtime/ticker.ts"

/** When a connection is replaced whose path dies at 0 together with the link's, on which nothing waits. */
function replacedAtMs(lookPhaseMs: number, tickPhaseMs: number): number {
  const [watch, link, worker] = [new PathWatch(), new PathChoice<string>(), new SoundReports()]
  let silentSinceMs: number | null = Infinity
  for (const [path, kind] of [
    ["relay", "server"],
    ["direct", "webrtc"],
  ] as const)
    link.step({ type: "opened", path, kind, leads: true }, -1000)
  let waitingSinceMs: number | null = null
  let linkLostAtMs = -Infinity
  for (let nowMs = -1000; nowMs < 10_000; nowMs++) {
    const isLook = nowMs % LOOK_MS === lookPhaseMs - (nowMs < 0 ? LOOK_MS : 0)
    const isTick = nowMs % TICK_MS === tickPhaseMs - (nowMs < 0 ? TICK_MS : 0)
    if (nowMs < 0) link.step({ type: "heard", path: "direct" }, nowMs)
    if (isTick) link.step({ type: "tick", waitingSinceMs }, nowMs)
    const isLost = link.active === "relay" && linkLostAtMs < 0
    if (isLost) linkLostAtMs = nowMs
    const heardAtMs = 20 * Math.floor(Math.min(nowMs, 0) / 20)
    const silentMs = isLook ? worker.step(new Map([[1, heardAtMs]]), nowMs)?.get(1) : undefined
    if (silentMs === undefined && !isLost) continue
    if (silentMs !== undefined) silentSinceMs = silentMs === 0 ? null : nowMs - silentMs
    const output = watch.step({ nowMs, silentSinceMs, expected: true, agreeing: false, linkLostAtMs })
    if (output === "follow") return nowMs
    if (output !== "report") continue
    waitingSinceMs = nowMs
    link.step({ type: "unheard" }, nowMs)
  }
  return Infinity
}

test("replaces a connection within 550 ms when the link is silent too", () => {
  const phases = [0, 10, 20, 30, 40]
  const all = phases.flatMap((look) => phases.map((tick) => replacedAtMs(look, tick)))
  expect(Math.max(...all)).toBeLessThanOrEqual(550)
  expect(Math.min(...all)).toBeGreaterThan(SILENCE_MS)
})
