import { createEngineWorker } from "#engine-worker"
import { KeymootError } from "../api.ts"
import { MovedChannels } from "@keymoot/transport/host"
import { buffersToHandOver } from "../engine/handed-over.ts"
import type { FromWorker, ToWorker } from "../engine/worker-protocol.ts"
import type { EngineThread } from "./engine-connection.ts"

/** The engine in a module worker. @throws KeymootError `unsupported-browser` */
export function startWorkerThread(createWorker: () => Worker = createEngineWorker): EngineThread {
  if (typeof Worker === "undefined" || typeof RTCPeerConnection === "undefined") {
    const message = "This browser lacks WebRTC or module workers. Use a current Chrome, Edge, Firefox or Safari."
    throw new KeymootError("unsupported-browser", message)
  }
  const worker = createWorker()
  const post = (messages: readonly ToWorker[], transfer: Transferable[]): void => worker.postMessage(messages, transfer)
  const movedChannels = new MovedChannels(
    // Those who compile this may know of no browser that can.
    (link, channel) => post([{ type: "channel", link, channel }], [channel as unknown as Transferable]),
    (link) => post([{ type: "channel-close", link }], []),
  )
  return {
    movedChannels,
    post: (messages) => post(messages, buffersToHandOver(messages)),
    listen: (onMessages, onFailure) => {
      worker.addEventListener("message", ({ data }: MessageEvent<readonly FromWorker[]>) => {
        for (const message of data) {
          if (message.type === "channel-news") movedChannels.told(message.news)
          else onMessages([message])
        }
      })
      // An error without a message is one of loading; the script's own errors have one.
      worker.addEventListener("error", ({ message }) => onFailure(message ? stopped(message) : notLoaded()))
    },
    close: () => worker.terminate(),
  }
}

function stopped(why: string): KeymootError {
  return new KeymootError("internal", `The engine stopped: ${why}. Reload the page.`)
}

function notLoaded(): KeymootError {
  const message = "A part of Keymoot could not be loaded. Check your connection and the server, then try again."
  return new KeymootError("server-unreachable", message)
}
