/**
 * Handling of exceptions in a core whose state messages of all members change.
 *
 * No member is named or disconnected: the failing step may process an earlier message of another one. The input is
 * dropped, and outputs from before the exception stay. Half-changed state lasts until the next view, which starts with
 * fresh state. Until then this member's own steps may fail too. Any other failure is a fault that no other member has
 * caused. It closes this conference and no other.
 */
import { describeFailure } from "@keymoot/transport"
import type { Faults } from "../platform/surroundings.ts"
import type { SecurityEvent } from "../api/index.ts"

/** Origin of the present input: another member's bytes, or this member alone. */
export type Cause = "peer" | "own"

/**
 * Time after a failure, unless a new view comes earlier, during which failures of this member's own steps are
 * tolerated. After it such a failure closes the conference.
 */
const HALF_CHANGED_MS = 10_000

export class Containment {
  readonly #faults: Faults
  readonly #report: (event: SecurityEvent) => void
  #failedAtMs: number | null = null
  #viewDue = false
  #nowMs = 0

  constructor(faults: Faults, report: (event: SecurityEvent) => void) {
    this.#faults = faults
    this.#report = report
  }

  /** Reports at most once in that time. */
  failed(cause: Cause, error: unknown): void {
    if (cause === "own" && !this.#isHalfChanged) return this.#faults.fail(error)
    if (this.#failedAtMs !== null) return
    this.#failedAtMs = this.#nowMs
    this.#viewDue = true
    this.#report({ code: "handling-failed", member: null, detail: describeFailure(error) })
  }

  /** Runs a task and returns its result, or null if it failed. */
  run<T>(cause: Cause, task: () => T): T | null {
    try {
      return task()
    } catch (error) {
      this.failed(cause, error)
      return null
    }
  }

  /** Returns true once after a failure: request a new view. */
  tick(nowMs: number): boolean {
    this.#nowMs = nowMs
    if (!this.#isHalfChanged) this.#failedAtMs = null
    const due = this.#viewDue
    this.#viewDue = false
    return due
  }

  onView(): void {
    this.#failedAtMs = null
    this.#viewDue = false
  }

  get #isHalfChanged(): boolean {
    return this.#failedAtMs !== null && this.#nowMs - this.#failedAtMs < HALF_CHANGED_MS
  }
}
