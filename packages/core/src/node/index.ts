/**
 * Identities whose engine runs in a Node process: for bots and tests.
 * @module @keymoot/core/node
 */
export type { IdentityStore } from "../identity/store.ts"
export { createFileStore } from "./file-store.ts"
export { openIdentitiesInNode, openIdentityInNode, type OpenInNodeOptions } from "./open-identity.ts"
