export { createKeyAgreement, KEY_AGREEMENT_NAMES } from "./create-key-agreement.ts"
export type { KeyAgreementName, KeyAgreementOptions } from "./create-key-agreement.ts"
export { KeyAgreementError } from "./errors.ts"
export type { KeyAgreementErrorCode } from "./errors.ts"
export { isRejection, RANDOM_BYTES } from "./group/prime-order-group.ts"
export type { Element, PrimeOrderGroup, Rejection, Scalar } from "./group/prime-order-group.ts"
export { loadGroup } from "./group/load.ts"
export { createSodiumGroup, loadSodiumGroup } from "./group/sodium.ts"
export type { SodiumRistretto } from "./group/sodium.ts"
export type { FaultReason, KeyAgreement, KeyAgreementInput, KeyAgreementOutput, KeyedView } from "./key-agreement.ts"
export type { KeySeat, KeyStructure, KeyTreeNode } from "./key-structure.ts"
export { MEMBERS_MAX } from "./limits.ts"
export type { MemberId, ProposalId } from "./member-id.ts"
export {
  conferenceSid,
  confirmationKey,
  confirmationTag,
  epochKey,
  exportKey,
  invitationKey,
  isConfirmation,
  senderKey,
} from "./schedule.ts"
export type { ConferenceSidInput, EpochKeyInput, SenderKeyInput } from "./schedule.ts"
export { conferenceCode, pairCode, pairHash } from "./codes.ts"
export { describeKeyTree } from "./key-tree/describe.ts"
export type { KeyTree } from "./key-tree/describe.ts"
export { createSodiumX25519, loadSodiumX25519, loadX25519 } from "./hpke/x25519.ts"
export type { SodiumX25519, X25519 } from "./hpke/x25519.ts"
export { majoritySigningInput } from "./majority/codec.ts"
export { majoritySid } from "./majority/sid.ts"
export type { MajoritySidInput, SessionName } from "./majority/sid.ts"
export { loadVerifier } from "./majority/verifier.ts"
export type { VerifySignature } from "./majority/verifier.ts"
export { createMajorityAgreement } from "./majority/majority.ts"
export type { MajorityAgreement, MajorityInput, MajorityOptions, MajorityView } from "./majority/majority.ts"
export type { MajorityOutput } from "./majority/output.ts"
export { isWebAssemblyAllowed } from "./web-assembly.ts"
