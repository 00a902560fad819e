/** Protocol between a page and its engine's worker: the engine's own, and data channels that move to it. */
import type { ChannelNews, ConnectionId } from "@keymoot/transport/host"
import type { FromEngine, ToEngine } from "./protocol.ts"

export type ToWorker =
  | ToEngine
  /** Transferred: the worker owns it from here on. */
  | { readonly type: "channel"; readonly connectionId: ConnectionId; readonly channel: RTCDataChannel }
  /** Transferred: one end of a channel to the media worker of this conference. Null: the call is over. */
  | { readonly type: "media-keys"; readonly id: string; readonly port: MessagePort | null }
  | { readonly type: "channel-close"; readonly connectionId: ConnectionId }

export type FromWorker =
  | FromEngine
  | { readonly type: "channel-news"; readonly news: ChannelNews }
  /** The cryptography did not load. A worker would not load it later either, so the page starts another one. */
  | { readonly type: "not-loaded" }

/** Buffers to transfer: those made only for the other thread. All others are copied. */
export function transferables(messages: readonly (ToWorker | FromWorker)[]): ArrayBuffer[] {
  return [...new Set(messages.flatMap(bytesOf).map(({ buffer }) => buffer as ArrayBuffer))]
}

/** Each fills its buffer, except for a run's unused capacity. */
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

/** Frames are encrypted for the wire or were received from it, so no other code uses them. */
function framesOf(message: (ToWorker | FromWorker) & { readonly type: "host" }): readonly Uint8Array[] {
  if ("command" in message) return message.command.type === "peer-send" ? message.command.frames : []
  return message.event.type === "peer-frames" ? message.event.frames : []
}
