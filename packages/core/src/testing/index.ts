export { LinkedMember, type LinkedMemberConfig } from "./linked-member.ts"
export { MulticastPair } from "./multicast-pair.ts"
export { createCredentialChecker, createMemoryStore, openIdentity } from "../identity/index.ts"
export { loadHopCipher } from "../engine/hop-cipher.ts"
