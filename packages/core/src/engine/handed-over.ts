/** What was made for the other thread alone goes over to it; everything else is copied. */
import type { FromWorker, ToWorker } from "./worker-protocol.ts"

/** Buffers to transfer. */
export function buffersToHandOver(messages: readonly (ToWorker | FromWorker)[]): ArrayBuffer[] {
  return [...new Set(messages.flatMap(bytesOf).map(({ buffer }) => buffer as ArrayBuffer))]
}

/** Each with nothing beside it in its buffer but, of a run, room that was left. */
function bytesOf(message: ToWorker | FromWorker): readonly Uint8Array[] {
  switch (message.type) {
    case "send":
      return [message.bytes]
    case "event":
      return message.event.type === "messages" ? [message.event.bytes] : []
    case "host":
      return framesOf(message).filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)
    default:
      return []
  }
}

/** Frames are sealed for the wire, or have come over it, and nobody else has them. */
function framesOf(message: (ToWorker | FromWorker) & { readonly type: "host" }): readonly Uint8Array[] {
  if ("command" in message) return message.command.type === "peer-send" ? message.command.frames : []
  return message.event.type === "peer-frames" ? message.event.frames : []
}
