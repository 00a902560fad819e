import { changeTransformers } from "./changed-worker.ts"
import type { Person } from "../person.ts"

export type Tapped = { readonly source: string; readonly bytes: readonly number[] }

/** So long that none is found in other bytes by chance. */
const PART_BYTES = 8

/** All runs of so many bytes. */
export function partsOf(bytes: readonly number[] | Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1")
  return Array.from({ length: Math.max(0, text.length - PART_BYTES + 1) }, (_, at) => text.slice(at, at + PART_BYTES))
}

/** Records the frames that arrive at somebody, before they are decrypted. The decoder gets them as they came. */
export async function tap(person: Person): Promise<() => Promise<readonly Tapped[]>> {
  const context = person.page.context()
  const body = `onrtctransform = async ({ transformer: { readable, writable, options } }) => {
    const writer = writable.getWriter()
    for await (const frame of readable) {
      postMessage({ source: options.source, bytes: [...new Uint8Array(frame.data)] })
      await writer.write(frame)
    }
  }`
  const headers = { "cross-origin-embedder-policy": "require-corp" }
  await context.route("**/assets/tap.js", (route) => route.fulfill({ body, headers, contentType: "text/javascript" }))
  await context.addInitScript(() => {
    const tapped: Tapped[] = []
    Object.assign(globalThis, { tapped })
    let worker: Worker | null = null
    const start = (): Worker => {
      worker = new Worker("/assets/tap.js")
      worker.addEventListener("message", ({ data }: MessageEvent<Tapped>) => tapped.push(data))
      return worker
    }
    globalThis.RTCRtpScriptTransform = class extends RTCRtpScriptTransform {
      constructor(own: Worker, options: { readonly direction: string }) {
        super(options.direction === "receive" ? (worker ?? start()) : own, options)
      }
    }
  })
  return () => person.page.evaluate(() => (globalThis as unknown as { tapped: Tapped[] }).tapped)
}

/** Key id, counter and ciphertext of a frame, as RFC 9605 lays them out. */
export function sframeOf(bytes: readonly number[]): { keyId: number; counter: number; sealed: readonly number[] } {
  const [configuration = 0] = bytes
  let at = 1
  const field = (bits: number): number => {
    if (bits < 8) return bits
    const value = bytes.slice(at, at + bits - 7)
    at += bits - 7
    return value.reduce((sum, byte) => sum * 256 + byte, 0)
  }
  const [keyId, counter] = [field(configuration >> 4), field(configuration & 15)]
  return { keyId, counter, sealed: bytes.slice(at) }
}

/**
 * Records the frames that somebody's encoders give to the media worker, before they are encrypted. After `tellWorker` has
 * sent a word on the channel `bypass`, they leave unencrypted.
 */
export async function recordEncoded(person: Person): Promise<() => Promise<readonly Tapped[]>> {
  await changeTransformers(person, ({ readable, writable, options }) => {
    if (options.direction === "receive") return { readable, writable, options }
    const channel = new BroadcastChannel("encoded")
    const writer = writable.getWriter()
    let isBypassed = false
    new BroadcastChannel("bypass").addEventListener("message", () => (isBypassed = true))
    const recorded = new TransformStream<{ data: ArrayBuffer }, { data: ArrayBuffer }>({
      transform(frame, controller) {
        channel.postMessage({ source: options.source, bytes: [...new Uint8Array(frame.data)] })
        if (isBypassed) return writer.write(frame)
        controller.enqueue(frame)
      },
    })
    const sealed = new WritableStream<{ data: ArrayBuffer }>({ write: (frame) => writer.write(frame) })
    return { readable: readable.pipeThrough(recorded), writable: sealed, options }
  })
  await person.page.context().addInitScript(() => {
    const encoded: Tapped[] = []
    Object.assign(globalThis, { encoded })
    new BroadcastChannel("encoded").addEventListener("message", ({ data }) => encoded.push(data as Tapped))
  })
  return () => person.page.evaluate(() => (globalThis as unknown as { encoded: Tapped[] }).encoded)
}
