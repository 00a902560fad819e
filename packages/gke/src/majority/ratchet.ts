import { expand, extract } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { settleSecret } from "../shared/bytes.ts"

const STATE_BYTES = 32
const SEED = utf8ToBytes("keymoot v1 majority seed")
const OUTPUT = utf8ToBytes("keymoot v1 majority random")
const NEXT = utf8ToBytes("keymoot v1 majority ratchet")

/**
 * All randomness of a session, out of what came with its start: contributions are sealed when others turn up, which brings
 * none. The state moves on with each draw, so that one found later gives nothing that was drawn before.
 */
export class Ratchet {
  readonly #state: Uint8Array

  constructor(random: Uint8Array) {
    this.#state = settleSecret(extract(sha256, random, SEED))
  }

  /** Fresh uniform bytes, which the caller overwrites. */
  draw(length: number): Uint8Array {
    const output = expand(sha256, this.#state, OUTPUT, length)
    const next = expand(sha256, this.#state, NEXT, STATE_BYTES)
    this.#state.set(next)
    next.fill(0)
    return output
  }

  erase(): void {
    this.#state.fill(0)
  }
}
