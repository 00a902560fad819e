/** Epochs: the key of a view, and the batches that are sealed and opened under it. */
import { exportKey, senderKey } from "@keymoot/gke"
import { type GroupFrame, type MemberId, type Randomness, ReplayWindow, type View } from "@keymoot/transport"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { Authenticity } from "../api/index.ts"
import { type Aead, AEAD_KEY_BYTES, AEAD_NONCE_BYTES, AEAD_TAG_BYTES, type DataCipher } from "../ciphers/aead.ts"
import { GROUP_TAG_BYTES, GroupAuthenticator } from "../frames/frame-opener.ts"
import { platformRandomness } from "../platform/surroundings.ts"
import { assert, domainSeparated, hexId, oneOf, safeInteger } from "../wire/index.ts"
import {
  BATCH_BYTES_MAX,
  batchNumber,
  laneOf,
  REPLAY_WINDOW_BATCHES,
  type BatchLane,
  type BatchService,
} from "./batch.ts"

/** Epoch of the present view. Frames of a former view keep their own epoch until they are decrypted. */
export class PresentEpoch {
  #epoch: Epoch | null = null
  #securedView: View["id"] | null = null

  /** Starts a view without a key. Returns the former epoch, to be erased after its last frame. */
  onAgreeing(): Epoch | null {
    const former = this.#epoch
    this.#epoch = null
    this.#securedView = null
    return former
  }

  onKeyed(epoch: Epoch): void {
    this.#epoch = epoch
  }

  onSecured(view: View): void {
    this.#securedView = view.id
  }

  get value(): Epoch | null {
    return this.#epoch
  }

  /** Epoch of a secured view, in which application data flows: every member has proved that it holds the key. */
  secured(view: View["id"]): Epoch | null {
    return this.#securedView === view ? this.#epoch : null
  }

  /** In mode `group`: authenticates data of this view; null for a view that is over or has no key here. */
  authenticatorOf(view: View["id"]): GroupAuthenticator | null {
    const epoch = this.#epoch
    return epoch?.view.id === view ? epoch.authenticator : null
  }
}

export type EpochConfig = {
  readonly view: View
  /** Hex. */
  readonly conferenceId: string
  readonly self: MemberId
  /** 32 bytes, which the epoch overwrites. */
  readonly epochKey: Uint8Array
  readonly cipher: DataCipher
  readonly authenticity: Authenticity
  /** The platform's by default. */
  readonly random?: Randomness
}

/** A view with its key: encrypts what is sent in it and decrypts what is delivered in it. */
export class Epoch {
  readonly view: View
  readonly #conferenceId: string
  readonly #self: MemberId
  readonly #cipher: EpochCipher
  /** Authenticates frames without a sender's signature; null if each sender signs its own. */
  readonly authenticator: GroupAuthenticator | null

  constructor({ view, conferenceId, self, epochKey, cipher, authenticity, random }: EpochConfig) {
    this.view = view
    this.#conferenceId = conferenceId
    this.#self = self
    const viewId = hexToBytes(view.id)
    const keyOf = ({ id: member, incarnation }: View["members"][number]) => ({
      member,
      incarnation,
      key: senderKey({ epochKey, viewId, member, incarnation }),
    })
    const own = view.members.find(({ id }) => id === self)!
    const others = view.members.filter((member) => member !== own)
    this.#cipher = new EpochCipher(cipher, keyOf(own), others.map(keyOf), random)
    const tagKey = (): Uint8Array => exportKey(epochKey, "keymoot v1 group tag", viewId, GROUP_TAG_BYTES)
    this.authenticator = authenticity === "group" ? new GroupAuthenticator(tagKey()) : null
    epochKey.fill(0)
  }

  /** Returns null after `erase`. */
  seal(sequence: number, service: BatchService, plaintext: Uint8Array): Promise<Uint8Array | null> {
    const number = batchNumber(service, sequence)
    return this.#cipher.seal(number, this.#associatedData(this.#self, number, service), plaintext)
  }

  /** Returns null if the sender did not seal these bytes for this view, service and sequence number. */
  async open(frame: GroupFrame): Promise<Uint8Array | null> {
    const { origin, sequence, service } = frame
    const sender = this.view.members.find(({ id }) => id === origin)
    if (!sender || service === "none") return null
    const number = batchNumber(service, sequence)
    const associatedData = this.#associatedData(origin, number, service)
    return this.#cipher.open(origin, sender.incarnation, number, associatedData, frame.message.body)
  }

  erase(): void {
    this.#cipher.erase()
  }

  #associatedData(sender: MemberId, sequence: number, service: BatchService): Uint8Array {
    const { id: viewId, epoch, members } = this.view
    const { incarnation } = members.find(({ id }) => id === sender)!
    return encodeAssociatedData({
      conferenceId: this.#conferenceId,
      viewId,
      epoch,
      sender,
      incarnation,
      service,
      sequence,
    })
  }
}

/** Position of a batch. */
export type BatchPlace = {
  /** Hex, 32 digits. */
  readonly conferenceId: string
  /** Hex, 64 digits. */
  readonly viewId: string
  readonly epoch: number
  readonly sender: MemberId
  readonly incarnation: number
  readonly service: BatchService
  /** See `batchNumber`. */
  readonly sequence: number
}

const batchPlace: P.CoderType<BatchPlace> = P.struct({
  conferenceId: hexId(16),
  viewId: hexId(32),
  epoch: safeInteger,
  sender: hexId(16) as unknown as P.CoderType<MemberId>,
  incarnation: safeInteger,
  service: oneOf(["unreliable", "reliable", "fifo", "causal", "agreed", "safe"]),
  sequence: safeInteger,
})

/**
 * Associated data of a batch. A batch that is moved to another conference, view, sender, service or number fails to
 * decrypt. Channels are inside the ciphertext.
 */
export function encodeAssociatedData(place: BatchPlace): Uint8Array {
  return domainSeparated("keymoot v1 batch", batchPlace.encode(place))
}

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
        replays: {
          kept: new ReplayWindow(REPLAY_WINDOW_BATCHES),
          unreliable: new ReplayWindow(REPLAY_WINDOW_BATCHES),
        },
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
