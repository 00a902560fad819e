import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { CHAIN_BYTES } from "../wire/messages.ts"

/**
 * A hash over a growing sequence: two who were given different things under the same number differ ever after, and see it
 * when the one who has come further compares what the other shows.
 */
export class HashChain {
  /** By length, from `#first` on: those that somebody may still be at. */
  readonly #hashes: Uint8Array[] = [new Uint8Array(32)]
  #first = 0

  append(digest: Uint8Array): void {
    this.#hashes.push(sha256(concatBytes(this.#hashes.at(-1)!, digest)))
  }

  /** Undefined beyond what has come, and where everybody is past it. */
  at(length: number): Uint8Array | undefined {
    return this.#hashes[length - this.#first]
  }

  /** Over all that has come. */
  get shown(): Uint8Array {
    return this.#hashes.at(-1)!.subarray(0, CHAIN_BYTES)
  }

  /** What somebody shows who has come to `length` is not what is known here of that; false where nothing is known. */
  differsFrom(length: number, shown: Uint8Array): boolean {
    const known = this.at(length)
    return known !== undefined && !equalBytes(known.subarray(0, CHAIN_BYTES), shown)
  }

  /** Everybody has come to `length`. */
  dropBelow(length: number): void {
    const drop = length - this.#first
    if (drop <= 0) return
    this.#hashes.splice(0, drop)
    this.#first = length
  }
}
