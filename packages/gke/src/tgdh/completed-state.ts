import { sha256 } from "@noble/hashes/sha2.js"
import { updateFields } from "../bytes.ts"
import type { Scalar } from "../group/prime-order-group.ts"
import { stateHashOf } from "./claims.ts"
import type { Node } from "./tree.ts"

/** What a member keeps of an epoch that it completed; immutable until it is erased. */
export type CompletedState = {
  readonly epochId: Uint8Array
  readonly stateHash: Uint8Array
  readonly stateBytes: Uint8Array
  readonly tree: Node
  /** Secret: this member's share, then the key of each branch up to the root. */
  readonly pathKeys: readonly Scalar[]
}

/** `stateBytes` encodes `tree`. Takes `pathKeys` over. */
export function completedState(
  stateBytes: Uint8Array,
  tree: Node,
  pathKeys: readonly Scalar[],
  sid: Uint8Array,
  transcript: Uint8Array,
): CompletedState {
  const stateHash = stateHashOf(stateBytes)
  const hash = sha256.create()
  updateFields(hash, ["keymoot v1 epoch id", sid, transcript, stateHash])
  return { epochId: hash.digest(), stateHash, stateBytes, tree, pathKeys }
}

/**
 * What the member gives to the layer above. Its domain is not that of the root's key: the root's blinded key is public, and
 * the root's key itself goes on as the key of a mere branch once another tree is joined to this one.
 */
export function secretOf(top: Uint8Array, members: number): Uint8Array {
  const hash = sha256.create()
  updateFields(hash, [members === 1 ? "keymoot v1 tgdh secret of one" : "keymoot v1 tgdh secret", top])
  return hash.digest()
}

export function eraseState(state: CompletedState): void {
  for (const key of state.pathKeys) key.fill(0)
}
