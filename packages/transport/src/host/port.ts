/**
 * What only a browser's main thread can own, as commands to it and events from it: peer connections and the
 * connection to the bootstrap server. The engine posts commands and is handed events; whether a worker boundary
 * lies between the two is nobody's business here. Every type survives structured cloning.
 */

/** One signalling datum of a peer connection. simple-peer's renegotiation and transceiver requests are never used. */
export type PeerSignal =
  | { readonly type: "offer" | "answer"; readonly sdp: string }
  | {
      readonly type: "candidate"
      readonly candidate: string
      readonly sdpMid: string | null
      readonly sdpMLineIndex: number | null
    }

export type IceServer = {
  readonly urls: string | readonly string[]
  readonly username?: string
  readonly credential?: string
}

/** `relay`: only through TURN, so that the peer learns no address of ours; without a TURN server there is no connection. */
export type IceTransportPolicy = "all" | "relay"

/** Chosen by the engine, never used twice in one engine. */
export type LinkNumber = number & { readonly __brand: "LinkNumber" }

/** 16 random bytes as hex, chosen afresh at each `room-enter`: the server's only name for one of us. */
export type RoomAddress = string & { readonly __brand: "RoomAddress" }

/**
 * Frames of one lane: `reliable` ones arrive in order, whole and once while the link lasts; of `unreliable` ones any may
 * be lost, repeated or overtaken.
 */
export type Lane = "reliable" | "unreliable"

export type PeerCommand =
  | {
      readonly type: "peer-open"
      readonly link: LinkNumber
      readonly initiator: boolean
      readonly iceServers: readonly IceServer[]
      readonly transportPolicy?: IceTransportPolicy
    }
  | { readonly type: "peer-signal"; readonly link: LinkNumber; readonly signal: PeerSignal }
  /** A link through the server to `to`, which opens one of the same `circuit` number to us. Then as a peer connection. */
  | {
      readonly type: "relay-open"
      readonly link: LinkNumber
      readonly server: string
      readonly room: string
      readonly to: RoomAddress
      readonly circuit: number
    }
  | {
      readonly type: "peer-send"
      readonly link: LinkNumber
      readonly lane: Lane
      readonly frames: readonly Uint8Array[]
    }
  | { readonly type: "peer-close"; readonly link: LinkNumber }

export type PeerEvent =
  | { readonly type: "peer-signal"; readonly link: LinkNumber; readonly signal: PeerSignal }
  /**
   * The channel is open. Fingerprints are read from the descriptions in force: lower-case hex, no colons, SHA-256; a link
   * through the server has none, and these are empty.
   */
  | {
      readonly type: "peer-connected"
      readonly link: LinkNumber
      readonly localFingerprint: string
      readonly remoteFingerprint: string
    }
  | {
      readonly type: "peer-frames"
      readonly link: LinkNumber
      readonly lane: Lane
      readonly frames: readonly Uint8Array[]
    }
  /** `bufferedBytes`, when it has fallen by much (`BUFFERED_STEP_BYTES`) below what was told last and what was sent since. */
  | { readonly type: "peer-buffered"; readonly link: LinkNumber; readonly bufferedBytes: number }
  /** `byPeer`: the other end has closed it; else it broke. */
  | { readonly type: "peer-closed"; readonly link: LinkNumber; readonly byPeer: boolean; readonly reason: string }

/** `request` numbers pair a command with its `bootstrap-reply`. `room` is the conference id in hex. */
export type BootstrapCommand =
  | { readonly type: "bootstrap-connect"; readonly server: string }
  | { readonly type: "bootstrap-disconnect"; readonly server: string }
  | {
      readonly type: "conference-create"
      readonly server: string
      readonly request: number
      readonly id: string
      readonly descriptor: Uint8Array
      readonly expiresAtMs: number
    }
  | { readonly type: "conference-get"; readonly server: string; readonly request: number; readonly id: string }
  | {
      readonly type: "room-enter"
      readonly server: string
      readonly request: number
      readonly room: string
      readonly address: RoomAddress
    }
  | { readonly type: "room-leave"; readonly server: string; readonly room: string; readonly address: RoomAddress }
  /** For somebody in the room; the reply brings `turn` or says why not. */
  | { readonly type: "turn-credentials"; readonly server: string; readonly request: number; readonly room: string }
  | {
      readonly type: "room-advertise"
      readonly server: string
      readonly room: string
      readonly advertisement: Uint8Array
    }
  | {
      readonly type: "room-signal"
      readonly server: string
      readonly room: string
      readonly to: RoomAddress
      readonly envelope: Uint8Array
    }

/** One server under several URLs. `lifetimeMs`: from the reply on. */
export type TurnCredentials = {
  readonly urls: readonly string[]
  readonly username: string
  readonly credential: string
  readonly lifetimeMs: number
}

export type BootstrapReply =
  | { readonly ok: true; readonly descriptor?: Uint8Array; readonly turn?: TurnCredentials }
  | { readonly ok: false; readonly code: string; readonly message: string }

export type BootstrapEvent =
  /** Sent at every change; after "up" again the engine re-enters its rooms. */
  | { readonly type: "bootstrap-state"; readonly server: string; readonly state: "up" | "down" }
  | {
      readonly type: "bootstrap-reply"
      readonly server: string
      readonly request: number
      readonly reply: BootstrapReply
    }
  | {
      readonly type: "room-advertisement"
      readonly server: string
      readonly room: string
      readonly from: RoomAddress
      readonly advertisement: Uint8Array
    }
  | {
      readonly type: "room-signal"
      readonly server: string
      readonly room: string
      readonly from: RoomAddress
      readonly envelope: Uint8Array
    }

export type HostCommand = PeerCommand | BootstrapCommand
export type HostEvent = PeerEvent | BootstrapEvent

/** The main thread's side, in-process or behind a worker boundary. */
export interface Host {
  /** Never throws for what a peer or the server did: that comes back as an event. */
  post(command: HostCommand): void
  /** Closes every peer connection and socket. */
  close(): void
}
export type HostFactory = (onEvent: (event: HostEvent) => void) => Host
