export * from "./events.ts"
export * from "./limits.ts"
export { parse, type Parsed } from "./schemas.ts"
