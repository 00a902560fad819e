/** Metrics of `peers`, in the runner and on the page. */
export const MADE = "removal made"
export const PROCESSED = "removal processed"
export const KEYMOOT = "keymoot, TGDH"

/** In each run, of all programs. */
export const DROPS = "UDP datagrams dropped by full receive buffers"
export const LATENCY = "one message of 1 KB to the other: half of there and back"
export const RATE = "messages of 1 KB received by the other"
export const CHANGE_LATENCY = "one change of 1 KB to the other's document: half of there and back"
export const CHANGE_RATE = "changes of 1 KB in the other's document"
