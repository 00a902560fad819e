export { LinkedMember, type LinkedMemberConfig } from "./linked-member.ts"
export { MulticastPair } from "./multicast-pair.ts"
