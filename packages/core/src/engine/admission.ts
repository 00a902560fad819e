import type { Credential, MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Admission as PublicAdmission, Person, SecurityEvent } from "../api.ts"
import type { Admission } from "../conference/index.ts"
import { fingerprintOf, type MemberCredential } from "../identity/index.ts"

/** Strangers of whom the application is told; more are refused without a word. */
const STRANGERS_TOLD_MAX = 16

/** Whom the mesh may link with. Everybody here holds the link; `tell` is about those for whom that is not enough. */
export function gateOf(admission: Admission, tell: (event: SecurityEvent) => void): (other: Credential) => boolean {
  if (admission.policy === "link") return () => true
  const admitted = new Set(admission.roster.map(({ member }) => member))
  const told = new Set<MemberId>()
  return ({ member }) => {
    if (admitted.has(member)) return true
    if (!told.has(member) && told.size < STRANGERS_TOLD_MAX) {
      told.add(member)
      tell({ code: "not-admitted", member, detail: "somebody who is not in the roster wanted to come in" })
    }
    return false
  }
}

export function personOf({ member: id, name, certificate }: MemberCredential): Person {
  return { id, name, fingerprint: bytesToHex(fingerprintOf(certificate)) }
}

export function shownAdmission(admission: Admission): PublicAdmission {
  return admission.policy === "link" ? admission : { policy: "roster", people: admission.roster.map(personOf) }
}
