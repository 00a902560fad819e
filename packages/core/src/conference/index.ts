export { type DescriptorBody, descriptorHashOf, TITLE_CHARACTERS_MAX } from "./descriptor-codec.ts"
export {
  CONFERENCE_DURATION_MS_MAX,
  createDescriptor,
  type CreateDescriptorOptions,
  type Descriptor,
  openDescriptor,
} from "./descriptor.ts"
export {
  deriveInvitationKeys,
  formatInvitation,
  type Invitation,
  type InvitationKeys,
  normalizeServer,
  parseInvitation,
  roomSecret,
} from "./invitation.ts"
