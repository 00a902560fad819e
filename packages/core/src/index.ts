/**
 * Identities and conferences, for a page.
 * @module @keymoot/core
 */
export * from "./api/index.ts"
export { Conference } from "./client/conference.ts"
export { Directory } from "./client/directory/lazy-directory.ts"
export { formatDiagnostics } from "./client/format-diagnostics.ts"
export { Identities } from "./client/identities.ts"
export { Identity } from "./client/identity.ts"
export { NAME_CODE_POINTS_MAX } from "./identity/certificates/name.ts"

export type { MemberId } from "@keymoot/transport"
export { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
export type {
  Bootstrap,
  BootstrapCommand,
  BootstrapEvent,
  BootstrapFactory,
  BootstrapReply,
  RoomAddress,
  IceGrant,
  TurnCredentials,
} from "@keymoot/transport/host"
