import { hashFields, settleSecret } from "../shared/bytes.ts"

/**
 * The part of a completed epoch that every module keeps; immutable until it is erased. Members that name the same epoch
 * id and state hash hold the same public state.
 */
export type CompletedEpoch = {
  readonly epochId: Uint8Array
  readonly stateHash: Uint8Array
  /** Encoded on demand: mostly it is not needed. */
  readonly stateBytes: () => Uint8Array
}

/** A public state. `digest`: stands for it in its hash, if not the encoding itself does. */
export type PublicState = { readonly digest: Uint8Array; readonly bytes: () => Uint8Array }

/** The modules whose view changes go by clusters. Each hashes in domains of its own. */
export type ClusterModule = "tgdh" | "str" | "bd" | "gdh" | "ckd" | "ml-kem"

export function stateHashOf(module: ClusterModule, digest: Uint8Array): Uint8Array {
  return hashFields(`keymoot v1 ${module} state`, digest)
}

export function completedEpoch(
  module: ClusterModule,
  state: PublicState,
  sid: Uint8Array,
  transcript: Uint8Array,
): CompletedEpoch {
  const stateHash = stateHashOf(module, state.digest)
  return { epochId: hashFields("keymoot v1 epoch id", sid, transcript, stateHash), stateHash, stateBytes: state.bytes }
}

/** The state of a module whose encoding is short, or that is needed in any case. */
export function encodedState(bytes: Uint8Array): PublicState {
  return { digest: bytes, bytes: () => bytes }
}

/**
 * The secret for the layer above: derived from the key at the root, or from the member's own fresh share when it is
 * alone. Its domain differs from that of every key inside the structure: values published about those must not reveal
 * this secret.
 */
export function secretOf(module: ClusterModule, top: Uint8Array, members: number): Uint8Array {
  return settleSecret(hashFields(`keymoot v1 ${module} secret${members === 1 ? " of one" : ""}`, top))
}
