/** Certificates of the own identity that a directory or a guest list may hold. */
import { KeymootError } from "../api/index.ts"
import { appearAs, type MemberCredentialChecker, type OwnIdentity } from "../identity/index.ts"
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
