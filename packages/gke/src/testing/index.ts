export { Harness, memberNamed } from "./harness.ts"
export type { Fault, Member, Multicast, Proposal, Secret, Unicast, View } from "./harness.ts"
export { createToyGroup } from "./toy-group.ts"
export { toyX25519 } from "./toy-x25519.ts"
