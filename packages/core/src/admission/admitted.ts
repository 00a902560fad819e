/**
 * The certificate with which an identity creates or enters a conference. A roster or an authority may know it under
 * another one than its own.
 */
import { type AdmissionOptions, KeymootError } from "../api/index.ts"
import type { CreateDescriptorOptions } from "../conference/create-descriptor.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import { appearAs, type OwnIdentity } from "../identity/own-identity.ts"
import { certifiedBy, requireAuthority } from "../identity/certification.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { parseCard } from "../identity/card.ts"
import { equalBytes } from "../wire/index.ts"

type Wanted = CreateDescriptorOptions["admission"]

/** @throws KeymootError `invalid-card`, `bad-certificate` */
export async function admissionFor(
  options: AdmissionOptions,
  checker: MemberCredentialChecker,
  nowMs: number,
): Promise<Wanted> {
  switch (options.policy) {
    case "link":
    case "approval":
      return { policy: options.policy }
    case "roster":
      return { policy: "roster", others: await Promise.all(options.members.map((card) => parseCard(card, checker))) }
    case "ca":
      return { policy: "ca", authority: await requireAuthority(options.authority, nowMs) }
  }
}

/**
 * @throws KeymootError `not-admitted`: the conference's authority did not certify the creator, so nobody could enter
 */
export async function creatorOf(
  identity: OwnIdentity,
  admission: Wanted,
  nowMs: number,
  sinceMs = nowMs,
): Promise<OwnIdentity> {
  if (admission.policy !== "ca") return identity
  return appearAs(identity, await certifiedBy(admission.authority, identity.certifications, nowMs, sinceMs))
}

/**
 * Returns the identity for entering. With a roster it has the name from the roster, with an authority the certified
 * name. A copy needs a certificate that was valid at some time since the conference began, as its authors do.
 * @throws KeymootError `not-admitted`
 */
export async function admitted(
  identity: OwnIdentity,
  { admission, creator, startsAtMs }: Descriptor,
  nowMs: number,
  connected: boolean,
): Promise<OwnIdentity> {
  if (admission.policy === "ca") return creatorOf(identity, admission, nowMs, connected ? nowMs : startsAtMs)
  if (admission.policy !== "roster") return identity
  const listed = admission.roster.find(({ publicKey }) => equalBytes(publicKey, identity.publicKey))
  if (listed) return appearAs(identity, listed)
  const message = `Only the people whom ${creator.name} has named can enter this conference. Give ${creator.name} your card, and ask for a new conference with you in it.`
  throw new KeymootError("not-admitted", message)
}
