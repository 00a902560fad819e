import type { GoodbyeCode } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { Allowance } from "./allowance.ts"
import type { Connection, Transport } from "../connection.ts"
import { cut, dismiss } from "../rooms/goodbye.ts"
import type { Limits } from "./limits.ts"
import type { Metrics } from "../web/metrics.ts"
import type { Shared } from "../addresses/networks.ts"
import { TokenBucket } from "./token-bucket.ts"

export interface Guard {
  /**
   * The connection's own allowance comes first: a request that it refuses does not count against its network address.
   */
  readonly allowances: readonly Allowance[]
  /** The connection has completed its handshake and can receive messages. */
  admitted(connection: Connection): void
  /** Called when the connection is closed for exceeding its limits. */
  onFlood(): void
  /** Whether the connection was closed. Requests that arrived before that get no answer. */
  isEnded(): boolean
}

interface Surroundings {
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Counts what one connection sends and has not read yet. Closes it before it becomes a cost for other connections. Its
 * client may reconnect and enter its rooms again; it has then missed only what a lossy bus may lose.
 */
export function guard(
  transport: Transport,
  ofAddress: Shared,
  punishAddress: () => void,
  { limits, log, metrics }: Surroundings,
): Guard {
  const own = new Allowance(limits, 1, 1)
  let connection: Connection | undefined
  let ended = false
  const end = (code: GoodbyeCode) => {
    if (ended) return
    ended = true
    log.warn({ code }, "a connection was closed")
    metrics.dismissed(code)
    if (code === "flooding") punishAddress()
    if (connection === undefined) cut(transport)
    else dismiss(connection, code)
  }

  countReceived(
    transport,
    [new TokenBucket(limits.frames, performance.now()), ofAddress.frames],
    () => end("flooding"),
    (byteCount) => {
      metrics.bytes("in", byteCount)
      ofAddress.allowance.receive(byteCount)
      return own.receive(byteCount)
    },
  )
  countUnread(
    transport,
    limits,
    ofAddress,
    () => end("too-slow"),
    (byteCount) => metrics.bytes("out", byteCount),
  )
  return {
    allowances: [own, ofAddress.allowance],
    admitted: (admitted) => {
      connection = admitted
    },
    onFlood: () => end("flooding"),
    isEnded: () => ended,
  }
}

interface Packet {
  readonly data?: string | Uint8Array
}

/** `onBytes` returns whether that many bytes are still bearable. */
function countReceived(
  transport: Transport,
  frames: readonly TokenBucket[],
  onTooMany: () => void,
  onBytes: (byteCount: number) => boolean,
): void {
  transport.on("packet", ({ data }: Packet) => {
    const nowMs = performance.now()
    const isBearable = onBytes(data?.length ?? 0)
    if (!isBearable || !frames.every((bucket) => bucket.take(nowMs))) onTooMany()
  })
}

function countUnread(
  transport: Transport,
  limits: Limits,
  ofAddress: Shared,
  onTooMany: () => void,
  onBytes: (byteCount: number) => void,
): void {
  let packets = 0
  let bytes = 0
  /** The part of `bytes` that Engine.IO has passed on. It stays in memory until the kernel takes it. */
  let underWay = 0
  const count = (byteCount: number) => {
    bytes += byteCount
    ofAddress.unreadBytes += byteCount
  }
  const release = () => {
    count(-underWay)
    underWay = 0
  }
  transport.transport.on("drain", release)
  // A WebSocket that is given up keeps its bytes until its own end some time later.
  transport.transport.once("close", release)
  transport.on("flush", () => {
    packets = 0
    underWay = bytes
  })
  transport.once("close", () => count(underWay - bytes))
  transport.on("packetCreate", ({ data }: Packet) => {
    const byteCount = data?.length ?? 0
    onBytes(byteCount)
    packets += 1
    count(byteCount)
    if (packets >= limits.packetsUnreadMax || bytes >= limits.bytesUnreadMax) return onTooMany()
    if (ofAddress.unreadBytes >= ofAddress.unreadBytesMax) onTooMany()
  })
}
