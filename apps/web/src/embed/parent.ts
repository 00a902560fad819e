import { EMBED_VERSION, type EmbedMessage, type EmbedState, isHello, messagesBetween } from "./protocol.ts"

/** The window of the frame, as far as this needs it. */
export type FrameWindow = Pick<Window, "addEventListener" | "removeEventListener"> & {
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
}

export type Parent = { show(state: EmbedState): void; close(): void }

/**
 * Tells the page around the frame what happens here. It must say hello first, and have one of these origins. Each
 * message goes to the origin that the browser gave with the greeting, never to `*`.
 * @param greeted called with that origin
 */
export function openParent(frame: FrameWindow, origins: readonly string[], greeted: (origin: string) => void): Parent {
  let state: EmbedState = { at: "outside" }
  let parentOrigin: string | null = null

  function post(message: EmbedMessage, origin: string): void {
    frame.parent.postMessage({ keymoot: EMBED_VERSION, ...message }, origin)
  }

  function listen({ source, origin, data }: MessageEvent): void {
    // Another frame of the same site could post, and so could a window that opened this one.
    if (source !== frame.parent || !origins.includes(origin) || !isHello(data)) return
    parentOrigin = origin
    greeted(origin)
    for (const message of messagesBetween(null, state)) post(message, origin)
  }

  frame.addEventListener("message", listen)
  for (const origin of origins) post({ type: "ready" }, origin)
  return {
    show(next) {
      const messages = messagesBetween(state, next)
      state = next
      if (parentOrigin !== null) for (const message of messages) post(message, parentOrigin)
    },
    close: () => frame.removeEventListener("message", listen),
  }
}
