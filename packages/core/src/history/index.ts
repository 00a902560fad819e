export { Arrivals, type ViewStart, transferIn } from "./arrivals.ts"
export {
  type Assembly,
  CHUNK_BYTES_MAX,
  CHUNK_CONTENT_BYTES,
  ChunkAssembler,
  isOnlyChunk,
  splitIntoChunks,
} from "./chunks.ts"
export { type Incoming, IncomingTransfers } from "./incoming-transfers.ts"
export { ConferenceLog, LOG_BYTES_MAX, LOG_ITEMS_MAX } from "./conference-log.ts"
export {
  type AuthoredItem,
  decodeAuthoredItem,
  encodeAuthoredItem,
  itemHash,
  type LogItem,
  logItemCoder,
  NO_ITEM,
  type TransferredBy,
  type Position,
  signItem,
  verifyItem,
} from "./log-item.ts"
export {
  decodeSnapshot,
  encodeSnapshot,
  type LogSnapshot,
  SNAPSHOT_BYTES_MAX,
  takeSnapshot,
  verifySnapshot,
} from "./log-snapshot.ts"
export { decodeErasure, encodeErasure, ERASED_AT_ONCE_MAX, ERASURE_CHANNEL } from "./erasure.ts"
export { TransferDebts } from "./transfer-debts.ts"
export { comparePositions, compareText } from "./order.ts"
