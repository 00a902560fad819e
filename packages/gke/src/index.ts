export { copySecret } from "./shared/bytes.ts"
export { createKeyAgreement, KEY_AGREEMENT_NAMES } from "./create-key-agreement.ts"
export type { KeyAgreementName, KeyAgreementOptions } from "./create-key-agreement.ts"
export { KeyAgreementError, type KeyAgreementErrorCode } from "./shared/errors.ts"
export { isRejection, RANDOM_BYTES } from "./group/prime-order-group.ts"
export type { Element, PrimeOrderGroup, Rejection, Scalar } from "./group/prime-order-group.ts"
export { loadGroup, loadSodiumGroup } from "./group/sodium.ts"
export type {
  FaultReason,
  KeyAgreement,
  KeyAgreementInput,
  KeyAgreementOutput,
  KeyedView,
  KeySeat,
  KeyStructure,
  KeyTreeNode,
} from "./agreement/key-agreement.ts"
export { MEMBERS_MAX } from "./shared/limits.ts"
export type { MemberId, ProposalId } from "./shared/member-id.ts"
export {
  conferenceSid,
  confirmationKey,
  confirmationTag,
  epochKey,
  exportKey,
  hybridEpochKey,
  invitationKey,
  isConfirmation,
  senderKey,
} from "./agreement/schedule.ts"
export type { ConferenceSidInput, EpochKeyInput, HybridEpochKeyInput, SenderKeyInput } from "./agreement/schedule.ts"
export { conferenceCode, pairCode, pairHash } from "./agreement/codes.ts"
export { openBase, sealBase } from "./hpke/hpke.ts"
export { loadSeedSigner, type SeedSigner } from "./group/seed-signer.ts"
export { loadSodiumX25519, loadX25519, type X25519 } from "./hpke/x25519.ts"
export {
  isKemPublicKey,
  KEM_CIPHERTEXT_BYTES,
  KEM_PUBLIC_KEY_BYTES,
  KEM_RANDOM_BYTES,
  KEM_SECRET_KEY_BYTES,
  KEM_SEED_BYTES,
  KEM_SHARED_BYTES,
} from "./kem/kem.ts"
export type { Encapsulation, Kem, KemKeyPair } from "./kem/kem.ts"
export { createKemAgreement } from "./kem-ckd/kem-ckd.ts"
export { loadKem } from "./kem/load-kem.ts"
export { majoritySigningInput } from "./majority/majority-codec.ts"
export { isLaterSession, majoritySid, type MajoritySidInput, type SessionName } from "./majority/sid.ts"
export { loadVerifier, type SignatureVerifier } from "./majority/verifier.ts"
export { createMajorityAgreement } from "./majority/majority.ts"
export type { MajorityAgreement, MajorityInput, MajorityOptions, MajorityView } from "./majority/majority.ts"
export type { MajorityOutput } from "./majority/statements.ts"
export { isStrictKey, isStrictSignature } from "./shared/strict-signature.ts"
export { isWebAssemblyAllowed } from "./shared/web-assembly.ts"
