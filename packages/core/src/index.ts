export * from "./api.ts"
export { Conference } from "./client/conference.ts"
export { Identity } from "./client/identity.ts"
