/** Configuration and events of a driver. */
import type { GroupConfig, GroupCore, MemberId, Signer, Sink, View } from "@keymoot/transport"
import type { EntryRules } from "../admission/entry-rules.ts"
import type { Faults } from "../platform/surroundings.ts"
import type { Authenticity, SecurityEvent } from "../api/index.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { MediaKeys } from "../media/epochs/media-keys.ts"
import type { BatchMessage, BatchService } from "../multicast/batch.ts"
import type { SecureGroupConfig } from "../secure-group/secure-group.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import type { MemberLinks } from "./member-links.ts"
import type { ConferenceTrace } from "../trace/conference-trace.ts"
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
      /** Source of an own batch, in the order of `messages`. */
      readonly own: readonly Outbound[]
    }
  | { readonly type: "refreshDue" }
  /** See `SecureGroupOutput`. */
  | { readonly type: "differing"; readonly view: View; readonly members: readonly MemberId[] }
  /** See `GroupOutput`. */
  | { readonly type: "unadmitted"; readonly coordinator: MemberId }
  | { readonly type: "security"; readonly event: SecurityEvent }

/** Configuration of the secure group except the knowledge of members. */
export type AgreementConfig = DistributiveOmit<SecureGroupConfig, "prints" | "self">
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export type DriverConfig = {
  readonly links: MemberLinks
  /** Cache of members' credentials, which the driver fills. */
  readonly known: KnownCredentials
  readonly group: GroupConfig
  /** The group core, if it is made elsewhere. It has the configuration `group`. */
  readonly core?: GroupCore
  readonly authenticity: Authenticity
  readonly secure: AgreementConfig
  readonly rules: Pick<EntryRules, "digest">
  /** Hex. */
  readonly conferenceId: string
  readonly self: MemberCredential
  /** Members that may join, if that set is fixed beforehand; otherwise empty. */
  readonly roster: readonly MemberCredential[]
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  /** See `MemberPrints`. */
  readonly identifiedBy: "certificate" | "key"
  /** Receives the keys of frames of voice and video. */
  readonly media?: Pick<MediaKeys, "onAgreeing" | "onKeyed" | "onceInstalled" | "onSecured">
  /** Events are sequential: the next one waits for the returned promise. */
  readonly sink: Sink<DriverEvent, void | Promise<void>>
  readonly faults: Faults
  readonly trace?: Pick<ConferenceTrace, "take">
}
