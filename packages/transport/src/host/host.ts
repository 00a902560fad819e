import { createBootstrap } from "./bootstrap.ts"
import type { WebRtc } from "./peer-link.ts"
import { createPeers } from "./peers.ts"
import type { Host, HostEvent } from "./port.ts"

/** The main thread's side: peer connections and the bootstrap connection. Outside browsers `wrtc` brings WebRTC. */
export function createHost(onEvent: (event: HostEvent) => void, options: { readonly wrtc?: WebRtc } = {}): Host {
  const peers = createPeers(onEvent, options)
  const bootstrap = createBootstrap(onEvent)
  return {
    post: (command) => ("link" in command ? peers.post(command) : bootstrap.post(command)),
    close: () => {
      peers.close()
      bootstrap.close()
    },
  }
}
