import type { MemberId } from "../members/ids.ts"
import type { ViewId } from "../wire/codec.ts"
import type { Frame } from "../wire/frame.ts"

/** Frames of views that are not installed here yet, per sender. The oldest are evicted, and repair retransmits them. */
export const HELD_FRAMES_PER_SENDER_MAX = 512
export const HELD_BYTES_PER_SENDER_MAX = 4 * 1024 * 1024

export type HeldFrame = { readonly from: MemberId; readonly frame: Frame }

/** Buffers frames of the next view: others may install it, and send in it, before its INSTALL arrives here. */
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

  /** Drops the frames of a neighbour whose link is down. Otherwise flapping members could fill the memory. */
  forget(from: MemberId): void {
    this.#held.delete(from)
  }

  /** Takes the frames of `view`. The others remain, since their view may still come. */
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
