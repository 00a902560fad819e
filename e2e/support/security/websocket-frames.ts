const MASKED = 0x80
const COMPRESSED = 0x40

/** The payloads of all whole WebSocket frames (RFC 6455, section 5.2) in a stream, unmasked and joined. */
export function readFrames(stream: Buffer): Buffer {
  const payloads: Buffer[] = []
  let at = 0
  while (at + 2 <= stream.length) {
    const flags = stream.readUInt8(at)
    const second = stream.readUInt8(at + 1)
    if ((flags & COMPRESSED) !== 0) throw new Error("A WebSocket frame is compressed: it cannot be read.")
    const short = second & 0x7f
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const maskBytes = (second & MASKED) === 0 ? 0 : 4
    const start = at + 2 + lengthBytes + maskBytes
    if (start > stream.length) break
    const length =
      lengthBytes === 0 ? short : stream.readUIntBE(at + 2 + (lengthBytes === 8 ? 2 : 0), lengthBytes === 8 ? 6 : 2)
    if (start + length > stream.length) break
    const mask = stream.subarray(start - maskBytes, start)
    const payload = Buffer.from(stream.subarray(start, start + length))
    if (maskBytes > 0) for (let i = 0; i < length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0)
    payloads.push(payload)
    at = start + length
  }
  return Buffer.concat(payloads)
}
