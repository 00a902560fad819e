/** Messages between a measured engine and its page. The engine's own messages are lists, so they differ. */
export const LOOK = "look"
/** After a garbage collection. */
export type Looked = { readonly heapBytes: number }
