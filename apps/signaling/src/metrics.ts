import type { ErrorCode, GoodbyeCode, RequestName } from "@keymoot/transport/signaling-protocol"

export type RefusedConnection = "full" | "address" | "draining"

/** What is counted. Nothing here names a person, a conference or a network address: labels are words of this program. */
export interface Metrics {
  answered(request: RequestName | "unknown", outcome: "ok" | ErrorCode, seconds: number): void
  bytes(direction: "in" | "out", count: number): void
  connectionRefused(why: RefusedConnection): void
  dismissed(why: GoodbyeCode): void
  storeFailed(): void
  /** In Prometheus' text format, with its content type; undefined when nothing is counted. */
  report(): Promise<{ readonly contentType: string; readonly text: string }> | undefined
}

/** What is looked up when somebody asks. */
export interface Gauges {
  connections(): number
  rooms(): number
}

export const noMetrics: Metrics = {
  answered: () => {},
  bytes: () => {},
  connectionRefused: () => {},
  dismissed: () => {},
  storeFailed: () => {},
  report: () => undefined,
}
