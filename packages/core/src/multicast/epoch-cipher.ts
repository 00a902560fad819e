import type { MemberId } from "@keymoot/transport"

import { assert } from "../wire/index.ts"
import { BATCH_BYTES_MAX } from "./batch.ts"
import { createBatchCipher, type BatchCipher } from "./batch-cipher.ts"
import { laneOf, type BatchLane } from "./batch-number.ts"
import { ReplayWindow } from "./replay-window.ts"

/** The key of one member's one life in one epoch. */
export type SenderKey = {
  readonly member: MemberId
  readonly incarnation: number
  /** 32 bytes. The cipher owns and overwrites them. */
  readonly key: Uint8Array
}

const TAG_BYTES = 16
const NONCE_BYTES = 12

/** Raw until the first use: in a large conference most members say nothing in most epochs. */
type KeyState =
  { readonly raw: Uint8Array; readonly cipher: null } | { readonly raw: null; readonly cipher: BatchCipher }
type SenderState = { key: KeyState; readonly replays: Readonly<Record<BatchLane, ReplayWindow>> }

/**
 * Seals this member's batches of one epoch and opens everybody's: AES-256-GCM, a key per sender, the nonce counting its
 * batches over all services. Two batches never share key and nonce: a sequence number is sealed once, and the key is this
 * life's alone, whatever an earlier life of the same member sent.
 */
export class EpochCipher {
  readonly #senders = new Map<string, SenderState>()
  readonly #self: string
  readonly #lastSealed = { kept: -1, unreliable: -1 }

  /** @param others the other members of the view; two with the same member and incarnation are a broken invariant. */
  constructor(self: SenderKey, others: readonly SenderKey[]) {
    this.#self = instance(self.member, self.incarnation)
    for (const { member, incarnation, key } of [self, ...others]) {
      assert(key.length === 32, "a sender's key has 32 bytes")
      assert(!this.#senders.has(instance(member, incarnation)), "a sender has one key in an epoch")
      this.#senders.set(instance(member, incarnation), {
        key: { raw: key, cipher: null },
        replays: { kept: new ReplayWindow(), unreliable: new ReplayWindow() },
      })
    }
  }

  /**
   * @param sequence (`batchNumber`) greater than every one sealed before of its lane. @returns ciphertext and tag; `null` if the epoch was erased.
   * @throws Error on a sequence not greater than the last: a nonce used twice would give the key away.
   */
  async seal(sequence: number, associatedData: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array | null> {
    const lane = laneOf(sequence)
    const ascends = Number.isSafeInteger(sequence) && sequence > this.#lastSealed[lane]
    assert(ascends, "a sequence number is sealed once, in order")
    // Before anything is awaited: of two calls at once with one number the second fails.
    this.#lastSealed[lane] = sequence
    const sender = this.#senders.get(this.#self)
    if (sender === undefined) return null
    return cipherOf(sender).seal(nonceOf(sequence), associatedData, plaintext)
  }

  /**
   * The plaintext of a batch (one's own too); `null` for an unknown sender, other associated data, altered bytes, a replay, or
   * after `erase`. Each number of a sender opens once.
   */
  async open(
    member: MemberId,
    incarnation: number,
    sequence: number,
    associatedData: Uint8Array,
    ciphertext: Uint8Array,
  ): Promise<Uint8Array | null> {
    const sender = this.#senders.get(instance(member, incarnation))
    if (sender === undefined || !Number.isSafeInteger(sequence) || sequence < 0) return null
    if (ciphertext.length < TAG_BYTES || ciphertext.length > BATCH_BYTES_MAX + TAG_BYTES) return null
    const replays = sender.replays[laneOf(sequence)]
    if (!replays.isFresh(sequence)) return null
    const plaintext = await cipherOf(sender).open(nonceOf(sequence), associatedData, ciphertext)
    // Asked again: the same batch may have been opened twice at once, or the epoch erased, while this one waited.
    if (plaintext === null || this.#senders.size === 0 || !replays.isFresh(sequence)) return null
    replays.accept(sequence)
    return plaintext
  }

  /** Ends the epoch: keys not yet used are overwritten, the others dropped. Nothing opens afterwards. */
  erase(): void {
    for (const { key } of this.#senders.values()) key.raw?.fill(0)
    this.#senders.clear()
  }
}

function instance(member: MemberId, incarnation: number): string {
  return `${member}/${incarnation}`
}

function cipherOf(sender: SenderState): BatchCipher {
  if (sender.key.cipher === null) sender.key = { raw: null, cipher: createBatchCipher(sender.key.raw) }
  return sender.key.cipher!
}

function nonceOf(sequence: number): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES)
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 8, BigInt(sequence))
  return nonce
}
