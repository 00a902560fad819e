import { changeTransformers } from "./changed-worker.ts"
import { frameCounts } from "./frame-counts.ts"
import type { Person } from "./person.ts"

/**
 * Makes a member's media worker change every second encrypted frame of its microphone. It sends an earlier one again, or
 * one of its camera, or one that has come from somebody else. Call it before the page's first visit.
 */
export function sendHostileFrames(person: Person): Promise<void> {
  return changeTransformers(person, ({ readable, writable, options }) => {
    const others = globalThis as unknown as { camera?: ArrayBuffer; foreign?: ArrayBuffer }
    // A frame that was encrypted for somebody else would be new to this receiver, so each connection has its own.
    let sent: ArrayBuffer | undefined
    let frames = 0
    const change = new TransformStream<{ data: ArrayBuffer }, { data: ArrayBuffer }>({
      transform(frame, controller) {
        const own = frame.data.slice(0)
        if (options.direction === "receive") others.foreign = own
        else if (options.source === "camera") others.camera = own
        else if (frames++ % 2 === 0) sent = own
        else frame.data = ([sent, others.camera, others.foreign][(frames >> 1) % 3] ?? own).slice(0)
        controller.enqueue(frame)
      },
    })
    if (options.direction === "receive") return { options, writable, readable: readable.pipeThrough(change) }
    void change.readable.pipeTo(writable)
    return { options, readable, writable: change.writable }
  })
}

/** Frames of a source that somebody's media worker has refused, by reason. */
export async function refusedBy(person: Person, source: string): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {}
  for (const { direction, source: of, dropped } of await frameCounts(person)) {
    if (direction !== "receive" || of !== source) continue
    for (const [reason, count] of Object.entries(dropped)) sums[reason] = (sums[reason] ?? 0) + count
  }
  return sums
}
