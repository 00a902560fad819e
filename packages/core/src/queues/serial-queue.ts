type Task = () => void | Promise<void>

/**
 * Runs tasks in FIFO order, never in the turn in which they were added. It orders asynchronous cryptography before a
 * core. The next task follows a synchronous one at once.
 */
export class SerialQueue {
  #waiting: Task[] = []
  #length = 0
  #running = false
  readonly #onError: (error: unknown) => void

  /** `onError`: a task failed. The queue continues. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Tasks that wait or run. */
  get length(): number {
    return this.#length
  }

  add(task: Task): void {
    this.#length++
    this.#waiting.push(task)
    if (this.#running) return
    this.#running = true
    void Promise.resolve().then(() => this.#run())
  }

  /** Resolves when all tasks added so far are done. */
  idle(): Promise<void> {
    return new Promise((done) => this.add(done))
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const tasks = this.#waiting
      this.#waiting = []
      for (const task of tasks) {
        try {
          const done = task()
          if (done) await done
        } catch (error) {
          this.#onError(error)
        }
        this.#length--
      }
    }
    this.#running = false
  }
}
