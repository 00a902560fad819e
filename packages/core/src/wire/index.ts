export { assert, bufferSource, domainSeparated, equalBytes, ownBuffer } from "./bytes.ts"
export {
  boundedBytes,
  boundedList,
  decodeOrNull,
  hexId,
  oneOf,
  TIMESTAMP_MS_MAX,
  timestampMs,
  U64,
  versionByte,
} from "./coders.ts"
export { deflate, inflate } from "./compression.ts"
export { LruMap } from "./lru-map.ts"
