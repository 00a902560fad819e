/** As far as they are used here; their own types do not fit what their packages export. */
declare module "simple-peer/simplepeer.min.js" {
  export default class SimplePeer {
    constructor(options: { readonly initiator: boolean; readonly config: RTCConfiguration })
    signal(data: unknown): void
    send(bytes: Uint8Array): void
    destroy(): void
    on(event: "signal" | "data", listener: (value: unknown) => void): this
    on(event: "connect", listener: () => void): this
  }
}

declare module "y-webrtc" {
  import type { Doc } from "yjs"
  export class WebrtcProvider {
    constructor(room: string, doc: Doc, options: { readonly signaling: readonly string[]; readonly peerOpts: object })
    on(event: "synced", listener: (event: { readonly synced: boolean }) => void): void
  }
}
