import type { GroupFrame } from "../ordering/frame-store.ts"
import { UNSTABLE_FRAMES_MAX, windowBytes } from "../ordering/window.ts"

type Kept = { readonly frames: Map<number, GroupFrame>; bytes: number }

/**
 * What comes of the view between SYNC and CUT. Nothing of it is taken, or a SYNC would say less than is held; but the cut will
 * name most of it, and nobody has to be asked for that again. Of each sender as much as an honest one has under way.
 */
export class KeptForCut {
  readonly #senders = new Map<number, Kept>()

  /** `members`: of the view. Beyond the bounds it is left to be fetched. */
  keep(sender: number, frame: GroupFrame, members: number): void {
    const kept = this.#senders.get(sender) ?? { frames: new Map<number, GroupFrame>(), bytes: 0 }
    if (kept.frames.has(frame.sequence) || kept.frames.size >= UNSTABLE_FRAMES_MAX) return
    if (kept.bytes + frame.bytes.length > windowBytes(members)) return
    this.#senders.set(sender, kept)
    kept.frames.set(frame.sequence, frame)
    kept.bytes += frame.bytes.length
  }

  /** Those up to the counts of a cut; the rest stays, as the cut of a later proposal may name it. */
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
