export * from "./api.ts"
export { Conference } from "./client/conference.ts"
export { Identities } from "./client/identities.ts"
export { Identity } from "./client/identity.ts"

export type { MemberId } from "@keymoot/transport"
export type {
  Bootstrap,
  BootstrapCommand,
  BootstrapEvent,
  BootstrapFactory,
  BootstrapReply,
  RoomAddress,
  TurnCredentials,
} from "@keymoot/transport/host"
