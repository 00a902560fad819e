import type { MemberId, Randomness } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"

import { type Aead, AEAD_KEY_BYTES, AEAD_NONCE_BYTES, AEAD_TAG_BYTES, type DataCipher } from "../ciphers/index.ts"
import { platformRandomness } from "../platform/randomness.ts"
import { assert } from "../wire/index.ts"
import { BATCH_BYTES_MAX } from "./batch.ts"
import { laneOf, type BatchLane } from "./batch-number.ts"
import { ReplayWindow } from "./replay-window.ts"

/** Key of one incarnation of a member in one epoch. */
export type SenderKey = {
  readonly member: MemberId
  readonly incarnation: number
  /** `AEAD_KEY_BYTES`. The cipher owns and overwrites them. */
  readonly key: Uint8Array
}

/** Prefix of every ciphertext. */
const SALT_BYTES = AEAD_NONCE_BYTES
const OVERHEAD_BYTES = SALT_BYTES + AEAD_TAG_BYTES

/** Raw until the first use, because in a large conference most members send nothing in most epochs. */
type KeyState = { readonly raw: Uint8Array; readonly aead: null } | { readonly raw: null; readonly aead: Aead }
type SenderState = { key: KeyState; readonly replays: Readonly<Record<BatchLane, ReplayWindow>> }

/**
 * Encrypts this member's batches of one epoch and decrypts all members', with a key per sender. The nonce is a fresh
 * random salt, sent with the batch, XORed with the batch's number.
 *
 * A counter alone would be unsafe. A copy of a device (a restored profile, a snapshot of a virtual machine) has the
 * same keys and counters. Two plaintexts under one key and nonce reveal each other, except under AES-GCM-SIV. A sender
 * has fewer than 2^33 numbers in a view, so nonces collide with a probability below 2^-31.
 */
export class EpochCipher {
  readonly #senders = new Map<string, SenderState>()
  readonly #cipher: DataCipher
  readonly #random: Randomness
  readonly #self: string
  readonly #lastSealed = { kept: -1, unreliable: -1 }

  /** @param others the other members of the view. Two with the same member and incarnation violate an invariant. */
  constructor(cipher: DataCipher, self: SenderKey, others: readonly SenderKey[], random = platformRandomness) {
    this.#cipher = cipher
    this.#random = random
    this.#self = instance(self.member, self.incarnation)
    for (const { member, incarnation, key } of [self, ...others]) {
      assert(key.length === AEAD_KEY_BYTES, "a sender's key has 32 bytes")
      assert(!this.#senders.has(instance(member, incarnation)), "a sender has one key in an epoch")
      this.#senders.set(instance(member, incarnation), {
        key: { raw: key, aead: null },
        replays: { kept: new ReplayWindow(), unreliable: new ReplayWindow() },
      })
    }
  }

  /**
   * @param sequence (`batchNumber`) greater than all sealed before in its lane. @returns salt, ciphertext and tag;
   * `null` after `erase`.
   * @throws Error on a sequence not greater than the last: receivers would reject the second batch as a replay.
   */
  async seal(sequence: number, associatedData: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array | null> {
    const lane = laneOf(sequence)
    const ascends = Number.isSafeInteger(sequence) && sequence > this.#lastSealed[lane]
    assert(ascends, "a sequence number is sealed once, in order")
    // Set before any await, so that the second of two concurrent calls with one number fails.
    this.#lastSealed[lane] = sequence
    const sender = this.#senders.get(this.#self)
    if (sender === undefined) return null
    const salt = this.#random.bytes(SALT_BYTES)
    return concatBytes(salt, await this.#aeadOf(sender).seal(nonceOf(salt, sequence), associatedData, plaintext))
  }

  /**
   * Returns the plaintext of a batch (own ones too); `null` for an unknown sender, other associated data, altered
   * bytes, a replay, or after `erase`. Each number of a sender is accepted once.
   */
  async open(
    member: MemberId,
    incarnation: number,
    sequence: number,
    associatedData: Uint8Array,
    sealed: Uint8Array,
  ): Promise<Uint8Array | null> {
    const sender = this.#senders.get(instance(member, incarnation))
    if (sender === undefined || !Number.isSafeInteger(sequence) || sequence < 0) return null
    if (sealed.length < OVERHEAD_BYTES || sealed.length > BATCH_BYTES_MAX + OVERHEAD_BYTES) return null
    const replays = sender.replays[laneOf(sequence)]
    if (!replays.isFresh(sequence)) return null
    const nonce = nonceOf(sealed.subarray(0, SALT_BYTES), sequence)
    const plaintext = await this.#aeadOf(sender).open(nonce, associatedData, sealed.subarray(SALT_BYTES))
    // Checked again, because during the await the same batch may have been opened, or the epoch erased.
    if (plaintext === null || this.#senders.size === 0 || !replays.isFresh(sequence)) return null
    replays.accept(sequence)
    return plaintext
  }

  /** Ends the epoch: overwrites the keys. Nothing can be decrypted afterwards. */
  erase(): void {
    for (const { key } of this.#senders.values()) {
      key.raw?.fill(0)
      key.aead?.erase()
    }
    this.#senders.clear()
  }

  #aeadOf(sender: SenderState): Aead {
    const { raw, aead } = sender.key
    if (aead) return aead
    const created = this.#cipher.create(raw)
    // The cipher has copied it by now.
    raw.fill(0)
    sender.key = { raw: null, aead: created }
    return created
  }
}

function instance(member: MemberId, incarnation: number): string {
  return `${member}/${incarnation}`
}

/** As in TLS 1.3 (RFC 8446, section 5.3), so a batch can be decrypted under its own number only. */
function nonceOf(salt: Uint8Array, sequence: number): Uint8Array {
  const nonce = salt.slice()
  const counter = new DataView(nonce.buffer)
  const at = AEAD_NONCE_BYTES - 8
  counter.setBigUint64(at, counter.getBigUint64(at) ^ BigInt(sequence))
  return nonce
}
