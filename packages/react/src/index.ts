/**
 * Hooks over the stores of `@keymoot/core/store`.
 * @module @keymoot/react
 */
export { useChannel, type ChannelInUse } from "./use-channel.ts"
export { useConference } from "./use-conference.ts"
export { useDocument } from "./use-document.ts"
export { type MediaInUse, useMedia } from "./use-media.ts"
export { useMembers } from "./use-members.ts"
export { useTrack } from "./use-track.ts"
