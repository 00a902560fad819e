import type { Credential, CredentialChecker, Signer } from "../credentials.ts"
import type { HostCommand, IceServer, LinkNumber } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { SecurityCode } from "./connection.ts"

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
  /** Cryptographically random. */
  random(length: number): Uint8Array
  readonly iceServers: readonly IceServer[]
  nextLink(): LinkNumber
  nextRequest(): number
  post(command: HostCommand): void
  emit(output: MeshOutput): void
}

export type MeshOutput =
  | { readonly type: "linkUp"; readonly peer: MemberId; readonly incarnation: number; readonly credential: Credential }
  | { readonly type: "linkDown"; readonly peer: MemberId; readonly reason: string }
  /** Opened, in order, exactly once. */
  | { readonly type: "frame"; readonly peer: MemberId; readonly bytes: Uint8Array }
  | { readonly type: "server"; readonly state: "up" | "down" }
  /** `member`: whom it concerns, if that is known; not always who did it. */
  | {
      readonly type: "security"
      readonly code: SecurityCode
      readonly member: MemberId | null
      readonly detail: string
    }
