import type { Credential, CredentialChecker, Signer } from "../../members/credentials.ts"
import type { ConnectionId, HostCommand, Reliability } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Feature, OlderEnd, Protocol } from "./protocol.ts"
import type { HopCipher } from "./hop-cipher.ts"
import type { SeedSigner } from "../../room/room-key-pair.ts"
import type { X25519 } from "./x25519.ts"
import type { Kem } from "./kem.ts"
import type { InvitationKeys } from "./keyring.ts"
import type { NetworkEvent } from "./network-trace.ts"
import type { Randomness } from "./randomness.ts"
import type { Sink } from "./sink.ts"

export type LinkPath = "direct" | "relayed-by-member" | "relayed-by-server"

export type SecurityCode =
  | "fingerprint-mismatch"
  | "forged-signal"
  | "bad-association"
  | "bad-credential"
  | "bad-frame"
  /** This program failed to handle a message. It is a fault of its own, contained to that link. */
  | "handling-failed"

/** The host, and ids for its connections and requests. Conferences of one engine share them. */
export interface HostPort {
  nextConnection(): ConnectionId
  nextRequest(): number
  post(command: HostCommand): void
}

/** Decisions of the layers above about other members. */
export interface NetworkPolicy {
  /**
   * Whether to link with this member, whose certificate is valid. Other members get no offer and no notice. `keys`: the
   * invitation that its card proved knowledge of. Null if another member reported it.
   */
  admits(credential: Credential, keys: InvitationKeys | null): boolean
  /**
   * Whether a linked member may learn who else is present, use relaying and be in a view. Default: every member may.
   */
  isInside?(member: MemberId): boolean
  /**
   * Whether to have a link of its own with an admitted member. Default: with every member. The answer may change at any
   * time: see `Mesh.part`. Other members get no offer, and their offers are dropped.
   */
  wants?(credential: Credential, keys: InvitationKeys | null): boolean
  /**
   * Whether the caller decides when this member advertises in the room, by `Mesh.announce`. Default: the mesh decides,
   * and advertises more often while a contact has no link. The first advertisements after an entry are always its own.
   */
  advertises?(): boolean
}

export interface MeshConfig {
  /** 16 bytes. */
  readonly conferenceId: Uint8Array
  /** 32 bytes. */
  readonly descriptorHash: Uint8Array
  /** Origin of the bootstrap server, as in the host's commands and events. */
  readonly server: string
  /**
   * 32 bytes for `proveRoom`. Without it the server counts this member among those that know only the conference id.
   */
  readonly roomSecret?: Uint8Array
  /** Signs with `roomSecret`. Default: the implementation of this package, in JavaScript. */
  readonly roomSigner?: SeedSigner | undefined
  /** Keys of the present invitation. */
  readonly keys: InvitationKeys
  /** Keys of former invitations, newest first. */
  readonly formerKeys?: readonly InvitationKeys[]
  readonly signer: Signer
  /** Safe integer. Grows with each start of this identity in this conference. */
  readonly incarnation: number
  readonly credentials: CredentialChecker
  readonly policy: NetworkPolicy
  readonly random: Randomness
  /** Default: the implementation of this package, in JavaScript. */
  readonly hopCipher?: HopCipher
  /** Default: the implementation of this package, in JavaScript. */
  readonly x25519?: X25519
  /**
   * Makes the keys of links hybrid: secret as long as X25519 or this KEM holds. A link with a member that does not use
   * one is refused, so all members of a conference have one, or none has.
   */
  readonly kem?: Kem | undefined
  /** Default: `PROTOCOL`. */
  readonly protocol?: Protocol
  readonly host: HostPort
  readonly sink: Sink<MeshOutput>
}

export type MeshSendOptions = {
  /** Default: `reliable`. A message too long for `unreliable` is sent as reliable. */
  readonly reliability?: Reliability
  /**
   * Content that can be fetched later. It is refused first if a member or a relay is slow. Control messages are not.
   */
  readonly payload?: boolean
}

/** A member that is in the room now and has another major version, so no link is possible. */
export type OtherVersion = {
  readonly peer: MemberId
  readonly credential: Credential
  /** Major versions. */
  readonly theirs: number
  readonly ours: number
  readonly older: OlderEnd
}

export type MeshOutput =
  /** A change of a connection, for the trace. `traceMesh` derives the other events from outputs. */
  | { readonly type: "traced"; readonly event: NetworkEvent }
  /**
   * `keys`: the newest of ours that the member has proved to hold. `features`: of the protocol, those that both ends
   * support.
   */
  | {
      readonly type: "linkUp"
      readonly peer: MemberId
      readonly incarnation: number
      readonly credential: Credential
      readonly keys: InvitationKeys
      readonly features: readonly Feature[]
    }
  | { readonly type: "linkDown"; readonly peer: MemberId; readonly reason: string }
  /** Opened, in order, exactly once (if unreliable: at most once, in any order). */
  | { readonly type: "frame"; readonly peer: MemberId; readonly bytes: Uint8Array }
  /**
   * Authentic bytes have come since the last tick, if only a piece of a message: on a slow link a message takes long.
   */
  | { readonly type: "alive"; readonly peer: MemberId }
  /** The link is no longer congested. */
  | { readonly type: "ready"; readonly peer: MemberId }
  /** The member takes messages and does not acknowledge them in time. Its link goes down next. */
  | { readonly type: "obstructed"; readonly peer: MemberId }
  /** The present path of the link. Emitted after `linkUp` and at every change. */
  | { readonly type: "path"; readonly peer: MemberId; readonly path: LinkPath }
  /** `Mesh.bufferedBytes` of this member may have fallen. */
  | { readonly type: "acknowledged"; readonly peer: MemberId }
  | { readonly type: "server"; readonly state: "up" | "down" }
  /** The complete list, whenever it has changed: see `OtherVersion`. */
  | { readonly type: "otherVersions"; readonly others: readonly OtherVersion[] }
  /**
   * A later incarnation of this member has entered the room, from another device with its key. Members ignore this one.
   */
  | { readonly type: "superseded" }
  /**
   * An admitted member has advertised itself in the room. `greeted`: it has sent this member a hello, so `Mesh.signal`
   * can answer it.
   */
  | {
      readonly type: "contact"
      readonly peer: MemberId
      readonly credential: Credential
      readonly keys: InvitationKeys
      readonly greeted: boolean
    }
  /** Through the room, from a contact: see `Mesh.signal`. `keys`: of the invitation under which its card came. */
  | {
      readonly type: "signal"
      readonly peer: MemberId
      readonly credential: Credential
      readonly keys: InvitationKeys
      readonly bytes: Uint8Array
    }
  /** `member`: the member concerned, if known. It is not always the culprit. */
  | {
      readonly type: "security"
      readonly code: SecurityCode
      readonly member: MemberId | null
      readonly detail: string
    }
