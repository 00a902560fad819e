/** What a measured engine and its page say to each other besides the engine's own messages, which are lists. */
export const LOOK = "look"
/** After a garbage collection. */
export type Looked = { readonly heapBytes: number }
