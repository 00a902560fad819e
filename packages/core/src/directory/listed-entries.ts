/**
 * Checks of what a directory lists. Its server is an adversary. An entry counts for what its certificate or its
 * creator's signature proves, and for nothing that the server says beside it.
 */
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { ListedConference, ListedPerson, ListedStanding } from "../api/index.ts"
import type { Onlooker } from "../admission/preview.ts"
import { publicPartOf } from "../conference/descriptor.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import { formatCard } from "../identity/card.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { ListedCertificate, ListedDescriptor } from "../rpc/protocol.ts"
import { equalBytes } from "../wire/index.ts"

/** @param onlooker null if this device has no identity, so that nobody is verified. */
export async function checkPerson(
  { fingerprint, name, certificate }: ListedCertificate,
  checker: MemberCredentialChecker,
  onlooker: Onlooker | null,
): Promise<ListedPerson> {
  const credential = await credentialOf(certificate, fingerprint, checker)
  if (credential?.name !== name) return { name, fingerprint, publicKey: null, standing: "unchecked", card: null }
  return personOf(credential, fingerprint, onlooker)
}

/** @param own the fingerprints of this identity's certificates, now and before, hex */
export async function checkConference(
  { id, startsAtMs, endsAtMs, creator: fingerprint, certificate, descriptor }: ListedDescriptor,
  own: ReadonlySet<string>,
  checker: MemberCredentialChecker,
  onlooker: Onlooker,
): Promise<ListedConference> {
  const credential = await credentialOf(certificate, fingerprint, checker)
  const creator = credential && personOf(credential, fingerprint, onlooker)
  const isOfId = descriptor !== null && conferenceIdOf(descriptorHashOf(descriptor)) === id
  const body = isOfId ? await publicPartOf(descriptor, checker) : null
  const signed =
    body !== null &&
    credential !== null &&
    equalBytes(credential.publicKey, body.creatorPublicKey) &&
    bytesToHex(body.hosts[0]!) === fingerprint &&
    body.startsAtMs === startsAtMs &&
    body.endsAtMs === endsAtMs &&
    body.admission.policy === "roster" &&
    body.admission.fingerprints.some((named) => own.has(bytesToHex(named)))
  return { id, opensAtMs: startsAtMs, endsAtMs, creator, signed }
}

async function credentialOf(
  certificate: Uint8Array | null,
  fingerprint: string,
  checker: MemberCredentialChecker,
): Promise<MemberCredential | null> {
  if (certificate === null || bytesToHex(fingerprintOf(certificate)) !== fingerprint) return null
  return checker.check(certificate)
}

function personOf(credential: MemberCredential, fingerprint: string, onlooker: Onlooker | null): ListedPerson {
  const { name, certificate } = credential
  const publicKey = bytesToHex(credential.publicKey)
  return { name, fingerprint, publicKey, standing: standingOf(credential, onlooker), card: formatCard(certificate) }
}

function standingOf({ member: id, name, publicKey }: MemberCredential, onlooker: Onlooker | null): ListedStanding {
  if (onlooker?.people.isVerifiedAs({ name, publicKey })) return "verified"
  return onlooker?.people.impostors([{ id, name, publicKey }]).has(id) ? "changed-key" : "unverified"
}
