export { SecureGroup, type SecureGroupConfig, type SecureGroupOutput } from "./secure-group.ts"
