import type { Credential, MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Admission as PublicAdmission, Person, SecurityEvent } from "../api/index.ts"
import type { Admission, Descriptor } from "../conference/descriptor.ts"
import {
  createCredentialChecker,
  type MemberCredential,
  type MemberCredentialChecker,
} from "../identity/certificates/credential-checker.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"

/** Bound on the reported strangers. Further ones are refused without a report. */
const STRANGERS_REPORTED_MAX = 16

/**
 * Returns the predicate for members that the mesh may link with. All of them hold the invitation. `report` reports those
 * whom the policy refuses nevertheless.
 */
export function gateOf(admission: Admission, report: (event: SecurityEvent) => void): (other: Credential) => boolean {
  // With an authority the checker has already refused all other certificates.
  if (admission.policy !== "roster") return () => true
  const admitted = new Set(admission.roster.map(({ member }) => member))
  const refuse = reportOnce(report)
  return ({ member }) => {
    if (admitted.has(member)) return true
    refuse(member, "a person who is not on the roster tried to join")
    return false
  }
}

/**
 * Returns the checkers of certificates. With an authority they accept only certificates of that authority, and report
 * each refusal with its reason. `authors` is for the log only: a log outlives certificates, so one that was valid at
 * some time since the conference's start is enough. Links and views need `present`.
 */
export function checkersOf(
  { admission, startsAtMs }: Pick<Descriptor, "admission" | "startsAtMs">,
  shared: MemberCredentialChecker,
  report: (event: SecurityEvent) => void,
): { readonly present: MemberCredentialChecker; readonly authors: MemberCredentialChecker } {
  const sinceStart = (): number => startsAtMs
  if (admission.policy !== "ca") {
    return { present: shared, authors: createCredentialChecker(Date.now, undefined, sinceStart) }
  }
  const refuse = reportOnce(report)
  const { authority } = admission
  const refused = (member: MemberId, why: string): void =>
    refuse(member, `a person without a valid certificate of ${authority.name}: ${why}`)
  const demands = { authority, refused }
  return {
    present: createCredentialChecker(Date.now, demands),
    authors: createCredentialChecker(Date.now, demands, sinceStart),
  }
}

function reportOnce(report: (event: SecurityEvent) => void): (member: MemberId, detail: string) => void {
  const reported = new Set<MemberId>()
  return (member, detail) => {
    if (reported.has(member) || reported.size >= STRANGERS_REPORTED_MAX) return
    reported.add(member)
    report({ code: "not-admitted", member, detail })
  }
}

export function personOf({ member: id, name, certificate }: MemberCredential): Person {
  return { id, name, fingerprint: bytesToHex(fingerprintOf(certificate)) }
}

export function shownAdmission(admission: Admission): PublicAdmission {
  if (admission.policy === "roster") return { policy: "roster", people: admission.roster.map(personOf) }
  if (admission.policy !== "ca") return admission
  const { name, fingerprint } = admission.authority
  return { policy: "ca", authority: { name, fingerprint } }
}
