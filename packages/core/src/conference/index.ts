export {
  type Admission,
  blobKeyOf,
  CONFERENCE_DURATION_MS_MAX,
  EXTENSION_MS_MAX,
  createDescriptor,
  type CreateDescriptorOptions,
  type Descriptor,
  openDescriptor,
  publicPartOf,
  readDescriptor,
} from "./descriptor.ts"
export { deriveInvitationKeys, deriveRoomSecret, parseInvitation } from "./invitation.ts"
export { formatInvitation, type Invitation, normalizeServer } from "./link.ts"
