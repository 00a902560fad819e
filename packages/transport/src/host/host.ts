import { type Bootstrap, createBootstrap } from "./bootstrap.ts"
import { isBootstrapEvent } from "./own-bootstrap.ts"
import type { MovedChannels } from "./moved-channels.ts"
import type { WebRtc } from "./peer-connection.ts"
import { createPeers } from "./peers.ts"
import type { BootstrapEvent, Host, HostEvent } from "../port/port.ts"
import type { WarmConnections } from "./warm-connections.ts"

/**
 * Another way to the other members than Keymoot's server. It is as untrusted as that server: it can refuse service and
 * observe who communicates with whom, and no more. Each `conference-create`, `conference-get`, `conference-end` and
 * `room-enter` gets one `bootstrap-reply`. So does an unknown command with a `request`: `ok: false`. Anything that is
 * no event of a bootstrap is dropped, so what a server sends may be passed on as it is.
 */
export type BootstrapFactory = (onEvent: (event: BootstrapEvent) => void) => Bootstrap

export type HostOptions = {
  /** The WebRTC implementation where there is no browser. */
  readonly wrtc?: WebRtc
  readonly bootstrap?: BootstrapFactory
  /** Set if the engine is in another thread: then frames do not pass through this one. */
  readonly movedChannels?: MovedChannels | undefined
  /**
   * Connections to Keymoot's servers, shared by all hosts of a page. So joining a conference after looking at it needs
   * no new connection.
   */
  readonly warm?: WarmConnections
}

/** The main thread's side: peer connections and the bootstrap connection. */
export function createHost(onEvent: (event: HostEvent) => void, options: HostOptions = {}): Host {
  const bootstrap = options.bootstrap
    ? options.bootstrap((event) => isBootstrapEvent(event) && onEvent(event))
    : createBootstrap(onEvent, options.warm)
  const peers = createPeers(onEvent, { ...options, bootstrap })
  return {
    post: (command) => ("connectionId" in command ? peers.post(command) : bootstrap.post(command)),
    roundTripMs: (link) => peers.roundTripMs(link),
    close: () => {
      peers.close()
      bootstrap.close()
    },
  }
}
