export { type Authority, checkIssued, readAuthority } from "./certificates/authority.ts"
export { createBrowserStore } from "./browser-store.ts"
export { formatCard, parseCard } from "./card.ts"
export { certifiedBy, requireAuthority } from "./certification.ts"
export { CERTIFICATE_BYTES_MAX, fingerprintOf, memberIdOf } from "./certificates/certificate.ts"
export {
  createCredentialChecker,
  type MemberCredential,
  type MemberCredentialChecker,
} from "./certificates/credential-checker.ts"
export {
  chooseIdentity,
  certifyIdentity,
  createIdentity,
  listIdentities,
  removeIdentity,
  renameIdentity,
  requestCertificate,
  restoreIdentity,
} from "./device-identities.ts"
export { appearAs, openIdentity, type OwnIdentity } from "./own-identity.ts"
export { MemberPrints } from "./member-prints.ts"
export { checkScan, pairCodeOf } from "./pair-code.ts"
export { createMemoryStore } from "./memory-store.ts"
export { type IdentityStore, type InvitationRecord, INVITATIONS_STORED_MAX, storageUnavailable } from "./store.ts"
export { VerifiedPeople } from "./verified-people.ts"
