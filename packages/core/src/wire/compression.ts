/** DEFLATE (RFC 1951) by the platform's streams; snapshots of text and drawings shrink to a fraction. */
import { bufferSource } from "./bytes.ts"

export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bufferSource(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Null for what is no DEFLATE stream, or inflates to more than `bytesMax`: a bomb costs no more than that. */
export async function inflate(bytes: Uint8Array, bytesMax: number): Promise<Uint8Array | null> {
  const stream = new Blob([bufferSource(bytes)]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let total = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      total += part.value.length
      if (total > bytesMax) {
        await reader.cancel()
        return null
      }
      parts.push(part.value)
    }
  } catch {
    return null
  }
  const whole = new Uint8Array(total)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
