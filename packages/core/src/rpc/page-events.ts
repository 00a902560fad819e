/** Events for the page. Reports of faults are limited in rate. */
import type { MemberId, Sink } from "@keymoot/transport"
import type { SecurityEvent } from "../api/index.ts"
import { CostMeter, type Budget } from "../queues/cost-meter.ts"
import type { EngineEvent } from "./protocol.ts"

/**
 * Rate limit of reports to the application of one fault of one member. Excess reports are dropped, so that a flood of
 * faults cannot flood the application.
 */
export const REPORTS_PER_SECOND = 1
export const REPORTS_BURST = 32
const REPORTS: Budget = { perSecond: REPORTS_PER_SECOND, burst: REPORTS_BURST }

export class PageEvents implements Sink<EngineEvent> {
  readonly #sink: Sink<EngineEvent>
  readonly #reports = new CostMeter<string>(REPORTS)
  #closed = false

  constructor(sink: Sink<EngineEvent>) {
    this.#sink = sink
  }

  tick(nowMs: number): void {
    this.#reports.tick(nowMs)
  }

  take(event: EngineEvent): void {
    if (this.#closed || (event.type === "security" && this.#isOverBudget(event.event))) return
    this.#sink.take(event)
  }

  report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    this.take({ type: "security", event: { code, member, detail } })
  }

  /** Passes nothing on afterwards. */
  close(): void {
    this.#closed = true
  }

  #isOverBudget({ code, member }: SecurityEvent): boolean {
    const fault = `${code} ${member}`
    if (this.#reports.isOver(fault)) return true
    this.#reports.spend(fault, 1)
    return false
  }
}
