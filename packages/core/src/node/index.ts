export { createFileStore } from "./file-store.ts"
export { openIdentityInNode, type OpenInNodeOptions } from "./open-identity.ts"
