/**
 * Acknowledges each batch to the engine with this thread's processing time, including the work that it caused in the
 * same turn.
 */
import type { MemberId } from "@keymoot/transport"
import type { BatchTaken } from "../../rpc/protocol.ts"

export class BatchAcknowledger {
  readonly #answer: (answer: BatchTaken) => void
  readonly #nowMs: () => number
  #beganMs: number | null = null
  #ended: Omit<BatchTaken, "tookMs">[] = []

  constructor(answer: (answer: BatchTaken) => void, nowMs: () => number = () => performance.now()) {
    this.#answer = answer
    this.#nowMs = nowMs
  }

  /** Called before a batch is processed. */
  begin(): void {
    if (this.#beganMs !== null) return
    this.#beganMs = this.#nowMs()
    // Runs after work that listeners queued for the end of the turn, such as the board's first drawing.
    queueMicrotask(() => queueMicrotask(() => this.#flush()))
  }

  /** Called after the events of a batch. Work at the end of the turn still follows. */
  end(id: string, from: MemberId, bytes: number): void {
    this.#ended.push({ type: "taken", id, from, bytes })
  }

  #flush(): void {
    const [ended, nowMs] = [this.#ended, this.#nowMs()]
    const tookMs = nowMs - (this.#beganMs ?? nowMs)
    this.#ended = []
    this.#beganMs = null
    // Several batches of one turn share its time.
    for (const batch of ended) this.#answer({ ...batch, tookMs: tookMs / ended.length })
  }
}
