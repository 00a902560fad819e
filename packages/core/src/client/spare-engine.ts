type Engine = { readonly isClosed: boolean; close(): void }

/**
 * An engine in which nobody has an identity yet, one at most: it answers what needs none, and is then kept for the next identity.
 * Before anybody enters a conference, a page asks what name to propose and looks at the invitation, and to start an engine for
 * each of that takes longer than the answer.
 */
export class SpareEngine<E extends Engine> {
  readonly #open: () => E
  #spare: { readonly engine: E; questions: number } | null = null

  constructor(open: () => E) {
    this.#open = open
    // A page that comes back as it was finds its connections ended.
    globalThis.addEventListener?.("pagehide", () => this.#forget())
  }

  async ask<T>(question: (engine: E) => Promise<T>): Promise<T> {
    if (this.#spare === null || this.#spare.engine.isClosed) this.#spare = { engine: this.#open(), questions: 0 }
    const spare = this.#spare
    spare.questions++
    try {
      return await question(spare.engine)
    } finally {
      spare.questions--
      if (spare.questions === 0 && spare !== this.#spare) spare.engine.close()
    }
  }

  /** From now on the caller's, who closes it; so not one that is being asked by somebody else. */
  take(): E {
    const spare = this.#spare
    if (spare === null || spare.engine.isClosed || spare.questions > 0) return this.#open()
    this.#spare = null
    return spare.engine
  }

  #forget(): void {
    const spare = this.#spare
    this.#spare = null
    if (spare?.questions === 0) spare.engine.close()
  }
}
