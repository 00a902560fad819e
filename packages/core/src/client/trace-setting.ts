/** Entry of `localStorage` that switches the trace on: `debug`, `info` or `warn`, see `TraceSink.set`. */
const STORAGE_KEY = "keymoot.trace"

/** Null in a page without storage. */
export function traceSetting(): string | null {
  try {
    return globalThis.localStorage?.getItem(STORAGE_KEY) ?? null
  } catch {
    return null
  }
}
