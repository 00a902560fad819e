import type { Credential, CredentialChecker, Signer } from "../credentials.ts"
import type { HostCommand, IceServer, Lane, LinkNumber } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { SecurityCode } from "./connection.ts"
import type { HopCipher } from "./hop-cipher.ts"
import type { LinkPath } from "./peering.ts"

export interface MeshConfig {
  /** 16 bytes. */
  readonly conferenceId: Uint8Array
  /** 32 bytes. */
  readonly descriptorHash: Uint8Array
  /** Origin of the bootstrap server, as in the host's commands and events. */
  readonly server: string
  /** 32 bytes each, derived from the invitation secret by the caller. */
  readonly keys: { readonly signal: Uint8Array; readonly advertisement: Uint8Array; readonly association: Uint8Array }
  readonly signer: Signer
  /** Safe integer; grows with each start of this identity in this conference. */
  readonly incarnation: number
  readonly credentials: CredentialChecker
  /** Whether this member may be in the conference, its certificate being good. With others nothing is begun, and they are told nothing. */
  admits(credential: Credential): boolean
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
  | { readonly type: "linkUp"; readonly peer: MemberId; readonly incarnation: number; readonly credential: Credential }
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
  /** `member`: whom it concerns, if that is known; not always who did it. */
  | {
      readonly type: "security"
      readonly code: SecurityCode
      readonly member: MemberId | null
      readonly detail: string
    }
