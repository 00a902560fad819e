export { isMediaSignal, type MediaSignal } from "./media-signal.ts"
export { MediaSignalling } from "./media-signalling.ts"
