export * from "./api.ts"
export { Conference } from "./client/conference.ts"
export { Identities } from "./client/identities.ts"
export { Identity } from "./client/identity.ts"
export { NAME_CODE_POINTS_MAX } from "./identity/name.ts"

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
