/** Preview of a conference for a person that has not entered it. */
import type { ConferencePreview } from "../api/index.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import type { IdentityStore } from "../identity/store.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { openIdentity } from "../identity/own-identity.ts"
import { VerifiedPeople } from "../identity/verified-people.ts"
import { equalBytes } from "../wire/index.ts"
import { shownAdmission } from "./admission-policy.ts"

/** Own key of the person that previews, and the people that it has verified. */
export type Onlooker = { readonly publicKey: Uint8Array; readonly people: VerifiedPeople }

/** Returns the identity that this device would enter with; null if it has none. */
export async function chosenOnlooker(store: IdentityStore, checker: MemberCredentialChecker): Promise<Onlooker | null> {
  if ((await store.load()) === null) return null
  const { id, signer, publicKey } = await openIdentity({ store })
  return { publicKey, people: await VerifiedPeople.open({ store, id, signer, publicKey, checker }) }
}

/** `endedAtMs`: time at which the creator ended it early; null for none. */
export function previewOf(
  descriptor: Descriptor,
  endedAtMs: number | null,
  onlooker: Onlooker | null,
): ConferencePreview {
  const {
    conferenceId: id,
    title,
    startsAtMs: opensAtMs,
    endsAtMs,
    expiresAtMs: latestEndMs,
    history,
    keyAgreement,
    creator,
  } = descriptor
  const { member, name, publicKey } = creator
  return {
    id,
    title,
    timeFrame: { opensAtMs, endsAtMs, latestEndMs },
    endedAtMs,
    admission: shownAdmission(descriptor.admission),
    history,
    keyAgreement,
    creator: {
      id: member,
      name,
      self: onlooker !== null && equalBytes(onlooker.publicKey, publicKey),
      verified: onlooker?.people.isVerifiedAs({ name, publicKey }) ?? false,
      changedKey: onlooker?.people.impostors([{ id: member, name, publicKey }]).has(member) ?? false,
    },
  }
}
