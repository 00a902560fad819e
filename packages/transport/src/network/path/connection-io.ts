import type { MemberId } from "../../members/ids.ts"
import type { Credential } from "../../members/credentials.ts"
import type { ConnectionId, PeerCommand, PeerEvent, Reliability, RoomAddress } from "../../port/port.ts"
import type { Role } from "../association/transcript.ts"
import type { Control } from "../messages/control.ts"
import type { Signal } from "../messages/signal.ts"
import type { SecurityCode } from "../shared/config.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import type { Feature } from "../shared/protocol.ts"

/** Carrier of the frames: a peer connection, or the server. */
export type Carrier =
  | { readonly type: "webrtc" }
  | { readonly type: "server"; readonly server: string; readonly room: string; readonly to: RoomAddress }

export type ConnectionConfig = {
  readonly id: ConnectionId
  readonly peer: Credential
  readonly peerIncarnation: number
  /** The initiator makes the offer and is the association's initiator too. */
  readonly role: Role
  readonly attempt: number
  readonly carrier: Carrier
  /** The first message of the peer's association, if it came with the request for this connection. */
  readonly opening?: Uint8Array
}

/** The target and the kind of a connection that is to be made. */
export type Opening = Omit<ConnectionConfig, "id">

export type ConnectionInput =
  | { readonly type: "peer"; readonly event: PeerEvent }
  /** An authenticated signal of this attempt. */
  | { readonly type: "signal"; readonly signal: Signal & { kind: "description" | "candidate" } }
  | { readonly type: "signed"; readonly signature: Uint8Array }
  | { readonly type: "verified"; readonly ok: boolean }
  | { readonly type: "flush" }
  | { readonly type: "tick" }
  /** Repeat the signals that the peer has not answered: it may have missed them. */
  | { readonly type: "repeat" }
  /** See `PathOutput`. */
  | { readonly type: "nudge" }
  | { readonly type: "close"; readonly reason: string }
  /** The peer has violated the protocol above the association. */
  | { readonly type: "refuse"; readonly detail: string }

/** `member`: the peer, or null if the server could have caused it. */
export type ConnectionFault = { readonly code: SecurityCode; readonly member: MemberId | null; readonly detail: string }

/** How a connection ended: closed by the other end, or for any other reason. */
export type Ending = "by-peer" | "failure"
export type ConnectionOutput =
  | { readonly type: "post"; readonly command: PeerCommand }
  | { readonly type: "signal"; readonly signal: Signal }
  | { readonly type: "dropped"; readonly reason: string }
  /** Sign with our identity. The caller answers with `signed`. */
  | { readonly type: "sign"; readonly bytes: Uint8Array }
  /** Verify with the peer's identity. The caller answers with `verified`. */
  | { readonly type: "verify"; readonly bytes: Uint8Array; readonly signature: Uint8Array }
  /** From now on `control` accepts messages, which are sent first. */
  | { readonly type: "proved" }
  /** `keys`: the newest of ours that the peer has proved to hold. `features`: those that both ends support. */
  | { readonly type: "up"; readonly keys: InvitationKeys; readonly features: readonly Feature[] }
  | { readonly type: "message"; readonly bytes: Uint8Array; readonly reliability: Reliability }
  | { readonly type: "control"; readonly control: Control }
  /** Emitted once, as the last output. */
  | {
      readonly type: "ended"
      readonly reason: string
      readonly ending: Ending
      readonly security: ConnectionFault | null
    }
