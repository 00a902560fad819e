import type { NativeModule } from "./native.ts"
import { NodeConnection } from "./node-connection.ts"

/** WebRTC for Node from the module `node-datachannel`, for `HostOptions.wrtc`. */
export function nodeWebRtc(native: NativeModule): NodeWebRtc {
  return {
    RTCPeerConnection: class extends NodeConnection {
      constructor(configuration?: RTCConfiguration) {
        super(native, configuration)
      }
    },
  }
}

export type NodeWebRtc = { readonly RTCPeerConnection: new (configuration?: RTCConfiguration) => NodeConnection }
