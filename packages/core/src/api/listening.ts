export type Unsubscribe = () => void

/** `signal` ends the subscription when it aborts. */
export type ListenOptions = { readonly signal?: AbortSignal }

/**
 * A changing value for a user interface: its present state, and a notification of changes. Both functions work without
 * their object, so React takes them directly: `useSyncExternalStore(source.subscribe, source.getSnapshot)`.
 */
export interface Snapshots<T> {
  /** Immutable, and the same object until the value changes. */
  readonly getSnapshot: () => T
  /** Calls the listener after each change, once for several changes of one turn. */
  readonly subscribe: (listener: () => void, options?: ListenOptions) => Unsubscribe
}
