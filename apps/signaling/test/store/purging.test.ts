import { expect, onTestFinished, test, vi } from "vitest"
import { LIMITS } from "../../src/bounds/limits.ts"
import { openLog } from "../../src/log.ts"
import { startPurging } from "../../src/store/purging.ts"
import { noMetrics } from "../../src/web/metrics.ts"
import { bytesOf, freshHex } from "../clients.ts"
import { sqlite } from "../stores.ts"

const HOUR_MS = 3_600_000

/** Purges once while the clock shows this time, as a server does when it starts. */
async function purgeAt(nowMs: number, store: Parameters<typeof startPurging>[0]): Promise<void> {
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs)
  clearInterval(await startPurging(store, LIMITS, openLog("silent"), noMetrics))
  clock.mockRestore()
}

test("keeps expired conferences for a day when the clock jumps forward", async () => {
  const store = await sqlite.fresh().open()
  onTestFinished(() => store.close())
  const [id, nowMs] = [freshHex(), Date.now()]
  const expiresAtMs = nowMs + HOUR_MS / 2
  await store.createConference({ id, descriptor: bytesOf("descriptor"), expiresAtMs })

  for (const jumpMs of [HOUR_MS, 24 * HOUR_MS]) {
    await purgeAt(nowMs + jumpMs, store)
    expect(await store.findConference(id, nowMs + jumpMs)).toBeUndefined()
    expect(await store.findConference(id, nowMs)).toEqual({ descriptor: bytesOf("descriptor") })
  }
  await purgeAt(expiresAtMs + 24 * HOUR_MS, store)
  expect(await store.findConference(id, nowMs)).toBeUndefined()
})
