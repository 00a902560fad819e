import { exportKey, senderKey } from "@keymoot/gke"
import type { GroupFrame, MemberId, Randomness, View } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { Authenticity } from "../api/index.ts"
import type { DataCipher } from "../ciphers/index.ts"
import {
  batchNumber,
  EpochCipher,
  encodeAssociatedData,
  GROUP_TAG_BYTES,
  GroupAuthenticator,
  type BatchService,
} from "../multicast/index.ts"

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
