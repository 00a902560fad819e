import type { Logger } from "pino"
import type { Metrics } from "../metrics.ts"
import type { Store } from "./store.ts"

/** Deletes what has expired, now and from time to time. The timer keeps no process alive. */
export async function startPurging(
  store: Store,
  intervalMs: number,
  log: Logger,
  metrics: Metrics,
): Promise<NodeJS.Timeout> {
  const purge = async () => {
    try {
      const count = await store.purgeExpired(Date.now())
      if (count > 0) log.info({ count }, "what had expired was purged")
    } catch (error) {
      metrics.storeFailed()
      log.error({ err: error }, "the purge failed")
    }
  }
  await purge()
  return setInterval(() => void purge(), intervalMs).unref()
}
