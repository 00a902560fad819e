/**
 * Entry of the media worker. It encrypts and decrypts frames beside the engine, whose work must not delay them. The keys
 * come over a port from the engine, so the page never has them.
 */
import type { MediaKeyMessage, MediaKeyReply } from "../keys/key-messages.ts"
import { type FromMediaWorker, LOOK_MS, type ToMediaWorker } from "./media-worker-protocol.ts"
import { FrameTransforms, type Transformer } from "./frame-transforms.ts"

/** Used part of a dedicated worker's scope. The project compiles against the DOM types of pages. */
type WorkerScope = {
  onrtctransform: ((event: { readonly transformer: Transformer }) => void) | null
  postMessage(message: FromMediaWorker): void
  addEventListener(type: "message", listener: (event: MessageEvent<ToMediaWorker>) => void): void
}

const scope = globalThis as unknown as WorkerScope
const transforms = new FrameTransforms({
  clock: performance,
  keyFrames: { take: (track) => scope.postMessage({ type: "needs-key-frame", track }) },
})

// Set before anything else: Chromium reports no transform that starts before there is a listener.
scope.onrtctransform = ({ transformer }) => transforms.attach(transformer)
scope.addEventListener("message", ({ data }) => {
  if (data.type === "count")
    return scope.postMessage({ type: "counts", request: data.request, counts: transforms.counts })
  if (data.type === "ended") return transforms.end(data.connection)
  data.port.addEventListener("message", (event: MessageEvent<MediaKeyMessage>) => {
    const reply: MediaKeyReply | null = transforms.handle(event.data)
    if (reply) data.port.postMessage(reply)
  })
  data.port.start()
})
setInterval(() => {
  const sounds = transforms.look()
  if (sounds) scope.postMessage({ type: "sounds", sounds })
}, LOOK_MS)
