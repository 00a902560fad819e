export type Unsubscribe = () => void

/** Ends the subscription when it aborts. */
export type ListenOptions = { readonly signal?: AbortSignal }
