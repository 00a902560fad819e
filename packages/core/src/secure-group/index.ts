export { SecureGroup, type SecureGroupConfig, type SecureGroupInput, type SecureGroupOutput } from "./secure-group.ts"
export { encodeRosterBody } from "./agreement-body.ts"
export type { RosterMember } from "./session-keys.ts"
export { statementsDigestIn } from "./statements-digest.ts"
