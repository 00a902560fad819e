/**
 * How long a failed write counts against readiness. The next successful write ends it earlier. After this time the load
 * balancer sends clients here again, and their writes show whether the database has recovered.
 */
export const WRITE_FAILURE_MS = 30_000

/** Whether the database takes writes, by the outcome of the last one: a full disk still answers every read. */
export class WriteHealth {
  #failedAtMs: number | null = null

  async watch<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write
      this.#failedAtMs = null
      return result
    } catch (error) {
      this.#failedAtMs = performance.now()
      throw error
    }
  }

  /** @throws Error if the last write failed less than `WRITE_FAILURE_MS` ago */
  assertWritable(): void {
    if (this.#failedAtMs === null || performance.now() - this.#failedAtMs >= WRITE_FAILURE_MS) return
    throw new Error("The last write to the database failed.")
  }
}
