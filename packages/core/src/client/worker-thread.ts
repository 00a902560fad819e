import { KeymootError } from "../api/index.ts"
import { MovedChannels } from "@keymoot/transport/host"
import { transferables, type FromWorker, type ToWorker } from "../rpc/worker-protocol.ts"
import type { EngineThread } from "./connection/engine-connection.ts"
import { engineWorker, hasStarted } from "./early-worker.ts"

/** Timeout for the engine's worker to load and start. A connection of 100 kbit/s needs 25 s. */
export const WORKER_START_MS_MAX = 60_000

/**
 * Runs the engine in a module worker. WebRTC is not required: without it every link stays on the server's relay.
 * @throws KeymootError `unsupported-browser`
 */
export function startWorkerThread(createWorker: () => Worker = engineWorker): EngineThread {
  if (typeof Worker === "undefined") {
    const message =
      "There are no module workers. Use a current Chrome, Edge, Firefox or Safari, or an identity of @keymoot/core/node."
    throw new KeymootError("unsupported-browser", message)
  }
  const worker = createWorker()
  let silence: ReturnType<typeof setTimeout> | undefined
  const post = (messages: readonly ToWorker[], transfer: Transferable[]): void => worker.postMessage(messages, transfer)
  const movedChannels = new MovedChannels(
    // Cast, because a consumer's type library may not know that data channels are transferable.
    (connectionId, channel) => post([{ type: "channel", connectionId, channel }], [channel as unknown as Transferable]),
    (connectionId) => post([{ type: "channel-close", connectionId }], []),
  )
  return {
    movedChannels,
    post: (messages) => post(messages, transferables(messages)),
    passMediaKeys: (id, port) => post([{ type: "media-keys", id, port }], port ? [port] : []),
    listen: (onMessages, onFailure) => {
      if (!hasStarted(worker)) silence = setTimeout(() => onFailure(silent()), WORKER_START_MS_MAX)
      worker.addEventListener("message", ({ data }: MessageEvent<readonly FromWorker[]>) => {
        clearTimeout(silence)
        for (const message of data) {
          if (message.type === "channel-news") movedChannels.onNews(message.news)
          else if (message.type === "not-loaded") onFailure(notLoaded())
          else onMessages([message])
        }
      })
      // An error without a message is a load error. Errors of the script have a message.
      worker.addEventListener("error", ({ message }) => onFailure(message ? stopped(message) : notLoaded()))
    },
    close: () => {
      clearTimeout(silence)
      worker.terminate()
    },
  }
}

function stopped(why: string): KeymootError {
  return new KeymootError("internal", `The engine stopped: ${why}. Reload the page.`)
}

export function notLoaded(): KeymootError {
  const message = "A part of Keymoot could not be loaded. Check your connection and the server, then try again."
  return new KeymootError("server-unreachable", message)
}

/** Addresses the developer that changed the build, and the person on a slow network. */
function silent(): KeymootError {
  const message =
    `The engine did not start within ${WORKER_START_MS_MAX / 1000} seconds. Check your connection, then reload the page. ` +
    "If it never starts, something changes keymoot-worker.js: serve the file of @keymoot/core/dist/browser as it is."
  return new KeymootError("server-unreachable", message)
}
