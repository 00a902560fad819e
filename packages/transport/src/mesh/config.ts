import type { Credential, CredentialChecker, Signer } from "../credentials.ts"
import type { HostCommand, IceServer, Lane, LinkNumber } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { SecurityCode } from "./connection.ts"
import type { HopCipher } from "./hop-cipher.ts"
import type { InvitationKeys } from "./keyring.ts"
import type { LinkPath } from "./peering.ts"

export interface MeshConfig {
  /** 16 bytes. */
  readonly conferenceId: Uint8Array
  /** 32 bytes. */
  readonly descriptorHash: Uint8Array
  /** Origin of the bootstrap server, as in the host's commands and events. */
  readonly server: string
  /** Of the present invitation. */
  readonly keys: InvitationKeys
  /** Of former invitations, the newest first. */
  readonly formerKeys?: readonly InvitationKeys[]
  readonly signer: Signer
  /** Safe integer; grows with each start of this identity in this conference. */
  readonly incarnation: number
  readonly credentials: CredentialChecker
  /**
   * Whether to link with this member, its certificate being good. With others nothing is begun, and they are told nothing.
   * `keys`: of which invitation its card showed knowledge; null where another member has told of it.
   */
  admits(credential: Credential, keys: InvitationKeys | null): boolean
  /** Whether a linked member may learn who else is here, and have its frames relayed; every one may unless given. */
  isInside?(member: MemberId): boolean
  /**
   * Whether to have a link of its own with somebody who is admitted; with everybody unless given. It may change at any time:
   * see `Mesh.part`. With others nothing is begun, and what they begin is dropped.
   */
  wants?(credential: Credential, keys: InvitationKeys | null): boolean
  /** Whether members are missing that should be linked, so that it is worth saying oftener who is here; null: as without this. */
  isMissing?(): boolean | null
  /** Cryptographically random. */
  random(length: number): Uint8Array
  /** This package's own, in JavaScript, unless given. */
  readonly hopCipher?: HopCipher
  readonly iceServers: readonly IceServer[]
  nextLink(): LinkNumber
  nextRequest(): number
  post(command: HostCommand): void
  emit(output: MeshOutput): void
}

export type MeshSendOptions = {
  /** `reliable` unless given; too long a message for `unreliable` goes over the reliable lane all the same. */
  readonly lane?: Lane
  /** What can be fetched later: it is turned away first when a member or a relay is slow, control messages are not. */
  readonly payload?: boolean
}

export type MeshOutput =
  /** `keys`: the newest of ours that the member has proved to hold. */
  | {
      readonly type: "linkUp"
      readonly peer: MemberId
      readonly incarnation: number
      readonly credential: Credential
      readonly keys: InvitationKeys
    }
  | { readonly type: "linkDown"; readonly peer: MemberId; readonly reason: string }
  /** Opened, in order, exactly once (on the unreliable lane: at most once, in any order). */
  | { readonly type: "frame"; readonly peer: MemberId; readonly bytes: Uint8Array }
  /** Something authentic has come since the last tick, if only a piece of a message: on a slow link that is long under way. */
  | { readonly type: "alive"; readonly peer: MemberId }
  /** The link to it is not congested any more. */
  | { readonly type: "ready"; readonly peer: MemberId }
  /** How the link goes from now on; after `linkUp`, and at every change. */
  | { readonly type: "path"; readonly peer: MemberId; readonly path: LinkPath }
  /** `Mesh.bufferedBytes` of this member may have fallen. */
  | { readonly type: "acknowledged"; readonly peer: MemberId }
  | { readonly type: "server"; readonly state: "up" | "down" }
  /** A later life of this member has come into the room, from another device with its key: nobody hears this one any more. */
  | { readonly type: "superseded" }
  /**
   * Somebody who is admitted has told the room that it is here; `greeted`: it has told this member itself, and can be
   * answered by `Mesh.signal`.
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
  /** `member`: whom it concerns, if that is known; not always who did it. */
  | {
      readonly type: "security"
      readonly code: SecurityCode
      readonly member: MemberId | null
      readonly detail: string
    }
