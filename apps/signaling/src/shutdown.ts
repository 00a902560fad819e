import type { Server as HttpServer } from "node:http"
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Cluster } from "./cluster/cluster.ts"
import type { SignalingServer, Transport } from "./connection.ts"
import { cut, dismiss } from "./rooms/goodbye.ts"
import type { Metrics } from "./web/metrics.ts"
import type { StunResponder } from "./stun/responder.ts"
import type { Store } from "./store/store.ts"

/** Time for all connections together to receive the goodbye, and then for their sockets to close. */
const FAREWELLS_MS = 2_000
const LOOK_AGAIN_MS = 20

interface Parts {
  readonly http: HttpServer
  readonly sockets: ReadonlySet<Socket>
  readonly signaling: SignalingServer
  readonly stun: StunResponder | undefined
  readonly cluster: Cluster | undefined
  readonly store: Store
  readonly metrics: Metrics
}

/**
 * Serves connected clients for another `drainMs`, dismisses them, and closes everything in the order of its
 * dependencies. A client that hangs delays it by some seconds at most.
 */
export async function shutDown(
  { http, sockets, signaling, stun, cluster, store, metrics }: Parts,
  drainMs: number,
): Promise<void> {
  await sleep(drainMs)
  await sayGoodbye(signaling, metrics)
  const closed = signaling.close()
  http.closeAllConnections()
  // A WebSocket that was given up, before or just now, waits for its client's answer.
  await Promise.race([closed, sleep(FAREWELLS_MS, undefined, { ref: false })])
  for (const socket of sockets) socket.destroy()
  await closed
  await stun?.close()
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
  // The rest has not completed its handshake, or does not read. Engine.IO's types hide this table, the only complete
  // one.
  const { clients } = signaling.engine as unknown as { readonly clients: Readonly<Record<string, Transport>> }
  for (const transport of Object.values(clients)) cut(transport)
}
