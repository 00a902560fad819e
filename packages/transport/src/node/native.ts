/** The used part of the module `node-datachannel`, a binding of libdatachannel. */
export type NativeModule = {
  readonly PeerConnection: new (name: string, config: NativeConfig) => NativeConnection
  /** Applies to all later connections of the process. Settings that are not given return to their defaults. */
  setSctpSettings?(settings: { readonly delayedSackTime: number }): void
}

export type NativeConfig = {
  readonly iceServers: NativeIceServer[]
  readonly iceTransportPolicy: "all" | "relay"
}

export type NativeIceServer = {
  readonly hostname: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  readonly relayType?: "TurnUdp"
}

type NativeDescription = { readonly type: string; readonly sdp: string }

/**
 * `setLocalDescription` and all methods of media are left out. The binding does not catch the exceptions of the former,
 * so each aborts the process: without free file descriptors, or in another signalling state. Automatic negotiation
 * makes the same descriptions inside `createDataChannel` and `setRemoteDescription`, whose exceptions are caught.
 */
export interface NativeConnection {
  close(): void
  createDataChannel(label: string, init: NativeChannelInit): NativeChannel
  setRemoteDescription(sdp: string, type: string): void
  addRemoteCandidate(candidate: string, mid: string): void
  remoteDescription(): NativeDescription | null
  /** Milliseconds, measured by SCTP. Negative if unknown. */
  rtt(): number
  onLocalDescription(callback: (sdp: string, type: string) => void): void
  onLocalCandidate(callback: (candidate: string, mid: string) => void): void
  onStateChange(callback: (state: string) => void): void
  onIceStateChange(callback: (state: string) => void): void
  onGatheringStateChange(callback: (state: string) => void): void
}

export type NativeChannelInit = {
  readonly negotiated: boolean
  readonly id: number
  readonly unordered: boolean
  readonly maxRetransmits?: number
}

export interface NativeChannel {
  close(): void
  sendMessageBinary(bytes: Uint8Array): boolean
  bufferedAmount(): number
  setBufferedAmountLowThreshold(bytes: number): void
  onMessage(callback: (message: string | Uint8Array | ArrayBuffer) => void): void
  onOpen(callback: () => void): void
  onBufferedAmountLow(callback: () => void): void
  onError(callback: (message: string) => void): void
  onClosed(callback: () => void): void
}
