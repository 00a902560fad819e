import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * The conference that a byte string belongs to. Both ends must agree on it, otherwise nothing between them verifies.
 */
export type Scope = {
  /** 16 bytes. */
  readonly conferenceId: Uint8Array
  /** 32 bytes. */
  readonly descriptorHash: Uint8Array
}

/**
 * Prefix of everything that is signed, MACed or hashed here: a label per purpose, ended by a zero byte, then two fields
 * of fixed length. So no two purposes and no two conferences share an input.
 */
export function scoped(label: string, scope: Scope, ...rest: readonly Uint8Array[]): Uint8Array {
  return concatBytes(utf8ToBytes(`keymoot/1 ${label}\0`), scope.conferenceId, scope.descriptorHash, ...rest)
}
