/** What a driver is made of and what it tells. */
import type { GroupConfig, MemberId, Signer, View } from "@keymoot/transport"
import type { Authenticity, SecurityEvent } from "../api.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/index.ts"
import type { BatchMessage, BatchService } from "../multicast/index.ts"
import type { SecureGroupConfig } from "../secure-group/index.ts"
import type { Outbound } from "./outbox.ts"

export type DriverEvent =
  | { readonly type: "agreeing" | "keyed" | "secured"; readonly view: View }
  | {
      readonly type: "batch"
      readonly view: View
      readonly sender: MemberId
      readonly service: BatchService
      /** See `batchNumber`. */
      readonly sequence: number
      readonly messages: readonly BatchMessage[]
      /** For a batch of ours: what it was made of, in the order of `messages`. */
      readonly own: readonly Outbound[]
    }
  | { readonly type: "refreshDue" }
  /** See `SecureGroupOutput`. */
  | { readonly type: "apart"; readonly view: View; readonly members: readonly MemberId[] }
  /** See `GroupOutput`. */
  | { readonly type: "unadmitted"; readonly coordinator: MemberId }
  | { readonly type: "security"; readonly event: SecurityEvent }

/** What the secure group needs besides knowing the members. */
export type AgreementConfig = DistributiveOmit<SecureGroupConfig, "fingerprintOf" | "self">
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export type DriverConfig = {
  readonly group: GroupConfig
  /** `signature` unless given. */
  readonly authenticity?: Authenticity
  readonly secure: AgreementConfig
  /** Over what hosts have said, as far as it is known here now (32 bytes). */
  readonly statementsDigest: () => Uint8Array
  /** Hex. */
  readonly conferenceId: string
  readonly self: MemberCredential
  /** Those who may be in the conference, known beforehand; empty where that is not limited. */
  readonly roster: readonly MemberCredential[]
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  /** 32 bytes by which key agreement knows a member. */
  readonly fingerprintOf: (member: MemberCredential) => Uint8Array
  /** Events come one after another: the next waits for what the former returned. */
  readonly emit: (event: DriverEvent) => void | Promise<void>
  /** An invariant of ours is broken: the conference cannot go on. */
  readonly fail: (error: unknown) => void
}
