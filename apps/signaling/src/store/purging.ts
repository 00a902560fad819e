import type { Logger } from "pino"
import type { Limits } from "../bounds/limits.ts"
import type { Metrics } from "../web/metrics.ts"
import type { Store } from "./store.ts"

/** Deletes expired rows at once and then at intervals. The timer does not keep the process alive. */
export async function startPurging(
  store: Store,
  { purgeIntervalMs, purgeGraceMs }: Pick<Limits, "purgeIntervalMs" | "purgeGraceMs">,
  log: Logger,
  metrics: Metrics,
): Promise<NodeJS.Timeout> {
  const purge = async () => {
    try {
      const count = await store.purgeExpired(Date.now(), purgeGraceMs)
      if (count > 0) log.info({ count }, "expired rows were deleted")
    } catch (error) {
      metrics.storeFailed()
      log.error({ err: error }, "the purge failed")
    }
  }
  await purge()
  return setInterval(() => void purge(), purgeIntervalMs).unref()
}
