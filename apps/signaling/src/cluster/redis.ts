import { Redis, type RedisOptions } from "ioredis"
import type { Logger } from "pino"
import { StartError } from "../start-error.ts"

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_DELAY_MS = 250
const options = (url: string): RedisOptions => ({
  connectTimeout: CONNECT_TIMEOUT_MS,
  retryStrategy: () => RETRY_DELAY_MS,
  // Detects a dead connection that the kernel still holds open.
  keepAlive: 10_000,
  ...(url.startsWith("rediss:") ? { tls: {} } : {}),
})

/**
 * Commands fail while Redis is unreachable, instead of piling up in this process. A Redis that has answered nothing for
 * `answerMs` counts as unreachable: the connection is closed.
 */
const impatient = (url: string, answerMs: number): RedisOptions => ({
  ...options(url),
  lazyConnect: true,
  socketTimeout: answerMs,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
})

/** @throws StartError when Redis cannot be reached */
export async function openRedis(url: string, answerMs: number, log: Logger): Promise<Redis> {
  const redis = new Redis(url, { ...impatient(url, answerMs), retryStrategy: () => null })
  let reason: Error | undefined
  redis.on("error", (error: Error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    const { message } = reason ?? (error as Error)
    throw new StartError(`Redis at REDIS_URL cannot be reached: ${message.replace(/\.$/u, "")}.`, { cause: error })
  }
  redis.options.retryStrategy = () => RETRY_DELAY_MS
  logOutages(redis, log)
  return redis
}

function logOutages(redis: Redis, log: Logger): void {
  let away = false
  redis.on("error", () => {})
  redis.on("reconnecting", () => {
    if (!away) log.error("Redis is unreachable")
    away = true
  })
  redis.on("ready", () => {
    if (away) log.info("Redis is reachable again")
    away = false
  })
}

type StreamEntries = readonly (readonly [id: string, fields: readonly string[]])[]

/**
 * The client for Socket.IO's adapter. It works around three faults of the adapter. The adapter handles no rejection of
 * some commands, which would end the process. It starts reading its stream at the next entry, and so misses entries
 * before its first read. It reads again at once when reading fails.
 */
export class AdapterRedis extends Redis {
  readonly #url: string
  readonly #last: string
  readonly #readers: Redis[] = []

  /**
   * Must be connected before use. `newest`: the newest entries of the stream, read before the server begins to listen.
   */
  constructor(url: string, answerMs: number, log: Logger, newest: StreamEntries) {
    super(url, impatient(url, answerMs))
    this.#url = url
    this.#last = newest[0]?.[0] ?? "0-0"
    this.on("error", () => {})
    const forgive = (error: unknown) => log.warn({ err: error }, "the other processes were not notified")
    const { publish, set } = this
    this.publish = ((...args: Parameters<Redis["publish"]>) => publish.apply(this, args).catch(forgive)) as never
    this.set = ((...args: Parameters<Redis["set"]>) => set.apply(this, args).catch(forgive)) as never
  }

  /** Waits for Redis without a timeout: each read is issued once and never piles up. The adapter connects it. */
  override duplicate(): Redis {
    const reader = new Redis(this.#url, { ...options(this.#url), lazyConnect: true, maxRetriesPerRequest: null })
    const { connect, xread } = reader
    // The adapter does not handle this promise either. The client retries by itself.
    reader.connect = () => connect.call(reader).catch(() => {})
    const from = (id: unknown) => (id === "$" ? this.#last : id)
    reader.xread = ((...args: unknown[]) =>
      xread.apply(reader, [...args.slice(0, -1), from(args.at(-1))] as never)) as never
    reader.on("error", () => {})
    this.#readers.push(reader)
    return reader
  }

  close(): void {
    this.disconnect()
    for (const reader of this.#readers) reader.disconnect()
  }
}
