import { exportKey, senderKey } from "@keymoot/gke"
import type { GroupFrame, MemberId, View } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { Authenticity } from "../api.ts"
import {
  batchNumber,
  EpochCipher,
  encodeAssociatedData,
  GROUP_TAG_BYTES,
  GroupAuthenticator,
  type BatchService,
} from "../multicast/index.ts"

/** A view together with its key: seals what is sent in it and opens what is delivered in it. */
export class Epoch {
  readonly view: View
  readonly #conferenceId: string
  readonly #self: MemberId
  readonly #cipher: EpochCipher
  /** For frames that no sender signs; null where each signs its own. */
  readonly authenticator: GroupAuthenticator | null

  /** Overwrites `epochKey`. */
  constructor(view: View, conferenceId: string, self: MemberId, epochKey: Uint8Array, authenticity: Authenticity) {
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
    this.#cipher = new EpochCipher(keyOf(own), view.members.filter((member) => member !== own).map(keyOf))
    const tagKey = (): Uint8Array => exportKey(epochKey, "keymoot v1 group tag", viewId, GROUP_TAG_BYTES)
    this.authenticator = authenticity === "group" ? new GroupAuthenticator(tagKey()) : null
    epochKey.fill(0)
  }

  /** Null after `erase`. */
  seal(sequence: number, service: BatchService, plaintext: Uint8Array): Promise<Uint8Array | null> {
    const number = batchNumber(service, sequence)
    return this.#cipher.seal(number, this.#associatedData(this.#self, number, service), plaintext)
  }

  /** Null for what its sender did not seal for this place. */
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
