import type { Credential, MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Admission as PublicAdmission, Person, SecurityEvent } from "../api.ts"
import type { Admission, Descriptor } from "../conference/index.ts"
import {
  createCredentialChecker,
  fingerprintOf,
  type MemberCredential,
  type MemberCredentialChecker,
} from "../identity/index.ts"

/** Strangers of whom the application is told; more are refused without a word. */
const STRANGERS_TOLD_MAX = 16

/** Whom the mesh may link with. Everybody here holds the link; `tell` is about those for whom that is not enough. */
export function gateOf(admission: Admission, tell: (event: SecurityEvent) => void): (other: Credential) => boolean {
  // Of an authority's people the checker of their certificates has let nobody else through.
  if (admission.policy !== "roster") return () => true
  const admitted = new Set(admission.roster.map(({ member }) => member))
  const refuse = tellOnce(tell)
  return ({ member }) => {
    if (admitted.has(member)) return true
    refuse(member, "somebody who is not in the roster wanted to come in")
    return false
  }
}

/** Where an authority's certificates are demanded: takes those, and tells who was refused for what. */
export function checkerOf(
  { admission }: Pick<Descriptor, "admission">,
  shared: MemberCredentialChecker,
  tell: (event: SecurityEvent) => void,
): MemberCredentialChecker {
  if (admission.policy !== "ca") return shared
  const refuse = tellOnce(tell)
  const { authority } = admission
  return createCredentialChecker(Date.now, {
    authority,
    refused: (member, why) => refuse(member, `somebody without a good certificate of ${authority.name}: ${why}`),
  })
}

function tellOnce(tell: (event: SecurityEvent) => void): (member: MemberId, detail: string) => void {
  const told = new Set<MemberId>()
  return (member, detail) => {
    if (told.has(member) || told.size >= STRANGERS_TOLD_MAX) return
    told.add(member)
    tell({ code: "not-admitted", member, detail })
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
