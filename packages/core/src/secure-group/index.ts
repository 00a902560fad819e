export { SecureGroup, type SecureGroupConfig, type SecureGroupInput, type SecureGroupOutput } from "./secure-group.ts"
