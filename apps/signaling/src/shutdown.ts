import type { Server as HttpServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { Cluster } from "./cluster/cluster.ts"
import type { SignalingServer, Transport } from "./connection.ts"
import { cut, dismiss } from "./goodbye.ts"
import type { Metrics } from "./metrics.ts"
import type { Store } from "./store/store.ts"

/** How long connections have, all together, for hearing that the server goes down. */
const FAREWELLS_MS = 2_000
const LOOK_AGAIN_MS = 20

interface Parts {
  readonly http: HttpServer
  readonly signaling: SignalingServer
  readonly cluster: Cluster | undefined
  readonly store: Store
  readonly metrics: Metrics
}

/**
 * Serves those who are connected for another `drainMs`, tells them to go, and closes everything in the order in which the
 * parts need each other. Nobody who hangs on delays it for more than some seconds.
 */
export async function shutDown({ http, signaling, cluster, store, metrics }: Parts, drainMs: number): Promise<void> {
  await sleep(drainMs)
  await sayGoodbye(signaling, metrics)
  const closed = signaling.close()
  http.closeAllConnections()
  await closed
  await cluster?.close()
  await store.close()
}

async function sayGoodbye(signaling: SignalingServer, metrics: Metrics): Promise<void> {
  const { sockets } = signaling.of("/")
  for (const connection of sockets.values()) {
    metrics.dismissed("shutting-down")
    dismiss(connection, "shutting-down")
  }
  const untilMs = performance.now() + FAREWELLS_MS
  while (sockets.size > 0 && performance.now() < untilMs) await sleep(LOOK_AGAIN_MS)
  // The rest has not said what it wants, or does not read. Engine.IO's types hide this table, nothing else has them all.
  const { clients } = signaling.engine as unknown as { readonly clients: Readonly<Record<string, Transport>> }
  for (const transport of Object.values(clients)) cut(transport)
}
