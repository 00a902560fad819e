export { Call } from "./call.ts"
export { MediaThread } from "./media-thread.ts"
export { WantedSizes } from "./wanted-sizes.ts"
