import { createAdapter } from "@socket.io/redis-streams-adapter"
import type { Logger } from "pino"
import type { Namespace, ServerOptions } from "socket.io"
import type { Addresses } from "../addresses.ts"
import type { Limits } from "../limits.ts"
import { type Rate, TokenBucket } from "../token-bucket.ts"
import { AdapterRedis, openRedis } from "./redis.ts"
import { RedisAddresses } from "./redis-addresses.ts"

/** How long a lost connection can be recovered, by this process or another. Longer than a client takes to come back. */
const RECOVERY_MS = 30_000
/** Packets of all rooms that Redis keeps for whoever comes back. Who has missed more enters its rooms anew. */
const PACKETS_KEPT = 4_000
/**
 * Recoveries of one process; beyond, who comes back enters its rooms anew. Each reads all packets since the one that its
 * client names, and the client names which: without a bound a few could keep process and Redis busy with the whole stream.
 * At once as many as a process that stops sends away.
 */
const RECOVERIES: Rate = { burst: 2_500, perSecond: 10 }
const LEASE_MS = 45_000
const STREAM = "keymoot:packets"

/** The other processes, by way of one Redis. */
export interface Cluster {
  readonly options: Pick<ServerOptions, "adapter"> & Partial<Pick<ServerOptions, "connectionStateRecovery">>
  readonly addresses: Addresses
  /** Rejects when Redis does not answer. */
  ping(): Promise<void>
  /** When the server with its connections is closed. */
  close(): Promise<void>
}

/**
 * @param url `redis://` or `rediss://`
 * @throws StartError when there is no Redis
 */
export async function openCluster(url: string, limits: Limits, log: Logger): Promise<Cluster> {
  const redis = await openRedis(url, log)
  const forAdapter = new AdapterRedis(url, log, await redis.xrevrange(STREAM, "+", "-", "COUNT", 1))
  const addresses = new RedisAddresses(redis, limits.membersPerRoomMax, { leaseMs: LEASE_MS, recoveryMs: RECOVERY_MS })
  const createFor = createAdapter(forAdapter, {
    streamName: STREAM,
    channelPrefix: "keymoot:process",
    sessionKeyPrefix: "keymoot:session:",
    maxLen: PACKETS_KEPT,
  })
  return {
    options: {
      // Socket.IO calls it with `new`, which an arrow function does not bear.
      adapter: function adapterFor(namespace: Namespace) {
        return bounded(forgiving(createFor(namespace)))
      },
      connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS },
    },
    addresses,
    ping: async () => void (await redis.ping()),
    close: async () => {
      addresses.close()
      // Sessions and leases that were just written for those who will come back are on their way.
      await Promise.allSettled([redis.quit(), forAdapter.quit()])
      forAdapter.closeReaders()
    },
  }
}

type StreamsAdapter = ReturnType<ReturnType<typeof createAdapter>>

function bounded(adapter: StreamsAdapter): StreamsAdapter {
  const recoveries = new TokenBucket(RECOVERIES, performance.now())
  const restoreSession = adapter.restoreSession.bind(adapter)
  adapter.restoreSession = async (pid, offset) => {
    if (!recoveries.take(performance.now())) throw new Error("too many recoveries")
    return restoreSession(pid, offset)
  }
  return adapter
}

/** Whoever waits for other processes' answers counts them first, and nobody holds the promise of that. */
function forgiving(adapter: StreamsAdapter): StreamsAdapter {
  const serverCount = adapter.serverCount.bind(adapter)
  adapter.serverCount = () => serverCount().catch(() => 1)
  return adapter
}
