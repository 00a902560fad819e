/**
 * Engine for a worker of an embedder, with modules of its own.
 * @module @keymoot/core/engine
 */
export { isRejection, RANDOM_BYTES } from "@keymoot/gke"
export type {
  Element,
  FaultReason,
  KeyAgreement,
  KeyAgreementInput,
  KeyAgreementOptions,
  KeyAgreementOutput,
  KeyedView,
  KeySeat,
  KeyStructure,
  KeyTreeNode,
  PrimeOrderGroup,
  ProposalId,
  Rejection,
  Scalar,
} from "@keymoot/gke"
export type { Aead, DataCipher } from "../ciphers/aead.ts"
export { startEngine } from "../runtime/serve-engine.ts"
export type { OwnModules } from "../runtime/own-modules.ts"
export type { OwnKeyAgreement } from "../secure-group/view-keys.ts"
