/**
 * The way from one conference to the application's thread, the page. It limits reports of faults, traces events, and
 * pauses a sender whose batches the page has not processed.
 */
import type { MemberId, Sink } from "@keymoot/transport"
import type { SecurityEvent } from "../api/index.ts"
import { CostMeter, type Budget } from "../queues/cost-meter.ts"
import type { BatchTaken, EngineEvent } from "../rpc/protocol.ts"
import type { ConferenceTrace } from "../trace/conference-trace.ts"
import { traceEngineEvent } from "../trace/layer-event.ts"

/**
 * Rate limit of reports to the application of one fault of one member. Excess reports are dropped, so that a flood of
 * faults cannot flood the application.
 */
export const REPORTS_PER_SECOND = 1
export const REPORTS_BURST = 32
const REPORTS: Budget = { perSecond: REPORTS_PER_SECOND, burst: REPORTS_BURST }

/** Window of one sender: unacknowledged batches and bytes. Beyond either the sender waits. */
export const PAGE_BATCHES_MAX = 16
export const PAGE_BYTES_MAX = 512 * 1024
/** Budget of one sender in milliseconds of the page: half of each second, and a burst for a large board. */
export const PAGE_MS_PER_SECOND = 500
export const PAGE_MS_BURST = 2_000
const PAGE_MS: Budget = { perSecond: PAGE_MS_PER_SECOND, burst: PAGE_MS_BURST }

/** Backpressure of the page: deliver nothing of a paused sender. */
export type Pause = { readonly sender: MemberId; readonly paused: boolean }

export type PageConfig = {
  readonly sink: Sink<EngineEvent>
  readonly pauses: Sink<Pause>
  readonly trace: Pick<ConferenceTrace, "take">
}

export class Page implements Sink<EngineEvent> {
  readonly #config: PageConfig
  readonly #reports = new CostMeter<string>(REPORTS)
  readonly #window: PageWindow
  #closed = false

  constructor(config: PageConfig) {
    this.#config = config
    this.#window = new PageWindow(config.pauses)
  }

  /** Whether no sender waits for the page. */
  get isCalm(): boolean {
    return this.#window.isCalm
  }

  tick(nowMs: number): void {
    this.#window.tick(nowMs)
    this.#reports.tick(nowMs)
  }

  take(event: EngineEvent): void {
    if (this.#closed || (event.type === "security" && this.#isOverBudget(event.event))) return
    if (event.type === "batch") this.#window.sent(event.from, event.bytes)
    this.#pass(event)
  }

  report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    this.take({ type: "security", event: { code, member, detail } })
  }

  /** The page has processed a batch. */
  taken({ from, bytes, tookMs }: BatchTaken): void {
    this.#window.answered(from, bytes, tookMs)
  }

  /** Passes only `last` on afterwards. */
  close(): void {
    this.#closed = true
  }

  /** Passes the last event on. */
  last(event: EngineEvent): void {
    this.#pass(event)
  }

  #pass(event: EngineEvent): void {
    traceEngineEvent(this.#config.trace.take, event)
    this.#config.sink.take(event)
  }

  #isOverBudget({ code, member }: SecurityEvent): boolean {
    const fault = `${code} ${member}`
    if (this.#reports.isOver(fault)) return true
    this.#reports.spend(fault, 1)
    return false
  }
}

/**
 * Flow control for each sender. The page acknowledges every batch with its processing time. A sender with too many
 * unacknowledged batches or too much processing time is paused. Otherwise one sender could fill the page's queue, which
 * the engine does not see, and leave no time to draw the others' changes.
 */
export class PageWindow {
  readonly #pauses: Sink<Pause>
  readonly #unanswered = new Map<MemberId, { batches: number; bytes: number }>()
  readonly #meter = new CostMeter<MemberId>(PAGE_MS)

  constructor(pauses: Sink<Pause>) {
    this.#pauses = pauses
  }

  /** A batch was sent to the page. */
  sent(sender: MemberId, bytes: number): void {
    const unanswered = this.#unanswered.get(sender) ?? { batches: 0, bytes: 0 }
    this.#unanswered.set(sender, unanswered)
    unanswered.batches++
    unanswered.bytes += bytes
    this.#settle(sender)
  }

  /** The page has processed a batch in that time. */
  answered(sender: MemberId, bytes: number, tookMs: number): void {
    const unanswered = this.#unanswered.get(sender)
    if (!unanswered) return
    unanswered.batches--
    unanswered.bytes -= bytes
    if (unanswered.batches === 0) this.#unanswered.delete(sender)
    this.#meter.spend(sender, tookMs)
    this.#settle(sender)
  }

  get isCalm(): boolean {
    return this.#meter.isFull
  }

  tick(nowMs: number): void {
    for (const sender of this.#meter.tick(nowMs)) this.#settle(sender)
  }

  #settle(sender: MemberId): void {
    const { batches, bytes } = this.#unanswered.get(sender) ?? { batches: 0, bytes: 0 }
    const paused = batches >= PAGE_BATCHES_MAX || bytes >= PAGE_BYTES_MAX || this.#meter.isOver(sender)
    this.#pauses.take({ sender, paused })
  }
}
