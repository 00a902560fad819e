import type { NativeModule } from "./native.ts"
import { NodeConnection } from "./node-connection.ts"

/**
 * Milliseconds until SCTP acknowledges a single packet. By then the answer to a message has left, which carries the
 * acknowledgement along. The default of 20 ms makes one more packet for each. Peers retransmit after 200 ms at the
 * earliest (RFC 9260, section 6.2, allows 500 ms).
 */
const DELAYED_SACK_MS = 100

/** WebRTC for Node from the module `node-datachannel`, for `HostOptions.wrtc`. */
export function nodeWebRtc(native: NativeModule): NodeWebRtc {
  native.setSctpSettings?.({ delayedSackTime: DELAYED_SACK_MS })
  return {
    RTCPeerConnection: class extends NodeConnection {
      constructor(configuration?: RTCConfiguration) {
        super(native, configuration)
      }
    },
  }
}

export type NodeWebRtc = { readonly RTCPeerConnection: new (configuration?: RTCConfiguration) => NodeConnection }
