export * from "./events.ts"
export * from "./limits.ts"
export { possessionBytes, type ProofPurpose } from "./possession.ts"
export { parse, type Parsed, turnUrls } from "./schemas.ts"
