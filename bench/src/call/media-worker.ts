/** Scripts around the product's media worker, which stays as it is: they run in the benchmark's pages only. */

export type TransformTimes = Readonly<Record<string, readonly number[]>>

/** Name of the channel on which a page asks its worker for the times. Each page has a profile of its own. */
export const TIMES_CHANNEL = "bench-transform-times"

/**
 * Runs before the product's script, and gives it readers and writers that note when a frame comes and goes, between
 * "start" and "take". The times by direction and kind, such as "send video". At other times they only pass frames on,
 * so the processor time of a call is not theirs.
 */
export const TIMING_PRELUDE = `{
  let times = null
  let handler = null
  Object.defineProperty(globalThis, "onrtctransform", { get: () => handler, set: (given) => (handler = given) })
  addEventListener("rtctransform", ({ transformer }) => {
    const { readable, writable, options } = transformer
    const kind = options.source === "camera" || options.source === "screen" ? "video" : "audio"
    const since = new WeakMap()
    const reader = readable.getReader()
    const writer = writable.getWriter()
    const timedRead = async () => {
      const next = await reader.read()
      if (times && !next.done) since.set(next.value, performance.now())
      return next
    }
    const timedWrite = (frame) => {
      const atMs = since.get(frame)
      if (times && atMs !== undefined) (times[options.direction + " " + kind] ??= []).push(performance.now() - atMs)
      return writer.write(frame)
    }
    handler({
      transformer: {
        options,
        readable: { getReader: () => ({ read: () => (times ? timedRead() : reader.read()) }) },
        writable: { getWriter: () => ({ write: (frame) => (times ? timedWrite(frame) : writer.write(frame)) }) },
        ...(transformer.generateKeyFrame && { generateKeyFrame: () => transformer.generateKeyFrame() }),
        sendKeyFrameRequest: () => transformer.sendKeyFrameRequest(),
      },
    })
  })
  const channel = new BroadcastChannel("${TIMES_CHANNEL}")
  channel.addEventListener("message", ({ data }) => {
    if (data === "start") times = {}
    if (data !== "take") return
    channel.postMessage(times ?? {})
    times = null
  })
}
`

/** Runs in a page before the product, which then sets transforms that do nothing: frames are not encrypted. */
export function withoutFrameEncryption(): void {
  const nothing = function () {}
  globalThis.RTCRtpScriptTransform = nothing as unknown as typeof RTCRtpScriptTransform
  for (const { prototype } of [RTCRtpSender, RTCRtpReceiver]) {
    const set = new WeakMap<object, unknown>()
    Object.defineProperty(prototype, "transform", {
      get() {
        return set.get(this as object) ?? null
      },
      set(transform: unknown) {
        set.set(this as object, transform)
      },
    })
  }
}

/** The same for RED: the browser seems not to have it. */
export function withoutRedundantSound(): void {
  const all = RTCRtpReceiver.getCapabilities.bind(RTCRtpReceiver)
  RTCRtpReceiver.getCapabilities = (kind) => {
    const codecs = all(kind)?.codecs.filter(({ mimeType }) => mimeType !== "audio/red") ?? []
    return { codecs, headerExtensions: [] }
  }
}
