export { HeldFrames } from "./held-frames.ts"
export { KeyRing, type KeyRingInput } from "./key-ring.ts"
export {
  isSameMember,
  isVideo,
  keyIdOf,
  MEDIA_SOURCES,
  type MediaMember,
  type MediaSource,
  type MediaView,
  metadataOf,
} from "./media-view.ts"
