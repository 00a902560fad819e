/** The descriptor as members know it, read from the untrusted one that the server holds. */
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { KeymootError } from "../api/index.ts"
import { type Authority, checkIssued, readAuthority } from "../identity/certificates/authority.ts"
import {
  createCredentialChecker,
  type MemberCredential,
  type MemberCredentialChecker,
} from "../identity/certificates/credential-checker.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import { open } from "../ciphers/sealing.ts"
import { decodeOrNull, domainSeparated, equalBytes } from "../wire/index.ts"
import {
  descriptorBlob,
  type DescriptorBody,
  descriptorBody,
  descriptorSigningBytes,
  isValidTitle,
  signedDescriptor,
  type SignedDescriptor,
} from "./descriptor-codec.ts"
import { derive32, type Invitation } from "./invitation.ts"
import { isRoster } from "./roster.ts"

/**
 * Admission in addition to holding the link. `roster`: sorted by member id, the creator included; `ca`: people that the
 * authority certified, the creator included.
 */
export type Admission =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly roster: readonly MemberCredential[] }
  | { readonly policy: "ca"; readonly authority: Authority }

/** A conference as its members know it. */
export type Descriptor = Omit<DescriptorBody, "salt" | "sealedRoomKey" | "sealedBlob" | "admission"> & {
  /** Hex, 32 digits: `conferenceIdOf` of the hash. */
  readonly conferenceId: string
  readonly admission: Admission
  readonly hash: Uint8Array
  readonly title: string
  readonly creator: MemberCredential
  /** 32 bytes, secret. */
  readonly roomKey: Uint8Array
}

/**
 * Decrypts and checks the untrusted descriptor that the server sent for an invitation. It also opens a conference that
 * has not started or is over, with its times. `invalid-link` means that the descriptor is the pinned one, but this link or this
 * version cannot open it.
 * @param nowMs milliseconds since 1970.
 * @throws KeymootError `descriptor-mismatch` (not the descriptor that the link pins), `invalid-link`
 */
export async function openDescriptor(
  bytes: Uint8Array,
  invitation: Invitation,
  checker: MemberCredentialChecker,
  nowMs: number,
): Promise<Descriptor> {
  const hash = descriptorHashOf(bytes)
  if (!equalBytes(hash, invitation.descriptorHash)) throw mismatch()
  // From here on the hash is verified. Faults are those of the link's creator, not the server's.
  const { signed, body } = decodeSigned(bytes)
  if (conferenceIdOf(hash) !== invitation.conferenceId)
    throw unusable("Its parts belong to different conferences. Copy the link again.")
  await assertSigned(signed, body, checker)
  const { salt, sealedRoomKey, generation } = body
  const sealingKey = roomKeySealingKey(invitation.secret, salt, generation)
  const sealedFrom = sealedFor("room key", salt)
  const roomKey = invitation.roomKey?.slice() ?? (await open(sealingKey, sealedFrom, sealedRoomKey))
  if (roomKey === null) throw unusable("Its key does not belong to this conference. Copy the link again.")
  return { ...(await openBlob(hash, body, blobKey(roomKey, salt), checker, nowMs)), roomKey }
}

/**
 * Key to the names and the title in a descriptor. It decrypts nothing else.
 * @param bytes a descriptor that `openDescriptor` opened with this room key
 */
export function blobKeyOf(bytes: Uint8Array, roomKey: Uint8Array): Uint8Array {
  return blobKey(roomKey, decodeSigned(bytes).body.salt)
}

/**
 * Checks and reads a descriptor with the key to its names. Certificates in it were valid at some time from the
 * conference's start until `nowMs`.
 * @throws KeymootError `invalid-link`
 */
export async function readDescriptor(
  bytes: Uint8Array,
  key: Uint8Array,
  nowMs: number,
): Promise<Omit<Descriptor, "roomKey">> {
  const { signed, body } = decodeSigned(bytes)
  const { startsAtMs } = body
  const checker = createCredentialChecker(
    () => nowMs,
    undefined,
    () => startsAtMs,
  )
  await assertSigned(signed, body, checker)
  return openBlob(descriptorHashOf(bytes), body, key, checker, nowMs, startsAtMs)
}

/** @throws KeymootError `invalid-link` */
function decodeSigned(bytes: Uint8Array): { signed: SignedDescriptor; body: DescriptorBody } {
  const signed = decodeOrNull(signedDescriptor, bytes)
  const body = signed && decodeOrNull(descriptorBody, signed.body)
  if (signed === null || body === null)
    throw unusable("It was made by another version of Keymoot. Reload this page and try again.")
  return { signed, body }
}

async function assertSigned(
  signed: SignedDescriptor,
  body: DescriptorBody,
  checker: MemberCredentialChecker,
): Promise<void> {
  if (await checker.verify(body.creatorPublicKey, descriptorSigningBytes(signed.body), signed.signature)) return
  throw unusable("The creator's signature is not valid. Ask for a new link.")
}

async function openBlob(
  hash: Uint8Array,
  { salt, sealedRoomKey: _sealedRoomKey, sealedBlob, ...visible }: DescriptorBody,
  key: Uint8Array,
  checker: MemberCredentialChecker,
  nowMs: number,
  sinceMs = nowMs,
): Promise<Omit<Descriptor, "roomKey">> {
  const blobBytes = await open(key, sealedFor("blob", salt), sealedBlob)
  const blob = blobBytes && decodeOrNull(descriptorBlob, blobBytes)
  const authority = visible.admission.policy === "ca" && blob ? await authorityOf(blob.certificates) : null
  const untilMs = Math.min(nowMs, visible.endsAtMs)
  const creator =
    blob && (await checkCreator(blob.creatorCertificate, authority, checker, untilMs, Math.min(sinceMs, untilMs)))
  if (blob === null || !isValidTitle(blob.title) || creator === null || !isCreator(creator, visible)) {
    throw unusable("The conference names no creator. Ask for a new link.")
  }
  const admission = authority
    ? ({ policy: "ca", authority } as const)
    : await admissionOf(visible, blob.certificates, creator, checker)
  if (admission === null)
    throw unusable("Its roster is not valid, or a certificate in it has expired. Ask for a new link.")
  return { ...visible, conferenceId: conferenceIdOf(hash), admission, hash, title: blob.title, creator }
}

/**
 * Returns the part of a descriptor that the server can read too, if the creator's key signed it. Without the link, its
 * names and its room key stay sealed.
 */
export async function publicPartOf(
  bytes: Uint8Array,
  checker: MemberCredentialChecker,
): Promise<DescriptorBody | null> {
  try {
    const { signed, body } = decodeSigned(bytes)
    await assertSigned(signed, body, checker)
    return body
  } catch {
    return null
  }
}

async function admissionOf(
  { admission }: Pick<DescriptorBody, "admission">,
  certificates: readonly Uint8Array[],
  creator: MemberCredential,
  checker: MemberCredentialChecker,
): Promise<Admission | null> {
  if (admission.policy === "ca") return null
  if (admission.policy !== "roster") return certificates.length === 0 ? { policy: admission.policy } : null
  const others = await Promise.all(certificates.map((certificate) => checker.check(certificate)))
  if (others.includes(null)) return null
  const roster = [creator, ...(others as MemberCredential[])].sort((a, b) => (a.member < b.member ? -1 : 1))
  return isRoster(roster, admission.fingerprints) ? { policy: "roster", roster } : null
}

/** Returns null unless there is exactly one root that may issue certificates. */
async function authorityOf([certificate, ...more]: readonly Uint8Array[]): Promise<Authority | null> {
  const authority = certificate && more.length === 0 ? await readAuthority(certificate) : null
  return typeof authority === "string" ? null : authority
}

async function checkCreator(
  certificate: Uint8Array,
  authority: Authority | null,
  checker: MemberCredentialChecker,
  nowMs: number,
  sinceMs: number,
): Promise<MemberCredential | null> {
  if (!authority) return checker.check(certificate)
  const checked = await checkIssued(authority, certificate, nowMs, sinceMs)
  return typeof checked === "string" ? null : checked
}

function isCreator(creator: MemberCredential, body: Pick<DescriptorBody, "creatorPublicKey" | "hosts">): boolean {
  return (
    equalBytes(creator.publicKey, body.creatorPublicKey) &&
    equalBytes(fingerprintOf(creator.certificate), body.hosts[0]!)
  )
}

function mismatch(): KeymootError {
  const message =
    "The server answered with another conference than the one in the link. Do not go on: the server may be hostile."
  return new KeymootError("descriptor-mismatch", message)
}

function unusable(reason: string): KeymootError {
  return new KeymootError("invalid-link", `This link cannot be used. ${reason}`)
}

// Keys to the sealed parts of a descriptor, and what binds each part to its place

/**
 * Derives the key that encrypts the room key from the link's secret. It cannot depend on the descriptor's hash, which
 * covers the encrypted room key.
 */
export function roomKeySealingKey(secret: Uint8Array, salt: Uint8Array, generation: number): Uint8Array {
  return derive32(secret, salt, `keymoot v1 room key sealing, generation ${generation}`)
}

export function blobKey(roomKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return derive32(roomKey, salt, "keymoot v1 descriptor blob")
}

/** Associated data that binds a ciphertext to its place and its descriptor. */
export function sealedFor(part: string, salt: Uint8Array): Uint8Array {
  return domainSeparated(`keymoot v1 descriptor ${part}`, salt)
}
