/**
 * Data under authenticity `group` that came before the view is secured here. Any member with the key can make it in
 * another's name. It could take the number of that member's key confirmation, which would be dropped as a repetition. Once
 * the view is secured, all confirmations are here.
 */
import type { GroupInput } from "@keymoot/transport"

/** Bound in bytes of frames and their costs. Further frames are dropped. Retransmission recovers honest ones. */
export const EARLY_BYTES_MAX = 4 * 1024 * 1024
/** Charged for each frame, which takes memory beyond its bytes. So the bound holds for many small ones too. */
export const EARLY_FRAME_COST_BYTES = 1024

export type FrameInput = Extract<GroupInput, { type: "frame" }>

export class EarlyData {
  readonly #held: FrameInput[] = []
  #bytes = 0

  hold(input: FrameInput): void {
    const cost = input.frame.bytes.length + EARLY_FRAME_COST_BYTES
    if (this.#bytes + cost > EARLY_BYTES_MAX) return
    this.#bytes += cost
    this.#held.push(input)
  }

  /** In the order of arrival. */
  take(): readonly FrameInput[] {
    this.#bytes = 0
    return this.#held.splice(0)
  }
}
