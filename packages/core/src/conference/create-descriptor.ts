/** The creator's side: a new descriptor, its invitation, and the verifier of room proofs. */
import { roomVerifier } from "@keymoot/transport"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { randomBytes } from "@noble/hashes/utils.js"
import {
  type Authenticity,
  type Cipher,
  type HistoryPolicy,
  type KeyAgreementName,
  KeymootError,
  type OwnModule,
  type PostQuantum,
} from "../api/index.ts"
import type { Authority } from "../identity/certificates/authority.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { seal } from "../ciphers/sealing.ts"
import { equalBytes } from "../wire/index.ts"
import { POST_QUANTUM_DEFAULT } from "./defaults.ts"
import {
  BLOB_BYTES_MAX,
  BLOB_STEP_BYTES,
  DESCRIPTOR_SALT_BYTES,
  descriptorBlob,
  descriptorBody,
  descriptorSigningBytes,
  isValidTitle,
  ROOM_KEY_BYTES,
  signedDescriptor,
  TITLE_CHARACTERS_MAX,
} from "./descriptor-codec.ts"
import { blobKey, roomKeySealingKey, sealedFor } from "./descriptor.ts"
import { deriveRoomSecret, type Invitation, newInvitationSecret, normalizeServer } from "./invitation.ts"
import { rosterOf } from "./roster.ts"

export const CONFERENCE_DURATION_MS_MAX = 30 * 24 * 60 * 60 * 1000
/** Time after the planned end until which hosts can extend a conference. The server keeps the descriptor until then. */
export const EXTENSION_MS_MAX = 24 * 60 * 60 * 1000
const FIRST_GENERATION = 1

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
