import { roomVerifier } from "@keymoot/transport"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { randomBytes } from "@noble/hashes/utils.js"

import {
  type Authenticity,
  type Cipher,
  type HistoryPolicy,
  type KeyAgreementName,
  type OwnModule,
  KeymootError,
  type PostQuantum,
} from "../api/index.ts"
import {
  type Authority,
  checkIssued,
  createCredentialChecker,
  fingerprintOf,
  type MemberCredential,
  type MemberCredentialChecker,
  type OwnIdentity,
  readAuthority,
} from "../identity/index.ts"
import { decodeOrNull, domainSeparated, equalBytes } from "../wire/index.ts"
import {
  BLOB_BYTES_MAX,
  BLOB_STEP_BYTES,
  descriptorBlob,
  type DescriptorBody,
  descriptorBody,
  DESCRIPTOR_SALT_BYTES,
  descriptorSigningBytes,
  ROOM_KEY_BYTES,
  signedDescriptor,
  type SignedDescriptor,
  TITLE_CHARACTERS_MAX,
} from "./descriptor-codec.ts"
import { POST_QUANTUM_DEFAULT } from "./defaults.ts"
import { derive32, deriveRoomSecret, type Invitation, newInvitationSecret, normalizeServer } from "./invitation.ts"
import { isRoster, rosterOf } from "./roster.ts"
import { open, seal } from "../platform/sealing.ts"

export const CONFERENCE_DURATION_MS_MAX = 30 * 24 * 60 * 60 * 1000
/** Time after the planned end until which hosts can extend a conference. The server keeps the descriptor until then. */
export const EXTENSION_MS_MAX = 24 * 60 * 60 * 1000
const FIRST_GENERATION = 1

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

export type CreateDescriptorOptions = {
  readonly server: string
  readonly creator: OwnIdentity
  readonly title: string
  readonly keyAgreement: KeyAgreementName | OwnModule
  /**
   * `others`: people on the roster besides the creator. `authority`: the creator uses its certificate of this
   * authority.
   */
  readonly admission:
    | { readonly policy: "link" | "approval" }
    | { readonly policy: "roster"; readonly others: readonly MemberCredential[] }
    | { readonly policy: "ca"; readonly authority: Authority }
  readonly history: HistoryPolicy
  /** `signature` by default. */
  readonly authenticity?: Authenticity
  /** `aes-256-gcm` by default. */
  readonly cipher?: Cipher | OwnModule
  /** `hybrid` by default. */
  readonly postQuantum?: PostQuantum
  /** Milliseconds since 1970. */
  readonly startsAtMs: number
  readonly durationMs: number
  /** Time by which the opening is earlier, for clocks that are behind; none by default. */
  readonly leewayMs?: number
}

/**
 * Creates a conference: the descriptor and the verifier of room proofs for the server, and the invitation.
 * @throws KeymootError `invalid-argument` for
 *
 * - a title of more than 200 characters
 * - a duration outside (0, 30 days]
 * - a server that is no origin
 * - `majority` without a roster
 * - a roster that names nobody else
 *
 * As well as `roster-too-long`, also for names that are too long together, and `named-twice`.
 */
export async function createDescriptor(
  options: CreateDescriptorOptions,
): Promise<{ bytes: Uint8Array; invitation: Invitation; verifier: Uint8Array }> {
  const { creator, startsAtMs, durationMs, leewayMs = 0 } = options
  const server = normalizeServer(options.server)
  const title = normalizeTitle(options.title)
  if (!Number.isSafeInteger(durationMs) || durationMs <= 0 || durationMs > CONFERENCE_DURATION_MS_MAX) {
    throw new KeymootError("invalid-argument", "A conference lasts at least a millisecond and at most 30 days.")
  }
  if (options.keyAgreement === "majority" && options.authenticity === "group") {
    const message = 'Majority goes with authenticity "signature" only: take that, or another key agreement.'
    throw new KeymootError("invalid-argument", message)
  }
  if (options.keyAgreement === "majority" && options.admission.policy !== "roster") {
    const message =
      'Majority works among people who are named beforehand: give admission { policy: "roster", members }, or take another key agreement.'
    throw new KeymootError("invalid-argument", message)
  }
  const roster = options.admission.policy === "roster" ? rosterOf(creator, options.admission.others) : null
  const { policy } = options.admission
  const certificates =
    options.admission.policy === "ca"
      ? [options.admission.authority.certificate]
      : (roster ?? []).map(({ certificate }) => certificate).filter((other) => !equalBytes(other, creator.certificate))
  const blob = encodeBlob(title, creator.certificate, certificates)
  const salt = randomBytes(DESCRIPTOR_SALT_BYTES)
  const secret = newInvitationSecret()
  const roomKey = randomBytes(ROOM_KEY_BYTES)
  const body = descriptorBody.encode({
    salt,
    creatorPublicKey: creator.publicKey,
    startsAtMs: startsAtMs - leewayMs,
    endsAtMs: startsAtMs + durationMs,
    expiresAtMs: startsAtMs + durationMs + EXTENSION_MS_MAX,
    keyAgreement: options.keyAgreement,
    cipher: options.cipher ?? "aes-256-gcm",
    postQuantum: options.postQuantum ?? POST_QUANTUM_DEFAULT,
    authenticity: options.authenticity ?? "signature",
    admission: roster
      ? { policy: "roster", fingerprints: roster.map(({ certificate }) => fingerprintOf(certificate)) }
      : { policy: policy === "roster" ? "link" : policy },
    history: options.history,
    hosts: [fingerprintOf(creator.certificate)],
    generation: FIRST_GENERATION,
    sealedRoomKey: await seal(roomKeySealingKey(secret, salt, FIRST_GENERATION), sealedFor("room key", salt), roomKey),
    sealedBlob: await seal(blobKey(roomKey, salt), sealedFor("blob", salt), blob),
  })
  const verifier = roomVerifier(deriveRoomSecret(roomKey))
  roomKey.fill(0)
  const bytes = signedDescriptor.encode({ body, signature: await creator.signer.sign(descriptorSigningBytes(body)) })
  const descriptorHash = descriptorHashOf(bytes)
  const conferenceId = conferenceIdOf(descriptorHash)
  return { bytes, invitation: { server, conferenceId, secret, descriptorHash, roomKey: null }, verifier }
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
  if (conferenceIdOf(hash) !== invitation.conferenceId) throw unusable("Its parts belong to different conferences.")
  await assertSigned(signed, body, checker)
  const { salt, sealedRoomKey, generation } = body
  const sealingKey = roomKeySealingKey(invitation.secret, salt, generation)
  const sealedFrom = sealedFor("room key", salt)
  const roomKey = invitation.roomKey?.slice() ?? (await open(sealingKey, sealedFrom, sealedRoomKey))
  if (roomKey === null) throw unusable("Its key does not fit this conference.")
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
    throw unusable("It was made by another version of Keymoot: reload this page and try again.")
  return { signed, body }
}

async function assertSigned(
  signed: SignedDescriptor,
  body: DescriptorBody,
  checker: MemberCredentialChecker,
): Promise<void> {
  if (await checker.verify(body.creatorPublicKey, descriptorSigningBytes(signed.body), signed.signature)) return
  throw unusable("Its conference is not signed by the one who is said to have made it.")
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
    throw unusable("Its conference does not say who made it.")
  }
  const admission = authority
    ? ({ policy: "ca", authority } as const)
    : await admissionOf(visible, blob.certificates, creator, checker)
  if (admission === null)
    throw unusable("Its list of people does not fit together, or a certificate in it has expired.")
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
  const signed = decodeOrNull(signedDescriptor, bytes)
  const body = signed && decodeOrNull(descriptorBody, signed.body)
  if (signed === null || body === null) return null
  const isSigned = await checker.verify(body.creatorPublicKey, descriptorSigningBytes(signed.body), signed.signature)
  return isSigned ? body : null
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

/**
 * Derives the key that encrypts the room key from the link's secret. It cannot depend on the descriptor's hash, which
 * covers the encrypted room key.
 */
function roomKeySealingKey(secret: Uint8Array, salt: Uint8Array, generation: number): Uint8Array {
  return derive32(secret, salt, `keymoot v1 room key sealing, generation ${generation}`)
}

function blobKey(roomKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return derive32(roomKey, salt, "keymoot v1 descriptor blob")
}

/** Associated data that binds a ciphertext to its place and its descriptor. */
function sealedFor(part: string, salt: Uint8Array): Uint8Array {
  return domainSeparated(`keymoot v1 descriptor ${part}`, salt)
}

/** @throws KeymootError `roster-too-long` if the roster's certificates do not fit */
function encodeBlob(title: string, creator: Uint8Array, certificates: Uint8Array[]): Uint8Array {
  const unpadded = descriptorBlob.encode({
    title,
    creatorCertificate: creator,
    certificates,
    padding: new Uint8Array(),
  })
  const length = Math.ceil(unpadded.length / BLOB_STEP_BYTES) * BLOB_STEP_BYTES
  if (length > BLOB_BYTES_MAX) {
    throw new KeymootError(
      "roster-too-long",
      "The list of people is too long: name fewer, or people with shorter names.",
    )
  }
  const blob = new Uint8Array(length)
  blob.set(unpadded)
  return blob
}

function normalizeTitle(input: string): string {
  const title = input.normalize("NFC").trim()
  if (isValidTitle(title)) return title
  throw new KeymootError(
    "invalid-argument",
    `A title has at most ${TITLE_CHARACTERS_MAX} characters, and no control characters.`,
  )
}

/** A title may be empty. It is counted in UTF-16 units; the blob's length bounds its bytes. */
function isValidTitle(title: string): boolean {
  return title.length <= TITLE_CHARACTERS_MAX && !/\p{Cc}|\p{Cs}/u.test(title)
}

function mismatch(): KeymootError {
  const message =
    "The server answered with another conference than the one in the link. Do not go on: the server may be hostile."
  return new KeymootError("descriptor-mismatch", message)
}

function unusable(reason: string): KeymootError {
  return new KeymootError("invalid-link", `This link cannot be used. ${reason}`)
}
