import type { Dependency } from "../wire/messages.ts"

/**
 * Decides whether the causal past of each sender's next frame lies within a part of the view that only grows. Pasts are
 * long with many senders. So one missing frame is remembered, and nothing else of that past is checked until it comes.
 */
export class MissingPasts {
  readonly #missing: (Dependency | undefined)[] = []

  /** `dependencies`: of the sender's next frame. `part`: per sender, the number of frames in the part. */
  isWithin(sender: number, dependencies: readonly Dependency[], part: readonly number[]): boolean {
    const known = this.#missing[sender]
    if (known && known.count > part[known.member]!) return false
    const missing = dependencies.find(({ member, count }) => count > part[member]!)
    this.#missing[sender] = missing
    return missing === undefined
  }

  /** The sender's next frame has changed. */
  forget(sender: number): void {
    this.#missing[sender] = undefined
  }
}
