/** Runs tasks one after another in the order of their coming; the ordered edge between asynchronous cryptography and a core. */
export class SerialQueue {
  #tail: Promise<void> = Promise.resolve()
  #length = 0
  readonly #onError: (error: unknown) => void

  /** `onError`: a task of ours failed, which no peer's bytes can bring about. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Waiting or running. */
  get length(): number {
    return this.#length
  }

  add(task: () => void | Promise<void>): void {
    this.#length++
    this.#tail = this.#tail
      .then(task)
      .catch(this.#onError)
      .finally(() => void this.#length--)
  }

  /** Resolves when everything added so far is done. */
  async idle(): Promise<void> {
    await this.#tail
  }
}
