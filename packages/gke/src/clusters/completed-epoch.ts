import { sha256 } from "@noble/hashes/sha2.js"
import { updateFields } from "../bytes.ts"

/**
 * What every module keeps of an epoch that it completed; immutable until it is erased. Who names the same epoch id and state
 * hash holds the same public state.
 */
export type CompletedEpoch = {
  readonly epochId: Uint8Array
  readonly stateHash: Uint8Array
  /** Encoded when somebody asks for it: mostly nobody does. */
  readonly stateBytes: () => Uint8Array
}

/** A public state. `digest`: stands for it in its hash, if not the encoding itself does. */
export type PublicState = { readonly digest: Uint8Array; readonly bytes: () => Uint8Array }

/** The modules whose view changes go by clusters. Each hashes in domains of its own. */
export type ClusterModule = "tgdh" | "str" | "bd" | "gdh" | "ckd"

export function stateHashOf(module: ClusterModule, digest: Uint8Array): Uint8Array {
  const hash = sha256.create()
  updateFields(hash, [`keymoot v1 ${module} state`, digest])
  return hash.digest()
}

export function completedEpoch(
  module: ClusterModule,
  state: PublicState,
  sid: Uint8Array,
  transcript: Uint8Array,
): CompletedEpoch {
  const stateHash = stateHashOf(module, state.digest)
  const hash = sha256.create()
  updateFields(hash, ["keymoot v1 epoch id", sid, transcript, stateHash])
  return { epochId: hash.digest(), stateHash, stateBytes: state.bytes }
}

/** The state of a module whose encoding is short, or that is needed in any case. */
export function encodedState(bytes: Uint8Array): PublicState {
  return { digest: bytes, bytes: () => bytes }
}

/**
 * What the member gives to the layer above, out of what all members share at the top; alone, out of its own fresh share.
 * The domain is not that of any key inside the structure: what is published of those must say nothing about this.
 */
export function secretOf(module: ClusterModule, top: Uint8Array, members: number): Uint8Array {
  const hash = sha256.create()
  updateFields(hash, [`keymoot v1 ${module} secret${members === 1 ? " of one" : ""}`, top])
  return hash.digest()
}
