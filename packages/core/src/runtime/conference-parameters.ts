/** Configuration of a conference, and parameters of its layers that follow from its descriptor. */
import { invitationKey } from "@keymoot/gke"
import {
  defaultTimes,
  type GroupConfig,
  type HostPort,
  type MemberId,
  type Sink,
  type TraceSink,
} from "@keymoot/transport"
import type { IceTransportPolicy } from "@keymoot/transport/host"
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import type { DataCipher } from "../ciphers/aead.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import type { Invitation } from "../conference/invitation.ts"
import type { ConferenceRecord } from "../device/conference-record.ts"
import type { BlockStore } from "../device/stores/block-store.ts"
import type { LocalCopy } from "../device/stores/local-copy.ts"
import type { AgreementConfig } from "../driver/driver-config.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import { type Clock, platformRandomness } from "../platform/surroundings.ts"
import type { OwnKeyAgreement } from "../secure-group/view-keys.ts"
import type { Cryptography } from "../platform/cryptography.ts"
import type { EngineEvent } from "../rpc/protocol.ts"

export type ConferenceConfig = {
  readonly descriptor: Descriptor
  readonly invitation: Invitation
  readonly record: ConferenceRecord
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly cryptography: Cryptography
  /** The one that the descriptor names. */
  readonly cipher: DataCipher
  /** The key agreement that the descriptor names, if it is not built in. */
  readonly ownAgreement?: OwnKeyAgreement | undefined
  readonly transportPolicy: IceTransportPolicy
  /** Whether this identity created the conference just now, so that no other member can be present. */
  readonly created: boolean
  /** Early end that the creator has announced and that has come; null for none. */
  readonly announcedEndMs: number | null
  /** False for the copy on this device: nothing is sent, received or ticked, and its owner can only read it. */
  readonly connected: boolean
  readonly meshMax?: number | undefined
  readonly host: HostPort
  readonly sink: Sink<EngineEvent>
  /** The conference's data on this device; null for none. */
  readonly copy: LocalCopy | null
  /** Store of this conference's files, and the shelf's name in it. */
  readonly files: { readonly blocks: BlockStore; readonly shelf: string }
  /** Wall clock. */
  readonly clock: Clock
  readonly traceSink: TraceSink
}

/** Time that a joining member looks for others before it installs a view of its own. */
const ALONE_AFTER_MS = 4000
/** Digest of the hosts' statements under majority admission. There are none, because the roster is fixed. */
const NO_STATEMENTS = sha256(new Uint8Array(0))

export function conferenceTagOf({ conferenceId, hash }: Descriptor): Uint8Array {
  return sha256(concatBytes(hexToBytes(conferenceId), hash))
}

/** `created`: no other member can be present yet. */
export function groupOf(
  descriptor: Descriptor,
  { incarnation, epochFloor }: Pick<ConferenceRecord, "incarnation" | "epochFloor">,
  self: MemberId,
  created: boolean,
): GroupConfig {
  const isRoster = descriptor.admission.policy === "roster"
  return {
    self: { id: self, incarnation },
    conferenceTag: conferenceTagOf(descriptor),
    epochFloor,
    roster: isRoster ? rosterOf(descriptor).map(({ member }) => member) : null,
    membersMax: CONFERENCE_MEMBERS_MAX,
    ...defaultTimes,
    aloneAfterMs: created ? 0 : ALONE_AFTER_MS,
  }
}

/** Members that a roster names; none under other policies. */
export function rosterOf({ admission }: Descriptor): readonly MemberCredential[] {
  return admission.policy === "roster" ? admission.roster : []
}

export function agreementOf(
  descriptor: Descriptor,
  { primeGroup, x25519, verifier, kem }: Cryptography,
  cipher: DataCipher,
  own: OwnKeyAgreement | undefined,
): AgreementConfig {
  const { keyAgreement: module, postQuantum, roomKey, hash: descriptorHash } = descriptor
  const common = {
    group: primeGroup,
    conferenceId: hexToBytes(descriptor.conferenceId),
    descriptorHash,
    cipher,
    postQuantum,
    kem,
    invitation: invitationKey(roomKey, descriptorHash),
    random: platformRandomness,
  }
  if (module !== "majority") return { ...common, module, own }
  const roster = rosterOf(descriptor).map(({ member, publicKey, certificate }) => {
    return { member, publicKey, fingerprint: fingerprintOf(certificate) }
  })
  return { ...common, module, roster, statementsHash: NO_STATEMENTS, x25519, verifier }
}

/** See `MemberPrints`. */
export function identifiedBy({ admission }: Descriptor): "certificate" | "key" {
  return admission.policy === "ca" ? "key" : "certificate"
}

/** Returns a uniform number in [0, 1). */
export function randomPart(): number {
  return new DataView(randomBytes(4).buffer).getUint32(0) / 2 ** 32
}
