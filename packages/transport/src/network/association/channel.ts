import { MESSAGE_BYTES_MAX, UNRELIABLE_BYTES_MAX, UNRELIABLE_WAITING_BYTES_MAX } from "../../bounds/network-bounds.ts"
import { decodeControl, encodeControl, type Control } from "../messages/control.ts"
import type { Kem } from "../shared/kem.ts"
import type { Hop, HopRefusal } from "./hop.ts"
import { packParcels, Unpacker, type PackingRefusal, type Parcel } from "./packing.ts"
import { Rekey, type RekeyRefusal } from "./rekey.ts"
import type { Role } from "./transcript.ts"
import type { Randomness } from "../shared/randomness.ts"

export type ChannelRefusal = HopRefusal | PackingRefusal | RekeyRefusal | "malformed-control"
export type Received =
  { readonly type: "message"; readonly bytes: Uint8Array } | { readonly type: "control"; readonly control: Control }
export type Frames = { readonly reliable: Uint8Array[]; readonly unreliable: Uint8Array[] }

/**
 * An established association: packs and seals outgoing messages, opens and unpacks incoming ones. Each direction
 * changes keys at its own point of the stream (rekey.ts), so nothing waits and nothing is lost.
 */
export class SealedChannel {
  readonly #rekey: Rekey
  readonly #unpacker = new Unpacker()
  #outbox: Parcel[] = []
  /** Frames sealed under former keys that `flush` has not returned yet. */
  #sealed: Uint8Array[] = []
  #unreliable: Uint8Array[] = []
  #unreliableBytes = 0

  /** `kem`: null unless the association is hybrid. */
  constructor(hop: Hop, role: Role, random: Randomness, nowMs: number, kem: Kem | null) {
    this.#rekey = new Rekey(hop, role, random, nowMs, kem)
  }

  queue(message: Uint8Array): void {
    if (message.length > MESSAGE_BYTES_MAX)
      throw new RangeError(`a message over a link has at most ${MESSAGE_BYTES_MAX} bytes`)
    this.#outbox.push({ control: false, bytes: message })
  }

  control(control: Control): void {
    this.#outbox.push({ control: true, bytes: encodeControl(control) })
  }

  /** Returns false for a message too long for an unreliable frame. */
  queueUnreliable(message: Uint8Array): boolean {
    if (message.length > UNRELIABLE_BYTES_MAX) return false
    this.#unreliable.push(message)
    this.#unreliableBytes += message.length
    while (this.#unreliableBytes > UNRELIABLE_WAITING_BYTES_MAX) {
      this.#unreliableBytes -= this.#unreliable.shift()!.length
    }
    return true
  }

  /** Call regularly: keys expire by time. */
  tick(nowMs: number): void {
    const offer = this.#rekey.tick(nowMs)
    if (offer) this.control(offer)
  }

  /** Packs the queued messages into as few frames as possible. */
  flush(): Frames {
    this.#sealOutbox()
    const reliable = this.#sealed
    const parcels = this.#unreliable.map((bytes) => ({ control: false, bytes }))
    const unreliable = packParcels(parcels, (plain) => this.#rekey.sealUnreliable(plain))
    this.#sealed = []
    this.#unreliable = []
    this.#unreliableBytes = 0
    return { reliable, unreliable }
  }

  open(frame: Uint8Array, nowMs: number): Received[] | { readonly refused: ChannelRefusal } {
    const plain = this.#rekey.open(frame)
    const parcels = "refused" in plain ? plain : this.#unpacker.unpack(plain)
    if ("refused" in parcels) return parcels
    const received: Received[] = []
    for (const { control, bytes } of parcels) {
      if (!control) {
        received.push({ type: "message", bytes })
        continue
      }
      const decoded = decodeControl(bytes)
      if (decoded === null) return { refused: "malformed-control" }
      const refused = this.#handleRekey(decoded, nowMs)
      if (refused) return { refused }
      if (!decoded.kind.startsWith("rekey")) received.push({ type: "control", control: decoded })
    }
    return received
  }

  /** A frame that does not open counts as lost: an unreliable one proves no fault. */
  openUnreliable(frame: Uint8Array): Uint8Array[] {
    const plain = this.#rekey.openUnreliable(frame)
    const unpacker = new Unpacker()
    const parcels = plain && unpacker.unpack(plain)
    if (!parcels || "refused" in parcels) return []
    return parcels.flatMap(({ control, bytes }) => (control ? [] : [bytes]))
  }

  forget(): void {
    this.#rekey.forget()
  }

  #handleRekey(control: Control, nowMs: number): RekeyRefusal | null {
    if (control.kind !== "rekeyOffer" && control.kind !== "rekeyAnswer" && control.kind !== "rekeyDone") return null
    const result = this.#rekey.handle(control, nowMs)
    if ("refused" in result) return result.refused
    if (result.last) {
      this.control(result.last)
      this.#sealOutbox()
    }
    result.switchSending()
    return null
  }

  #sealOutbox(): void {
    const sealed = packParcels(this.#outbox, (plain) => this.#rekey.seal(plain))
    this.#sealed = this.#sealed.length > 0 ? [...this.#sealed, ...sealed] : sealed
    this.#outbox = []
  }
}
