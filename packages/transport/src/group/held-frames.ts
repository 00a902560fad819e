import type { MemberId } from "../ids.ts"
import type { ViewId } from "../wire/codec.ts"
import type { Frame } from "../wire/frame.ts"

/** Frames of views not installed here yet, per sender; the oldest give way, and repair brings them again. */
export const HELD_FRAMES_PER_SENDER_MAX = 512
export const HELD_BYTES_PER_SENDER_MAX = 4 * 1024 * 1024

export type HeldFrame = { readonly from: MemberId; readonly frame: Frame }

/** Others may install a view, and send in it, before its INSTALL has come here. */
export class HeldFrames {
  readonly #held = new Map<MemberId, { frames: HeldFrame[]; bytes: number }>()

  hold(from: MemberId, frame: Frame): void {
    const queue = this.#held.get(from) ?? { frames: [], bytes: 0 }
    this.#held.set(from, queue)
    queue.frames.push({ from, frame })
    queue.bytes += frame.bytes.length
    while (queue.frames.length > HELD_FRAMES_PER_SENDER_MAX || queue.bytes > HELD_BYTES_PER_SENDER_MAX) {
      queue.bytes -= queue.frames.shift()!.frame.bytes.length
    }
  }

  /** A neighbour without a link is not waited for, and those who come and go must not fill the memory. */
  forget(from: MemberId): void {
    this.#held.delete(from)
  }

  /** Those of `view`; the rest stays, in case its view is still to come. */
  take(view: ViewId): HeldFrame[] {
    const taken: HeldFrame[] = []
    for (const queue of this.#held.values()) {
      taken.push(...queue.frames.filter((held) => held.frame.view === view))
      queue.frames = queue.frames.filter((held) => held.frame.view !== view)
      queue.bytes = queue.frames.reduce((sum, held) => sum + held.frame.bytes.length, 0)
    }
    return taken
  }
}
