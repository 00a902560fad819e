export { DEGREE_MAX, DEGREE_MIN, FULL_MESH_MAX } from "../bounds/overlay-bounds.ts"
export type { GossipId } from "./dissemination/plumtree.ts"
export type { LinkState } from "./link-state/link-states.ts"
export {
  completeLinkRecord,
  decodeLinkRecord,
  encodeLinkRecord,
  invitationProof,
  linkRecordOrigin,
  signedLinkRecord,
  type LinkRecord,
} from "./link-record.ts"
export { Overlay, type OverlayInput, type OverlayMessage, type OverlayOutput } from "./overlay.ts"
export { StatusReporter, type Status } from "./link-state/status-reporter.ts"
export {
  decodeDiscovery,
  decodeOverlayMessage,
  encodeDiscovery,
  encodeOverlayMessage,
  gossipIdOf,
  gossipIdOfBytes,
  overlayWireMessages,
  type CarriedFrame,
  type OverlayWireMessage,
} from "./wire.ts"
