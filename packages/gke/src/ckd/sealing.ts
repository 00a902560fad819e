/**
 * How the controller sends the group secret to one member. Both shares behind the Diffie-Hellman value are made for this view
 * alone, so each key seals one secret and the nonce can be constant.
 */
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { hashFields, settleSecret } from "../shared/bytes.ts"
import { openOnce, SEAL_TAG_BYTES, sealOnce, withSealKey } from "../shared/one-time-seal.ts"
import type { Element, PrimeOrderGroup, Scalar } from "../group/prime-order-group.ts"
import { type MemberId, memberIdToBytes } from "../shared/member-id.ts"

export const GROUP_SECRET_BYTES = 32
export const SEALED_BYTES = GROUP_SECRET_BYTES + SEAL_TAG_BYTES
const PAIRWISE_KEY = utf8ToBytes("keymoot v1 ckd pairwise key")

/** Which seal of which view. `sid`: 32 bytes. */
export type Channel = { readonly sid: Uint8Array; readonly controller: MemberId; readonly member: MemberId }

/** Either end: `share` is its own, `peer` the other's public one. */
export function seal(
  group: PrimeOrderGroup,
  share: Scalar,
  peer: Element,
  channel: Channel,
  secret: Uint8Array,
): Uint8Array {
  return withPairwiseKey(group, share, peer, channel, (key) => sealOnce(key, secret))
}

/** null if it was not sealed so. The caller owns the secret. */
export function open(
  group: PrimeOrderGroup,
  share: Scalar,
  peer: Element,
  channel: Channel,
  sealed: Uint8Array,
): Uint8Array | null {
  return withPairwiseKey(group, share, peer, channel, (key) => openOnce(key, sealed))
}

function withPairwiseKey<T>(
  group: PrimeOrderGroup,
  share: Scalar,
  peer: Element,
  { sid, controller, member }: Channel,
  use: (key: Uint8Array) => T,
): T {
  const info = concatBytes(PAIRWISE_KEY, sid, memberIdToBytes(controller), memberIdToBytes(member))
  return withSealKey(group.multiply(peer, share), info, use)
}

/** Without it a controller could seal different secrets, and the split would show only when confirmations differ. */
export function commitmentTo(groupSecret: Uint8Array): Uint8Array {
  return hashFields("keymoot v1 ckd commitment", groupSecret)
}

export function groupSecretFrom(random: Uint8Array): Uint8Array {
  return settleSecret(hashFields("keymoot v1 ckd group secret", random))
}
