/**
 * The objects that only a browser's main thread can own, as commands and events: peer connections and the connection to
 * the bootstrap server. The engine posts commands and receives events. Whether a worker boundary separates the two
 * makes no difference here. Every type survives structured cloning.
 */

/** A description or a candidate of a peer connection. */
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

/**
 * `relay`: only through TURN, so that the peer learns no address of ours. Without a TURN server there is no connection.
 */
export type IceTransportPolicy = "all" | "relay"

/** Chosen by the engine, never used twice in one engine. */
export type ConnectionId = number & { readonly __brand: "ConnectionId" }

/** 16 random bytes as hex, chosen afresh at each `room-enter`. It is the server's only name for a member. */
export type RoomAddress = string & { readonly __brand: "RoomAddress" }

/**
 * Delivery guarantee of a frame. `reliable` ones arrive in order, whole and once while the connection lasts.
 * `unreliable` ones may be lost, repeated or reordered.
 */
export type Reliability = "reliable" | "unreliable"

export type PeerCommand =
  /** `iceServers`, `transportPolicy`: the owner of the mesh adds them on the way to the host. Default: none, and `all`. */
  | {
      readonly type: "peer-open"
      readonly connectionId: ConnectionId
      readonly initiator: boolean
      readonly iceServers?: readonly IceServer[]
      readonly transportPolicy?: IceTransportPolicy
    }
  | { readonly type: "peer-signal"; readonly connectionId: ConnectionId; readonly signal: PeerSignal }
  /**
   * Opens a connection through the server to `to`, which opens one with the same `circuit` number to us. Then it is
   * used as a peer connection is. `answering`: the other end has opened it and waits, so this end is connected at once.
   */
  | {
      readonly type: "relay-open"
      readonly connectionId: ConnectionId
      readonly server: string
      readonly room: string
      readonly to: RoomAddress
      readonly circuit: number
      readonly answering: boolean
    }
  | {
      readonly type: "peer-send"
      readonly connectionId: ConnectionId
      readonly reliability: Reliability
      readonly frames: readonly Uint8Array[]
    }
  | { readonly type: "peer-close"; readonly connectionId: ConnectionId }

export type PeerEvent =
  | { readonly type: "peer-signal"; readonly connectionId: ConnectionId; readonly signal: PeerSignal }
  /**
   * The channel is open. Fingerprints come from the descriptions in force: lower-case hex, no colons, SHA-256. They are
   * empty for a connection through the server.
   */
  | {
      readonly type: "peer-connected"
      readonly connectionId: ConnectionId
      readonly localFingerprint: string
      readonly remoteFingerprint: string
    }
  | {
      readonly type: "peer-frames"
      readonly connectionId: ConnectionId
      readonly reliability: Reliability
      readonly frames: readonly Uint8Array[]
    }
  /** `byPeer`: the other end has closed it. Otherwise it broke. */
  | {
      readonly type: "peer-closed"
      readonly connectionId: ConnectionId
      readonly byPeer: boolean
      readonly reason: string
    }

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
      /** `roomVerifier` of the secret with which members enter the room. */
      readonly verifier?: Uint8Array
      /** Ed25519 public key of the creator, which signs an announced end. */
      readonly creatorKey?: Uint8Array
    }
  | { readonly type: "conference-get"; readonly server: string; readonly request: number; readonly id: string }
  /** Announces the conference's end to people outside. `end`: signed by the creator. */
  | {
      readonly type: "conference-end"
      readonly server: string
      readonly request: number
      readonly id: string
      readonly end: Uint8Array
    }
  | {
      readonly type: "room-enter"
      readonly server: string
      readonly request: number
      readonly room: string
      readonly address: RoomAddress
      /**
       * Proof that we hold the invitation, for this address and connection, 64 bytes. Without it the server has few
       * places.
       */
      readonly proof?: Uint8Array
    }
  | { readonly type: "room-leave"; readonly server: string; readonly room: string; readonly address: RoomAddress }
  /** Requests STUN and TURN servers for a member in the room. The reply has `ice` or the reason for refusal. */
  | { readonly type: "ice-servers"; readonly server: string; readonly request: number; readonly room: string }
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

/** One server under several URLs. `lifetimeMs`: counted from the reply. */
export type TurnCredentials = {
  readonly urls: readonly string[]
  readonly username: string
  readonly credential: string
  readonly lifetimeMs: number
}

/** `stun`: URLs. */
export type IceGrant = { readonly stun: readonly string[]; readonly turn?: TurnCredentials }

export type BootstrapReply =
  | { readonly ok: true; readonly descriptor?: Uint8Array; readonly end?: Uint8Array; readonly ice?: IceGrant }
  | { readonly ok: false; readonly code: string; readonly message: string }

export type BootstrapEvent =
  /** Emitted at every change. After another "up" the engine re-enters its rooms. */
  | {
      readonly type: "bootstrap-state"
      readonly server: string
      readonly state: "up" | "down"
      /** With "up": the server's id of this connection, to which room proofs are bound. */
      readonly connection?: string
    }
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
  /** Never throws because of a peer or the server: such failures come back as events. */
  post(command: HostCommand): void
  /** Round-trip time of an open peer connection as WebRTC measures it. Null if it is unknown. */
  roundTripMs?(connectionId: ConnectionId): Promise<number | null>
  /** Closes every peer connection and socket. */
  close(): void
}
export type HostFactory = (onEvent: (event: HostEvent) => void) => Host
