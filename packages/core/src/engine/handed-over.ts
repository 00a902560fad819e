/** What was made for the other thread alone goes over to it; everything else is copied. */
import type { FromWorker, ToWorker } from "./worker-protocol.ts"

/** Buffers to transfer: of bytes that have one to themselves. */
export function buffersToHandOver(messages: readonly (ToWorker | FromWorker)[]): ArrayBuffer[] {
  const whole = messages.flatMap(bytesOf).filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))]
}

function bytesOf(message: ToWorker | FromWorker): readonly Uint8Array[] {
  switch (message.type) {
    case "send":
      return [message.bytes]
    case "event":
      return message.event.type === "messages" ? [message.event.bytes] : []
    case "host":
      return framesOf(message)
    default:
      return []
  }
}

/** Frames are sealed for the wire, or have come over it, and nobody else has them. */
function framesOf(message: (ToWorker | FromWorker) & { readonly type: "host" }): readonly Uint8Array[] {
  if ("command" in message) return message.command.type === "peer-send" ? message.command.frames : []
  return message.event.type === "peer-frames" ? message.event.frames : []
}
