export { Call } from "./call.ts"
export { HostRequests } from "./host-requests.ts"
export { MediaThread } from "./media-thread.ts"
export { WantedSizes } from "./wanted-sizes.ts"
