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
export {
  deriveInvitationKeys,
  deriveRoomSecret,
  formatInvitation,
  type Invitation,
  normalizeServer,
  parseInvitation,
} from "./invitation.ts"
