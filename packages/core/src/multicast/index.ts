export {
  assertSendable,
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  type BatchMessage,
  batchNumber,
  type BatchService,
  CHANNEL_NAME_BYTES_MAX,
  countFitting,
  decodeBatch,
  encodeBatch,
  isChannelName,
  PAYLOAD_BYTES_MAX,
} from "./batch.ts"
export { type BatchPlace, encodeAssociatedData, EpochCipher } from "./epoch.ts"
export { REPLAY_WINDOW_BATCHES } from "./replay-window.ts"
