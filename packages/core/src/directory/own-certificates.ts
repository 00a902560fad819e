/** Certificates of the own identity that a directory or a guest list may hold. */
import { CHALLENGE_BYTES, possessionBytes, type ProofPurpose } from "@keymoot/transport/signaling-protocol"
import { hexToBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import { appearAs, type OwnIdentity } from "../identity/own-identity.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnCertificate } from "../rpc/protocol.ts"

/** The identity under its certificate, then under the former ones that are valid, latest first. */
async function appearances(own: OwnIdentity, checker: MemberCredentialChecker): Promise<readonly OwnIdentity[]> {
  const former = await Promise.all(own.former.toReversed().map((certificate) => checker.check(certificate)))
  return [own, ...former.flatMap((credential) => (credential ? [appearAs(own, credential)] : []))]
}

export async function ownCertificates(own: OwnIdentity, checker: MemberCredentialChecker): Promise<OwnCertificate[]> {
  const all = await appearances(own, checker)
  return all.map(({ name, fingerprint, certificate }) => ({ name, fingerprint, certificate }))
}

/** @throws KeymootError `invalid-argument`: this identity keeps no valid certificate with this fingerprint */
export async function appearance(
  own: OwnIdentity,
  fingerprint: string,
  checker: MemberCredentialChecker,
): Promise<OwnIdentity> {
  const found = (await appearances(own, checker)).find((each) => each.fingerprint === fingerprint)
  if (found) return found
  throw new KeymootError("invalid-argument", "This identity has no such certificate.")
}

const PURPOSES: readonly ProofPurpose[] = ["participant:add", "participant:prove", "participant:remove"]

/**
 * Signs a directory's challenge. Nothing else can be signed this way: purpose and length are checked, and the origin is
 * the one to which the page is connected.
 * @throws KeymootError `invalid-argument`
 */
export async function provePossession(
  { certificate, fingerprint, signer }: OwnIdentity,
  { purpose, origin, challenge }: { purpose: ProofPurpose; origin: string; challenge: Uint8Array },
): Promise<{ certificate: Uint8Array; signature: Uint8Array }> {
  if (!PURPOSES.includes(purpose) || challenge.length !== CHALLENGE_BYTES) {
    throw new KeymootError("invalid-argument", "This is no challenge of a directory.")
  }
  const signed = possessionBytes(purpose, origin, challenge, hexToBytes(fingerprint))
  return { certificate, signature: await signer.sign(signed) }
}
