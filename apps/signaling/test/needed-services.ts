import {
  findService,
  howToInstall,
  type Postgres,
  type Redis,
  type Service,
  startPostgres,
  startRedis,
} from "@keymoot/tools"
import { afterAll, beforeAll } from "vitest"

const needed: readonly Service[] = ["redis-server", "postgres"]

/**
 * Starts Redis and PostgreSQL, which several processes share, for all tests of a file. `services` is filled before the
 * first test. `isMissing`: this machine lacks one of them. The reason is printed, with `what` is skipped.
 */
export function needServices(what: string) {
  const lacking = needed.find((service) => findService(service) === null)
  const services = {} as { redis: Redis; postgres: Postgres }
  if (lacking === undefined) {
    beforeAll(async () => {
      services.redis = await startRedis()
      services.postgres = await startPostgres()
    })
    afterAll(async () => {
      await services.redis?.kill()
      await services.postgres?.stop()
    })
  } else console.log(`Skipped: ${what}. ${howToInstall(lacking)}.`)
  return { isMissing: lacking !== undefined, services }
}
