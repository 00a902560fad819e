/**
 * Rules for modules of embedders, for any test runner.
 * @module @keymoot/core/conformance
 */
export type { BrokenRule } from "./broken-rule.ts"
export { checkCipher, type CipherRule } from "./cipher-rules.ts"
export { checkKeyAgreement, type KeyAgreementRule } from "./agreement-rules.ts"
