import { equalBytes } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { CHAIN_BYTES } from "../wire/messages.ts"

/**
 * A hash over a growing sequence. Two members that received different items under one number have different hashes from
 * then on. The member with the longer sequence detects it by comparing the hash that the other shows.
 */
export class HashChain {
  /** By length, from `#first` on: the lengths that some member may still have. */
  readonly #hashes: Uint8Array[] = [new Uint8Array(32)]
  #first = 0

  append(digest: Uint8Array): void {
    this.#hashes.push(sha256(concatBytes(this.#hashes.at(-1)!, digest)))
  }

  /** Undefined beyond the received length, and where every member is past it. */
  at(length: number): Uint8Array | undefined {
    return this.#hashes[length - this.#first]
  }

  /** Hash over all received items. */
  get shown(): Uint8Array {
    return this.#hashes.at(-1)!.subarray(0, CHAIN_BYTES)
  }

  /** True if the hash of a member at `length` differs from the one here. False if the one here is unknown. */
  differsFrom(length: number, shown: Uint8Array): boolean {
    const known = this.at(length)
    return known !== undefined && !equalBytes(known.subarray(0, CHAIN_BYTES), shown)
  }

  /** Every member has reached `length`. */
  dropBelow(length: number): void {
    const drop = length - this.#first
    if (drop <= 0) return
    this.#hashes.splice(0, drop)
    this.#first = length
  }
}
