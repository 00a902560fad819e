export { createBrowserCopyStore } from "./browser-copy-store.ts"
export { type CopyStore, overBound } from "./copy-store.ts"
export { LocalCopy } from "./local-copy.ts"
export { createMemoryCopyStore } from "./memory-copy-store.ts"
