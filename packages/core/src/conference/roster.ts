/** Roster of a conference: the people that its descriptor names. No others may enter. */
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import { KeymootError } from "../api/index.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { equalBytes } from "../wire/index.ts"

/**
 * Returns the roster of a new conference: the creator and the others, each once. It is sorted by member id. Equal cards
 * count once.
 * @throws KeymootError `invalid-argument` (nobody else), `named-twice` (one key under two names), `roster-too-long`
 */
export function rosterOf(creator: MemberCredential, others: readonly MemberCredential[]): MemberCredential[] {
  const byMember = new Map([creator, ...others].map((person) => [person.member, person]))
  const roster = [...byMember.values()].sort((a, b) => (a.member < b.member ? -1 : 1))
  if (roster.length < 2) {
    const message = "Name at least one other person: add the cards of those who may enter."
    throw new KeymootError("invalid-argument", message)
  }
  const twice = sameKeyTwice(roster)
  if (twice) {
    const [one, other] = twice.map(({ name }) => name)
    const message = `The cards of ${one} and ${other} are of one person, who changed the name. Keep one of them.`
    throw new KeymootError("named-twice", message)
  }
  if (roster.length > CONFERENCE_MEMBERS_MAX) {
    throw new KeymootError("roster-too-long", `Name at most ${CONFERENCE_MEMBERS_MAX - 1} others.`)
  }
  return roster
}

/** Whether the descriptor's signed part and its encrypted part name the same people. */
export function isRoster(roster: readonly MemberCredential[], fingerprints: readonly Uint8Array[]): boolean {
  return (
    roster.length === fingerprints.length &&
    roster.every(({ certificate }, i) => equalBytes(fingerprintOf(certificate), fingerprints[i]!)) &&
    sameKeyTwice(roster) === null
  )
}

/** One key is one person: two certificates of it would be two votes. */
function sameKeyTwice(roster: readonly MemberCredential[]): [MemberCredential, MemberCredential] | null {
  for (const [i, one] of roster.entries()) {
    const other = roster.slice(i + 1).find(({ publicKey }) => equalBytes(publicKey, one.publicKey))
    if (other) return [one, other]
  }
  return null
}
