import type { Dependency } from "../wire/messages.ts"

/**
 * Whether the causal past of each sender's next frame is within a part of the view that only grows. Pasts are long where many
 * speak: as long as what was found missing of one is missing, nothing else of it is looked at.
 */
export class MissingPasts {
  readonly #missing: (Dependency | undefined)[] = []

  /** `dependencies`: of the sender's next frame. `part`: per sender, how many frames of it are in. */
  isWithin(sender: number, dependencies: readonly Dependency[], part: readonly number[]): boolean {
    const known = this.#missing[sender]
    if (known && known.count > part[known.member]!) return false
    const missing = dependencies.find(({ member, count }) => count > part[member]!)
    this.#missing[sender] = missing
    return missing === undefined
  }

  /** The sender's next frame is another one. */
  forget(sender: number): void {
    this.#missing[sender] = undefined
  }
}
