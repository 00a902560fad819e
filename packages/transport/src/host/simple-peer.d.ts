/**
 * simple-peer as far as it is used here. Its own types describe Node's streams, which neither a browser nor this
 * package's compilation knows. The minified file is the one that bundlers take untouched: the other needs `global`.
 */
declare module "simple-peer/simplepeer.min.js" {
  type PeerOptions = {
    initiator: boolean
    trickle: boolean
    objectMode: boolean
    channelConfig: RTCDataChannelInit
    config: RTCConfiguration
    wrtc?: unknown
  }
  export default class SimplePeer {
    constructor(options: PeerOptions)
    readonly destroyed: boolean
    /** Private to simple-peer, which has no other way to the descriptions in force and to back-pressure. */
    readonly _pc: RTCPeerConnection | null
    readonly _channel: RTCDataChannel | null
    signal(data: unknown): void
    send(bytes: Uint8Array): void
    destroy(): void
    on(event: "signal" | "data", listener: (value: unknown) => void): this
    on(event: "error", listener: (error: Error) => void): this
    on(event: "connect" | "close", listener: () => void): this
    on(event: "iceStateChange", listener: (state: RTCIceConnectionState) => void): this
  }
}
