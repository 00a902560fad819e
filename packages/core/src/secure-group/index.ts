export { SecureGroup, type SecureGroupConfig, type SecureGroupInput, type SecureGroupOutput } from "./secure-group.ts"
export { encodeRosterBody } from "./agreement-body.ts"
export type { OwnKeyAgreement } from "./view-keys.ts"
export { statementsDigestIn } from "./attachments.ts"
