/** Seeds of the post-quantum agreement: how they follow from each other, and how the leader sends one to a member. */
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Kem, KEM_CIPHERTEXT_BYTES } from "../kem/kem.ts"
import { hashFields, settleSecret } from "../shared/bytes.ts"
import { SEAL_TAG_BYTES, withSealKey } from "../shared/one-time-seal.ts"
import { type MemberId, memberIdToBytes } from "../shared/member-id.ts"

const SEED_BYTES = 32
export const SEALED_SEED_BYTES = KEM_CIPHERTEXT_BYTES + SEED_BYTES + SEAL_TAG_BYTES
const SEALING_KEY = utf8ToBytes("keymoot v1 ml-kem sealing key")

/** Which seal of which view. `sid`: 32 bytes. */
export type KemChannel = { readonly sid: Uint8Array; readonly leader: MemberId; readonly member: MemberId }

/** `random`: the leader's of this view. null for a malformed key. */
export function sealSeed(
  kem: Kem,
  publicKey: Uint8Array,
  channel: KemChannel,
  random: Uint8Array,
  seed: Uint8Array,
): Uint8Array | null {
  const once = hashFields("keymoot v1 ml-kem encapsulation", random, channel.sid, memberIdToBytes(channel.member))
  const made = kem.encapsulate(publicKey, once)
  once.fill(0)
  if (!made) return null
  const sealed = withKey(made.shared, channel, (key) => kem.seal(key, seed))
  return concatBytes(made.ciphertext, sealed)
}

/** null if it was not sealed so. `sealed` has `SEALED_SEED_BYTES`. The caller owns the seed. */
export function openSeed(kem: Kem, secretKey: Uint8Array, channel: KemChannel, sealed: Uint8Array): Uint8Array | null {
  const shared = kem.decapsulate(secretKey, sealed.subarray(0, KEM_CIPHERTEXT_BYTES))
  if (!shared) return null
  return withKey(shared, channel, (key) => kem.open(key, sealed.subarray(KEM_CIPHERTEXT_BYTES)))
}

function withKey<T>(shared: Uint8Array, { sid, leader, member }: KemChannel, use: (key: Uint8Array) => T): T {
  const info = concatBytes(SEALING_KEY, sid, memberIdToBytes(leader), memberIdToBytes(member))
  return withSealKey(shared, info, use)
}

/** Without it a leader could send different seeds, and the split would show only when confirmations differ. */
export function seedCommitment(seed: Uint8Array, sid: Uint8Array): Uint8Array {
  return hashFields("keymoot v1 ml-kem commitment", seed, sid)
}

/** A seed that does not depend on any earlier one. */
export function freshSeed(random: Uint8Array, sid: Uint8Array): Uint8Array {
  return settleSecret(hashFields("keymoot v1 ml-kem fresh seed", random, sid))
}

/** One way: a newcomer that is given the next seed cannot compute the last one. */
export function nextSeed(seed: Uint8Array, sid: Uint8Array): Uint8Array {
  return settleSecret(hashFields("keymoot v1 ml-kem next seed", seed, sid))
}
