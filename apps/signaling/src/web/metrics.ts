import type { ErrorCode, GoodbyeCode, RequestName } from "@keymoot/transport/signaling-protocol"

export const REFUSALS = ["full", "address", "draining"] as const
export type RefusedConnection = (typeof REFUSALS)[number]
export const STUN_OUTCOMES = ["answered", "refused", "malformed"] as const
export type StunOutcome = (typeof STUN_OUTCOMES)[number]

/** The counters. They name no person, conference or network address: all labels are constants of this program. */
export interface Metrics {
  answered(request: RequestName | "unknown", outcome: "ok" | ErrorCode, seconds: number): void
  /** A client entered a room. */
  entered(proven: boolean): void
  bytes(direction: "in" | "out", count: number): void
  connectionRefused(why: RefusedConnection): void
  dismissed(why: GoodbyeCode): void
  storeFailed(): void
  /** A datagram came to the embedded STUN server. refused: beyond its rates. */
  stun(outcome: StunOutcome): void
  /** In Prometheus' text format, with its content type; undefined without metrics. */
  report(): Promise<{ readonly contentType: string; readonly text: string }> | undefined
}

/** Values that are read when metrics are requested. */
export interface Gauges {
  connections(): number
  rooms(): number
}

export const noMetrics: Metrics = {
  answered: () => {},
  entered: () => {},
  bytes: () => {},
  connectionRefused: () => {},
  dismissed: () => {},
  storeFailed: () => {},
  stun: () => {},
  report: () => undefined,
}
