import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"

/** Links of a chain from one checkpoint to the next. */
export const CHECKPOINT_EVERY = 32
/** Of a hash at a checkpoint, in acknowledgements. What is ground to pass for something else here does not at the end of the view. */
export const CHECKPOINT_BYTES = 8

/** Before the first checkpoint. */
export const NOTHING_CHECKED: Uint8Array = new Uint8Array(CHECKPOINT_BYTES)

/**
 * A hash over a growing sequence, compared with others' at fixed checkpoints, and at the end of a view where they have come
 * to: two who were given different things under the same number differ ever after.
 */
export class HashChain {
  /** By length, from `#first` on: those that somebody may still be at, and the checkpoint before them. */
  readonly #hashes: Uint8Array[] = [new Uint8Array(32)]
  #first = 0

  append(digest: Uint8Array): void {
    this.#hashes.push(sha256(concatBytes(this.#hashes.at(-1)!, digest)))
  }

  /** Undefined beyond what has come, and where everybody is past it. */
  at(length: number): Uint8Array | undefined {
    return this.#hashes[length - this.#first]
  }

  /** At the last checkpoint; zeros before the first. */
  get checkpoint(): Uint8Array {
    const length = this.#first + this.#hashes.length - 1
    return this.at(checkpointOf(length))!.subarray(0, CHECKPOINT_BYTES)
  }

  /** What somebody shows who has come to `length` is not what is known here of that; false where nothing is known. */
  differsFrom(length: number, checkpoint: Uint8Array): boolean {
    if (length < CHECKPOINT_EVERY) return false
    const known = this.at(checkpointOf(length))
    return known !== undefined && !equalBytes(known.subarray(0, CHECKPOINT_BYTES), checkpoint)
  }

  /** Everybody has come to `length`. */
  dropBelow(length: number): void {
    const drop = checkpointOf(length) - this.#first
    if (drop <= 0) return
    this.#hashes.splice(0, drop)
    this.#first += drop
  }
}

function checkpointOf(length: number): number {
  return length - (length % CHECKPOINT_EVERY)
}
