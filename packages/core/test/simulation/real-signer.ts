import type { MemberId } from "@keymoot/transport"
import type { SimulatedSigner } from "@keymoot/transport/testing"
import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** Ed25519 under a key that follows from the member's id. */
export function createRealSigner(): SimulatedSigner {
  const keys = new Map<MemberId, { secret: Uint8Array; publicKey: Uint8Array }>()
  const verified = new WeakMap<Uint8Array, boolean>()
  const keyOf = (member: MemberId) => {
    const known = keys.get(member)
    if (known) return known
    const secret = sha256(utf8ToBytes(`simulated key of ${member}`))
    const key = { secret, publicKey: ed25519.getPublicKey(secret) }
    keys.set(member, key)
    return key
  }
  return {
    sign: (member, bytes) => ed25519.sign(bytes, keyOf(member).secret),
    // A frame is one object at all who get it, and good for all of them or for none.
    verify: (member, bytes, signature) => {
      const known = verified.get(signature)
      if (known !== undefined) return known
      const good = ed25519.verify(signature, bytes, keyOf(member).publicKey)
      verified.set(signature, good)
      return good
    },
  }
}
