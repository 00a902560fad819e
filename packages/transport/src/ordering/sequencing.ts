import { frameDigest, isOrdered } from "../wire/frame.ts"
import type { OrderEntry } from "../wire/messages.ts"
import type { FrameStore } from "./frame-store.ts"
import type { GlobalOrder } from "./global-order.ts"

/** The sequencer's part of a view: it gives agreed and safe frames their places in the ORDER. */
export class Sequencing {
  readonly #frames: FrameStore
  readonly #order: GlobalOrder

  constructor(frames: FrameStore, order: GlobalOrder) {
    this.#frames = frames
    this.#order = order
  }

  /**
   * Entries for agreed and safe frames that have none yet, each after its whole causal past. A frame whose stated past
   * is not here waits, together with its sender and all frames that depend on it. A place that cannot be delivered
   * would block the order of all members. A frame without room in the ORDER waits too.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const [first, count] = [this.#order.length, this.#frames.received.length]
    const { firstTurn } = this.#order
    for (let again = true; again;) {
      again = false
      for (let turn = 0; turn < count; turn++) if (this.#orderOf((firstTurn + turn) % count)) again = true
    }
    return { first, entries: this.#order.from(first) }
  }

  /** True if a frame of that sender was ordered, or needs no order. Others may have waited for it. */
  #orderOf(sender: number): boolean {
    const before = this.#order.ordered(sender)
    for (let sequence = before + 1; sequence <= this.#frames.received[sender]!; sequence++) {
      const frame = this.#frames.frame(sender, sequence)!
      if (isOrdered(frame.service) && this.#order.full) break
      if (frame.message.dependencies.some(({ member, count }) => count > this.#order.ordered(member))) break
      if (isOrdered(frame.service)) this.#order.append({ sender, sequence, digest: frameDigest(frame) })
      else this.#order.passOver(sender, sequence)
    }
    return this.#order.ordered(sender) > before
  }
}
