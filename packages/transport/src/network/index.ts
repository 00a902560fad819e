export { MESSAGE_BYTES_MAX } from "../bounds/network-bounds.ts"
export type {
  HostPort,
  LinkPath,
  MeshConfig,
  MeshOutput,
  MeshSendOptions,
  NetworkPolicy,
  OtherVersion,
  SecurityCode,
} from "./shared/config.ts"
export { describeFailure } from "./shared/failures.ts"
export { nobleHopCipher, type HopCipher } from "./shared/hop-cipher.ts"
export type { Kem } from "./shared/kem.ts"
export { nobleX25519 } from "./shared/x25519.ts"
export { INVITATION_KEYS_MAX, type InvitationKeys } from "./shared/keyring.ts"
export { LruMap } from "./shared/lru-map.ts"
export type { Randomness } from "./shared/randomness.ts"
export { ReplayWindow } from "./shared/replay-window.ts"
export type { Sink } from "./shared/sink.ts"
export { traceMesh, type EndReason, type NetworkEvent } from "./shared/network-trace.ts"
export { Mesh } from "./mesh.ts"
