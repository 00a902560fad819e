/** Keys to the sealed parts of a descriptor, and what binds each part to its place. */
import { domainSeparated } from "../wire/index.ts"
import { derive32 } from "./invitation.ts"

/**
 * Derives the key that encrypts the room key from the link's secret. It cannot depend on the descriptor's hash, which
 * covers the encrypted room key.
 */
export function roomKeySealingKey(secret: Uint8Array, salt: Uint8Array, generation: number): Uint8Array {
  return derive32(secret, salt, `keymoot v1 room key sealing, generation ${generation}`)
}

export function blobKey(roomKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return derive32(roomKey, salt, "keymoot v1 descriptor blob")
}

/** Associated data that binds a ciphertext to its place and its descriptor. */
export function sealedFor(part: string, salt: Uint8Array): Uint8Array {
  return domainSeparated(`keymoot v1 descriptor ${part}`, salt)
}
