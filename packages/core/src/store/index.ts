/**
 * A conference as state for a user interface, for the hooks of any framework. Importing it starts no engine and touches
 * no page, so it also loads on a server.
 * @module @keymoot/core/store
 */
export {
  type ConferenceSource,
  type ConferenceState,
  type ConferenceStore,
  createConferenceStore,
} from "./conference-store.ts"
export { type DocumentState, documentStore, memberStore, type MediaState, mediaStore } from "./part-stores.ts"
