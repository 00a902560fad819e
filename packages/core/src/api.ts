/**
 * What an application sees. Everything here is plain data or an interface; `Identity` and `Conference`
 * (the two entry points) implement it.
 */
export * from "./api/listening.ts"
export * from "./api/members.ts"
export * from "./api/admission.ts"
export * from "./api/views.ts"
export * from "./api/security.ts"
export * from "./api/connections.ts"
export * from "./api/local-copies.ts"
export * from "./api/events.ts"
export * from "./api/modes.ts"
export * from "./api/key-structure.ts"
export * from "./api/channels.ts"
export * from "./api/documents.ts"
export * from "./api/files.ts"
export * from "./api/entering.ts"
export * from "./api/kept.ts"
export * from "./api/certificates.ts"
export * from "./api/identities.ts"
export * from "./api/conference.ts"
export * from "./api/errors.ts"
