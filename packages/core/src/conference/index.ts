export {
  CONFERENCE_DURATION_MS_MAX,
  createDescriptor,
  type CreateDescriptorOptions,
  EXTENSION_MS_MAX,
} from "./create-descriptor.ts"
export {
  type Admission,
  blobKeyOf,
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
