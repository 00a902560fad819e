import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"

/** As of every key agreement, but that `secret` names its session: several may run at once. */
export type MajorityOutput =
  | Exclude<KeyAgreementOutput, { type: "secret" }>
  | (Extract<KeyAgreementOutput, { type: "secret" }> & { readonly sid: Uint8Array })
