import { createAdapter } from "@socket.io/redis-streams-adapter"
import type { Logger } from "pino"
import type { Namespace, ServerOptions } from "socket.io"
import type { Addresses, Shares } from "../addresses/addresses.ts"
import { type Rate, TokenBucket } from "../bounds/token-bucket.ts"
import { AdapterRedis, openRedis } from "./redis.ts"
import { RedisAddresses } from "./redis-addresses.ts"
import { boundAnswers } from "./relay-answers.ts"

/** How long a lost connection can be recovered, by any process. Longer than a client needs to reconnect. */
const RECOVERY_MS = 30_000
/** Packets of all rooms that Redis keeps for reconnecting clients. A client that missed more enters its rooms again. */
const PACKETS_KEPT = 4_000
/**
 * Recoveries of one process. Beyond, a reconnecting client enters its rooms again. Each recovery reads all packets
 * after the one that the client names. Without a bound a few clients could keep process and Redis busy with the whole
 * stream. The burst covers all clients of a process that stops. A session that does not exist does not count.
 */
export const RECOVERIES: Rate = { burst: 2_500, perSecond: 10 }
const LEASE_MS = 45_000
const STREAM = "keymoot:packets"
const SESSION = "keymoot:session:"

/** The other processes, connected through one Redis. */
export interface Cluster {
  readonly options: Pick<ServerOptions, "adapter"> & Partial<Pick<ServerOptions, "connectionStateRecovery">>
  readonly addresses: Addresses
  /** Rejects when Redis does not answer. */
  ping(): Promise<void>
  /** To be called after the server and its connections are closed. */
  close(): Promise<void>
}

/**
 * @param url `redis://` or `rediss://`
 * @param answerMs timeout after which Redis counts as unreachable
 * @throws StartError when Redis cannot be reached
 */
export async function openCluster(url: string, shares: Shares, answerMs: number, log: Logger): Promise<Cluster> {
  const redis = await openRedis(url, answerMs, log)
  const forAdapter = new AdapterRedis(url, answerMs, log, await redis.xrevrange(STREAM, "+", "-", "COUNT", 1))
  await forAdapter.connect()
  const addresses = new RedisAddresses(redis, shares, { leaseMs: LEASE_MS, recoveryMs: RECOVERY_MS })
  const createFor = createAdapter(forAdapter, {
    streamName: STREAM,
    channelPrefix: "keymoot:process",
    sessionKeyPrefix: SESSION,
    maxLen: PACKETS_KEPT,
  })
  return {
    options: {
      // Socket.IO calls it with `new`, which an arrow function does not support.
      adapter: function adapterFor(namespace: Namespace) {
        const adapter = boundAnswers(forgiving(createFor(namespace)), namespace)
        return bounded(adapter, async (pid) => (await redis.exists(SESSION + pid)) > 0)
      },
      connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS },
    },
    addresses,
    ping: async () => void (await redis.ping()),
    close: async () => {
      addresses.close()
      // Sessions and leases of clients that will reconnect may still be on their way to Redis.
      await Promise.allSettled([redis.quit(), forAdapter.quit()])
      // Do not wait for an unreachable Redis.
      redis.disconnect()
      forAdapter.close()
    },
  }
}

type StreamsAdapter = ReturnType<ReturnType<typeof createAdapter>>

function bounded(adapter: StreamsAdapter, exists: (pid: string) => Promise<boolean>): StreamsAdapter {
  const recoveries = new TokenBucket(RECOVERIES, performance.now())
  const restoreSession = adapter.restoreSession.bind(adapter)
  adapter.restoreSession = async (pid, offset) => {
    if (!(await exists(pid))) throw new Error("session not found")
    if (!recoveries.take(performance.now())) throw new Error("too many recoveries")
    return restoreSession(pid, offset)
  }
  return adapter
}

/**
 * Socket.IO first counts the other processes when it waits for their answers, and nobody handles a rejection of that
 * promise.
 */
function forgiving(adapter: StreamsAdapter): StreamsAdapter {
  const serverCount = adapter.serverCount.bind(adapter)
  adapter.serverCount = () => serverCount().catch(() => 1)
  return adapter
}
