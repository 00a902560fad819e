/**
 * Verification of evidence archives, without a server.
 * @module @keymoot/core/evidence
 */
export { offeredFileName } from "../files/ticket.ts"
export { EVIDENCE_BYTES_MAX } from "./archive.ts"
export {
  type Evidence,
  type EvidenceFault,
  type EvidenceMessage,
  type EvidencePerson,
  type EvidenceVerdict,
  verifyEvidence,
} from "./verify.ts"
