export { type BlockStore } from "./block-store.ts"
export { createMemoryBlockStore } from "./memory-block-store.ts"
export { FileExchange, type Offering } from "./exchange.ts"
export { type FetchProgress } from "./fetching.ts"
