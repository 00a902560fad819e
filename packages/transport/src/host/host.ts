import { type Bootstrap, createBootstrap } from "./bootstrap.ts"
import type { MovedChannels } from "./moved-channels.ts"
import type { WebRtc } from "./peer-link.ts"
import { createPeers } from "./peers.ts"
import type { BootstrapEvent, Host, HostEvent } from "./port.ts"
import type { WarmConnections } from "./warm-connections.ts"

/**
 * Another way to the others than Keymoot's server. It is trusted with nothing, like that server: it can refuse service and
 * see who talks with whom, and no more. Each `conference-create`, `conference-get` and `room-enter` gets one
 * `bootstrap-reply`, and so does a command with a `request` that it does not know: `ok: false`.
 */
export type BootstrapFactory = (onEvent: (event: BootstrapEvent) => void) => Bootstrap

export type HostOptions = {
  /** Brings WebRTC where there is no browser. */
  readonly wrtc?: WebRtc
  readonly bootstrap?: BootstrapFactory
  /** Where the engine is in another thread: frames do not go through this one. */
  readonly movedChannels?: MovedChannels | undefined
  /** Of connections to Keymoot's servers, for all hosts of a page: who joins what has just been looked at need not connect anew. */
  readonly warm?: WarmConnections
}

/** The main thread's side: peer connections and the bootstrap connection. */
export function createHost(onEvent: (event: HostEvent) => void, options: HostOptions = {}): Host {
  const bootstrap = options.bootstrap ? options.bootstrap(onEvent) : createBootstrap(onEvent, options.warm)
  const { openRelay } = bootstrap
  const peers = createPeers(onEvent, { ...options, ...(openRelay ? { openRelay } : {}) })
  return {
    post: (command) => ("link" in command ? peers.post(command) : bootstrap.post(command)),
    close: () => {
      peers.close()
      bootstrap.close()
    },
  }
}
