import { Redis, type RedisOptions } from "ioredis"
import type { Logger } from "pino"
import { StartError } from "../start-error.ts"

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_DELAY_MS = 250
/** A command fails after so many attempts to reach Redis again, rather than pile up in this process. */
const RETRIES_MAX = 2

const options = (url: string): RedisOptions => ({
  connectTimeout: CONNECT_TIMEOUT_MS,
  maxRetriesPerRequest: RETRIES_MAX,
  retryStrategy: () => RETRY_DELAY_MS,
  // One that hangs in the kernel must not look like one that is slow.
  keepAlive: 10_000,
  ...(url.startsWith("rediss:") ? { tls: {} } : {}),
})

/** @throws StartError when there is no Redis */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, { ...options(url), lazyConnect: true, retryStrategy: () => null })
  let reason: Error | undefined
  redis.on("error", (error: Error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw new StartError(`Redis at REDIS_URL cannot be reached: ${(reason ?? (error as Error)).message}.`, {
      cause: error,
    })
  }
  redis.options.retryStrategy = () => RETRY_DELAY_MS
  logOutages(redis, log)
  return redis
}

function logOutages(redis: Redis, log: Logger): void {
  let away = false
  redis.on("error", () => {})
  redis.on("reconnecting", () => {
    if (!away) log.error("Redis is away")
    away = true
  })
  redis.on("ready", () => {
    if (away) log.info("Redis is back")
    away = false
  })
}

/**
 * What Socket.IO's adapter gets. It leaves the promises of some commands to nobody, and their rejection would end the
 * process; it begins to read its stream at whatever comes next, and so misses what comes before it asks again; and it
 * asks again at once when reading fails.
 */
export class AdapterRedis extends Redis {
  readonly #url: string
  readonly #last: string
  readonly #readers: Redis[] = []

  /** `newest`: of the stream, read before the server begins to listen. */
  constructor(url: string, log: Logger, newest: readonly (readonly [id: string, fields: readonly string[]])[]) {
    super(url, options(url))
    this.#url = url
    this.#last = newest[0]?.[0] ?? "0-0"
    this.on("error", () => {})
    const forgive = (error: unknown) => log.warn({ err: error }, "the other processes were not told")
    const { publish, set } = this
    this.publish = ((...args: Parameters<Redis["publish"]>) => publish.apply(this, args).catch(forgive)) as never
    this.set = ((...args: Parameters<Redis["set"]>) => set.apply(this, args).catch(forgive)) as never
  }

  /** Waits for Redis however long that takes: what is read is asked for once and never piles up. */
  override duplicate(): Redis {
    const reader = new Redis(this.#url, { ...options(this.#url), maxRetriesPerRequest: null })
    const { xread } = reader
    const from = (id: unknown) => (id === "$" ? this.#last : id)
    reader.xread = ((...args: unknown[]) =>
      xread.apply(reader, [...args.slice(0, -1), from(args.at(-1))] as never)) as never
    reader.on("error", () => {})
    this.#readers.push(reader)
    return reader
  }

  closeReaders(): void {
    for (const reader of this.#readers) reader.disconnect()
  }
}
