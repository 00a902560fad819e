import type { Dependency } from "../wire/messages.ts"
import type { FrameStore } from "./frame-store.ts"

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
