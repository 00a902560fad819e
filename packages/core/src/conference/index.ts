export {
  type Admission,
  CONFERENCE_DURATION_MS_MAX,
  EXTENSION_MS_MAX,
  createDescriptor,
  type CreateDescriptorOptions,
  type Descriptor,
  openDescriptor,
} from "./descriptor.ts"
export {
  deriveInvitationKeys,
  deriveRoomSecret,
  formatInvitation,
  type Invitation,
  normalizeServer,
  parseInvitation,
} from "./invitation.ts"
