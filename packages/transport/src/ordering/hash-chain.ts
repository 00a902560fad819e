import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"

/** Links of a chain from one checkpoint to the next. */
export const CHECKPOINT_EVERY = 32
/** Of a hash at a checkpoint, in acknowledgements: a difference that is meant to go unnoticed must be found by chance, online. */
export const CHECKPOINT_BYTES = 8

/** Before the first checkpoint. */
export const NOTHING_CHECKED: Uint8Array = new Uint8Array(CHECKPOINT_BYTES)

/**
 * A hash over a growing sequence, compared with others' at fixed checkpoints: two who were given different things
 * under the same number differ at every checkpoint after it.
 */
export class HashChain {
  #length = 0
  #hash: Uint8Array = new Uint8Array(32)
  /** By length; those that somebody may still be at. */
  readonly #checkpoints = new Map<number, Uint8Array>()

  append(digest: Uint8Array): void {
    this.#hash = sha256(concatBytes(this.#hash, digest))
    this.#length++
    if (this.#length % CHECKPOINT_EVERY === 0) {
      this.#checkpoints.set(this.#length, this.#hash.slice(0, CHECKPOINT_BYTES))
    }
  }

  /** At the last checkpoint; zeros before the first. */
  get checkpoint(): Uint8Array {
    return this.#checkpoints.get(checkpointOf(this.#length)) ?? NOTHING_CHECKED
  }

  /** What somebody shows who has come to `length` is not what is known here of that; false where nothing is known. */
  differsFrom(length: number, checkpoint: Uint8Array): boolean {
    if (length < CHECKPOINT_EVERY) return false
    const known = this.#checkpoints.get(checkpointOf(length))
    return known !== undefined && !equalBytes(known, checkpoint)
  }

  /** Everybody has come to `length`. */
  dropBelow(length: number): void {
    for (const at of this.#checkpoints.keys()) if (at < checkpointOf(length)) this.#checkpoints.delete(at)
  }
}

function checkpointOf(length: number): number {
  return length - (length % CHECKPOINT_EVERY)
}
