type Engine = { readonly isClosed: boolean; close(): void }

/**
 * Keeps at most one engine without an identity. It answers questions that need none, and then serves the next identity.
 * Before entering, a page asks for a name to propose and previews the invitation. Starting an engine for each would
 * take longer than the answer.
 */
export class SpareEngine<E extends Engine> {
  readonly #open: () => E
  #spare: { readonly engine: E; questions: number; isTaken: boolean } | null = null

  constructor(open: () => E) {
    this.#open = open
    // After a return from the back-forward cache, its connections are closed.
    globalThis.addEventListener?.("pagehide", () => this.#forget())
  }

  async ask<T>(question: (engine: E) => Promise<T>): Promise<T> {
    if (this.#spare === null || this.#spare.engine.isClosed)
      this.#spare = { engine: this.#open(), questions: 0, isTaken: false }
    const spare = this.#spare
    spare.questions++
    try {
      return await question(spare.engine)
    } finally {
      spare.questions--
      if (spare.questions === 0 && spare !== this.#spare && !spare.isTaken) spare.engine.close()
    }
  }

  /**
   * Passes the engine to the caller, who then closes it. Open questions are answered meanwhile: a person that joins
   * before the preview has come shares its connection, and needs no second one.
   */
  take(): E {
    const spare = this.#spare
    if (spare === null || spare.engine.isClosed) return this.#open()
    this.#spare = null
    spare.isTaken = true
    return spare.engine
  }

  #forget(): void {
    const spare = this.#spare
    this.#spare = null
    if (spare?.questions === 0) spare.engine.close()
  }
}
