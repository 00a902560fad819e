import type { GroupFrame } from "../ordering/frame-store.ts"
import { UNSTABLE_FRAMES_MAX, windowBytes } from "../ordering/window.ts"

type Kept = { readonly frames: Map<number, GroupFrame>; bytes: number }

/**
 * Buffers frames of the view that come between SYNC and CUT. They may not be accepted, since the SYNC would then state
 * less than is held. But the cut will name most of them, so they need not be fetched again. The buffer holds as much of
 * each sender as an honest one has in transit.
 */
export class KeptForCut {
  readonly #senders = new Map<number, Kept>()

  /** `members`: number of members of the view. Frames beyond the bounds are dropped and fetched later. */
  keep(sender: number, frame: GroupFrame, members: number): void {
    const kept = this.#senders.get(sender) ?? { frames: new Map<number, GroupFrame>(), bytes: 0 }
    if (kept.frames.has(frame.sequence) || kept.frames.size >= UNSTABLE_FRAMES_MAX) return
    if (kept.bytes + frame.bytes.length > windowBytes(members)) return
    this.#senders.set(sender, kept)
    kept.frames.set(frame.sequence, frame)
    kept.bytes += frame.bytes.length
  }

  /** Takes the frames up to the counts of a cut. The rest stays, since the cut of a later proposal may name it. */
  take(upTo: readonly number[]): { readonly sender: number; readonly frame: GroupFrame }[] {
    const taken: { sender: number; frame: GroupFrame }[] = []
    for (const [sender, kept] of this.#senders) {
      for (const [sequence, frame] of kept.frames) {
        if (sequence > upTo[sender]!) continue
        kept.frames.delete(sequence)
        kept.bytes -= frame.bytes.length
        taken.push({ sender, frame })
      }
    }
    return taken
  }

  clear(): void {
    this.#senders.clear()
  }
}
