import { KeymootError } from "../api.ts"
import type { FromEngine } from "../engine/protocol.ts"
import type { EngineThread } from "./engine-connection.ts"

/** The engine in a module worker. @throws KeymootError `unsupported-browser` */
export function startWorkerThread(): EngineThread {
  if (typeof Worker === "undefined" || typeof RTCPeerConnection === "undefined") {
    const message = "This browser lacks WebRTC or module workers. Use a current Chrome, Edge, Firefox or Safari."
    throw new KeymootError("unsupported-browser", message)
  }
  const worker = new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module", name: "keymoot" })
  return {
    post: (messages) => worker.postMessage(messages),
    listen: (onMessages, onFailure) => {
      worker.addEventListener("message", ({ data }: MessageEvent<readonly FromEngine[]>) => onMessages(data))
      worker.addEventListener("error", (event) => onFailure(event.message || "it could not be loaded"))
    },
    close: () => worker.terminate(),
  }
}
