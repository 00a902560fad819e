export { createFileStore } from "./file-store.ts"
export { openIdentitiesInNode, openIdentityInNode, type OpenInNodeOptions } from "./open-identity.ts"
