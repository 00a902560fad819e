/**
 * Causal pasts of a view's frames. A frame whose past is missing in part waits, and blocks its sender. A member
 * acknowledges only frames that it holds with their whole past.
 */
import type { Dependency } from "../wire/messages.ts"
import type { FrameStore } from "./frame-store.ts"
import type { GlobalOrder } from "./global-order.ts"

/** Progress of delivery: per sender, and in the ORDER. */
export type Delivered = { readonly delivered: readonly number[]; readonly deliveredOrder: number }

export class CausalPast {
  readonly #frames: FrameStore
  readonly #order: GlobalOrder
  /** Per sender: frames held together with their whole causal past. */
  readonly #closed: number[]
  readonly #missing = new MissingPasts()
  /** Frames have come, or were delivered, since the last computation. */
  #due = false
  #acknowledged = 0
  #acknowledgedSafe = 0

  constructor(frames: FrameStore, order: GlobalOrder) {
    this.#frames = frames
    this.#order = order
    this.#closed = frames.received.map(() => 0)
  }

  /** More may be held now, or is delivered. */
  changed(): void {
    this.#due = true
  }

  /** A frame of that sender was replaced by another one. */
  replaced(sender: number): void {
    this.#missing.forget(sender)
    this.#due = true
  }

  /**
   * g: the ORDER prefix of which bodies, entries and the whole causal past are held here. Bodies and entries alone
   * would not do. If all members that hold the past of a message leave, those that stay could not deliver it.
   */
  acknowledge({ delivered, deliveredOrder }: Delivered): number {
    if (!this.#due) return this.#acknowledged
    this.#due = false
    for (let sender = 0; sender < this.#closed.length; sender++) {
      this.#closed[sender] = Math.max(this.#closed[sender]!, delivered[sender]!)
    }
    this.#close(this.#closed, this.#frames.received, this.#missing)
    this.#acknowledged = Math.max(this.#acknowledged, deliveredOrder)
    for (let entry = this.#order.at(this.#acknowledged); entry; entry = this.#order.at(this.#acknowledged)) {
      const frame = this.#frames.named(entry)
      if (!frame || entry.sequence > this.#closed[entry.sender]!) break
      this.#acknowledged++
      if (frame.service === "safe") this.#acknowledgedSafe = this.#acknowledged
    }
    return this.#acknowledged
  }

  /** The place of the last safe message that was acknowledged. Others wait for it. */
  get acknowledgedSafe(): number {
    return this.#acknowledgedSafe
  }

  /** The part of `bound` that is held with its whole causal past. Equal at all members that hold `bound`. */
  closure(delivered: readonly number[], bound: readonly number[]): number[] {
    const closed = [...delivered]
    this.#close(
      closed,
      bound.map((count, sender) => Math.min(count, this.#frames.received[sender]!)),
      new MissingPasts(),
    )
    return closed
  }

  /** Grows a closed part as far as `bound` goes and pasts are complete. */
  #close(closed: number[], bound: readonly number[], missing: MissingPasts): void {
    const isNextComplete = (sender: number): boolean => {
      const frame = this.#frames.frame(sender, closed[sender]! + 1)
      return frame !== undefined && missing.isWithin(sender, frame.message.dependencies, closed)
    }
    for (let grown = true; grown;) {
      grown = false
      for (let sender = 0; sender < closed.length; sender++) {
        while (closed[sender]! < bound[sender]! && isNextComplete(sender)) {
          closed[sender]!++
          grown = true
        }
      }
    }
  }
}

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

/**
 * Senders whose next frame nobody can order. A sender is blocked if it is paused or has no next frame. It is also
 * blocked if that frame names a past that is missing or blocked itself.
 */
export function blockedSenders(
  frames: Pick<FrameStore, "received" | "frame">,
  delivered: readonly number[],
  paused: ReadonlySet<number>,
): ReadonlySet<number> {
  const { received } = frames
  const blocked = new Set(paused)
  const isPresent = ({ member, count }: Dependency): boolean =>
    count <= (blocked.has(member) ? delivered : received)[member]!
  for (let before = -1; before < blocked.size;) {
    before = blocked.size
    for (let sender = 0; sender < delivered.length; sender++) {
      if (blocked.has(sender)) continue
      const next = frames.frame(sender, delivered[sender]! + 1)
      if (!next?.message.dependencies.every(isPresent)) blocked.add(sender)
    }
  }
  return blocked
}
