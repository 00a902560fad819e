type Task = () => void | Promise<void>

/**
 * Runs tasks one after another in the order of their coming, none in the turn in which it came; the ordered edge between
 * asynchronous cryptography and a core. A task that waits for nothing is followed by the next at once.
 */
export class SerialQueue {
  #waiting: Task[] = []
  #length = 0
  #running = false
  readonly #onError: (error: unknown) => void

  /** `onError`: a task of ours failed, which no peer's bytes can bring about. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Waiting or running. */
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

  /** Resolves when everything added so far is done. */
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
