export { assert, bufferSource, domainSeparated, equalBytes } from "./bytes.ts"
export { boundedBytes, boundedList, decodeOrNull, hexId, oneOf, timestampMs, U64, versionByte } from "./coders.ts"
export { deflate, inflate } from "./compression.ts"
export { LruMap } from "./lru-map.ts"
