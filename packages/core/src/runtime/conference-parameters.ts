/** Parameters of a conference's layers that follow from its descriptor. */
import { invitationKey } from "@keymoot/gke"
import { defaultTimes, type GroupConfig, type MemberId } from "@keymoot/transport"
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import type { DataCipher } from "../ciphers/index.ts"
import type { Descriptor } from "../conference/index.ts"
import type { ConferenceRecord } from "../device/conference-record.ts"
import type { AgreementConfig } from "../driver/driver-config.ts"
import { fingerprintOf, type MemberCredential } from "../identity/index.ts"
import type { OwnKeyAgreement } from "../secure-group/index.ts"
import type { Cryptography } from "../platform/cryptography.ts"
import { platformRandomness } from "../platform/randomness.ts"

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
