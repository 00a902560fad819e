export { decodeSFrameHeader, encodeSFrameHeader } from "./sframe-header.ts"
export {
  sframeSecrets,
  MEDIA_FRAME_BYTES_MAX,
  openFrame,
  sealFrame,
  SFRAME_OVERHEAD_BYTES_MAX,
  type SFrameKey,
} from "./sframe.ts"
