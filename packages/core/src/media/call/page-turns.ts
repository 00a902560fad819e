/** Counts the turns of a timer of this page. A busy machine leaves some out. */
export class PageTurns {
  readonly #apartMs: number
  #turns = 0
  #sinceMs: number
  #wasVisible = false

  /** `apartMs`: time between two turns on an idle machine. */
  constructor(apartMs: number, nowMs: number) {
    this.#apartMs = apartMs
    this.#sinceMs = nowMs
  }

  count(): void {
    this.#turns++
  }

  /**
   * Returns the share of the turns since the last look, 0 to 1 or little more. It is null if the page is hidden or was
   * at the last look, since hidden pages have fewer turns even on an idle machine.
   */
  look(nowMs: number, isVisible: boolean): number | null {
    const share = (this.#turns * this.#apartMs) / (nowMs - this.#sinceMs)
    const isKnown = isVisible && this.#wasVisible
    this.#turns = 0
    this.#sinceMs = nowMs
    this.#wasVisible = isVisible
    return isKnown ? share : null
  }
}
