import type { GoodbyeCode } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { Allowance } from "./allowance.ts"
import type { Connection, Transport } from "./connection.ts"
import { cut, dismiss } from "./goodbye.ts"
import type { Limits } from "./limits.ts"
import type { Metrics } from "./metrics.ts"
import { TokenBucket } from "./token-bucket.ts"

export interface Guard {
  /** The connection's own, which is asked first: what it is refused does not count against its neighbours. */
  readonly allowances: readonly Allowance[]
  /** It has said what it wants, and can be told things from now on. */
  admitted(connection: Connection): void
  /** Ends it for asking too much. */
  onFlood(): void
  /** It was ended, and what had arrived before that is not worth an answer. */
  isEnded(): boolean
}

interface Surroundings {
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Counts what one connection sends and what waits to be read by it, and ends it before either costs the others. Its
 * client may come back, enters its rooms again and has missed what a lossy bus may lose.
 */
export function guard(
  transport: Transport,
  ofAddress: Allowance,
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
    limits,
    () => end("flooding"),
    (byteCount) => {
      metrics.bytes("in", byteCount)
      own.receive(byteCount)
      ofAddress.receive(byteCount)
    },
  )
  countUnread(
    transport,
    limits,
    () => end("too-slow"),
    (byteCount) => metrics.bytes("out", byteCount),
  )
  return {
    allowances: [own, ofAddress],
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

function countReceived(
  transport: Transport,
  limits: Limits,
  onTooMany: () => void,
  onBytes: (byteCount: number) => void,
): void {
  const frames = new TokenBucket(limits.frames, performance.now())
  transport.on("packet", ({ data }: Packet) => {
    onBytes(data?.length ?? 0)
    if (!frames.take(performance.now())) onTooMany()
  })
}

function countUnread(
  transport: Transport,
  limits: Limits,
  onTooMany: () => void,
  onBytes: (byteCount: number) => void,
): void {
  let packets = 0
  let bytes = 0
  // "flush": the transport took everything that waited, which it does when its last write reached the kernel.
  transport.on("flush", () => {
    packets = 0
    bytes = 0
  })
  transport.on("packetCreate", ({ data }: Packet) => {
    const byteCount = data?.length ?? 0
    onBytes(byteCount)
    packets += 1
    bytes += byteCount
    if (packets >= limits.packetsUnreadMax || bytes >= limits.bytesUnreadMax) onTooMany()
  })
}
