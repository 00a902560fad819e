export { type BatchPlace, type BatchService, encodeAssociatedData } from "./associated-data.ts"
export {
  assertSendable,
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  type BatchMessage,
  CHANNEL_NAME_BYTES_MAX,
  countFitting,
  decodeBatch,
  encodeBatch,
  isChannelName,
  PAYLOAD_BYTES_MAX,
} from "./batch.ts"
export { batchNumber } from "./batch-number.ts"
export { EpochCipher } from "./epoch-cipher.ts"
export { GROUP_TAG_BYTES, GroupAuthenticator } from "./group-authenticator.ts"
export { REPLAY_WINDOW_BATCHES } from "./replay-window.ts"
