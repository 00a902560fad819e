export { LinkedMember, type LinkedMemberConfig } from "./linked-member.ts"
