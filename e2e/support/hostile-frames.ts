import { frameCounts } from "./frame-counts.ts"
import type { Person } from "./person.ts"

type Frame = { data: ArrayBuffer }
type Transformer = {
  readonly readable: ReadableStream<Frame>
  readonly writable: WritableStream<Frame>
  readonly options: { readonly direction: string; readonly source: string }
  generateKeyFrame?(): Promise<unknown>
  sendKeyFrameRequest?(): Promise<unknown>
}
type Scope = { onrtctransform: ((event: { transformer: Transformer }) => void) | null }

/**
 * Makes a member's media worker change every second encrypted frame of its microphone. It sends an earlier one again, or
 * one of its camera, or one that has come from somebody else. Call it before the page's first visit.
 */
export async function sendHostileFrames({ page }: Person): Promise<void> {
  await page.context().route(/\/media-worker-[^/]+\.js$/u, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `(${hostileWorker.toString()})();\n${await response.text()}` })
  })
}

/** Runs in the media worker, before its own code. */
function hostileWorker(): void {
  const others: { camera: ArrayBuffer | null; foreign: ArrayBuffer | null } = { camera: null, foreign: null }
  const wrap = (original: Transformer): Transformer => {
    const { readable, writable, options } = original
    // A frame that was encrypted for somebody else would be new to this receiver, so each connection has its own.
    let sent: ArrayBuffer | null = null
    let frames = 0
    const change = new TransformStream<Frame, Frame>({
      transform(frame, controller) {
        const own = frame.data.slice(0)
        if (options.direction === "receive") others.foreign = own
        else if (options.source === "camera") others.camera = own
        else if (frames++ % 2 === 0) sent = own
        else frame.data = ([sent, others.camera, others.foreign][(frames >> 1) % 3] ?? own).slice(0)
        controller.enqueue(frame)
      },
    })
    const generate = original.generateKeyFrame?.bind(original)
    const request = original.sendKeyFrameRequest?.bind(original)
    const methods = {
      ...(generate && { generateKeyFrame: generate }),
      ...(request && { sendKeyFrameRequest: request }),
    }
    if (options.direction === "receive")
      return { ...methods, options, writable, readable: readable.pipeThrough(change) }
    void change.readable.pipeTo(writable)
    return { ...methods, options, readable, writable: change.writable }
  }
  let own: Scope["onrtctransform"] = null
  const set = (handler: Scope["onrtctransform"]): void => {
    own = handler
  }
  Object.defineProperty(globalThis, "onrtctransform", { set })
  addEventListener("rtctransform", (event) => {
    const { transformer } = event as unknown as { transformer: Transformer }
    own?.({ transformer: wrap(transformer) })
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
