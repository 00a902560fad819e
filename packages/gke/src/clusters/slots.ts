import type { MemberId } from "../shared/member-id.ts"
import type { DeliveredMulticast } from "../agreement/transcript.ts"

/** A multicast that the view prescribes, what it is for, and its bytes once it has been delivered. */
export type Slot<Purpose> = {
  readonly round: number
  readonly sender: MemberId
  readonly purpose: Purpose
  delivered: Uint8Array | null
}

/** The exact list of multicasts of one view: each sender has at most one a round. */
export class Slots<Purpose> {
  readonly #slots = new Map<string, Slot<Purpose>>()

  prescribe(round: number, sender: MemberId, purpose: Purpose): void {
    this.#slots.set(slotKey(round, sender), { round, sender, purpose, delivered: null })
  }

  /** Null if this sender has nothing to send then, or has sent it. */
  open(round: number, sender: MemberId): Slot<Purpose> | null {
    const slot = this.#slots.get(slotKey(round, sender))
    return slot && !slot.delivered ? slot : null
  }

  /** All delivered multicasts; null while any is outstanding. */
  allDelivered(): DeliveredMulticast[] | null {
    const multicasts: DeliveredMulticast[] = []
    for (const { round, sender, delivered } of this.#slots.values()) {
      if (!delivered) return null
      multicasts.push({ round, sender, bytes: delivered })
    }
    return multicasts
  }

  /** Members that have yet to send in the earliest open round. Members of later rounds may be waiting for them. */
  awaiting(): MemberId[] {
    const open = [...this.#slots.values()].filter((slot) => !slot.delivered)
    const round = Math.min(...open.map((slot) => slot.round))
    return open.filter((slot) => slot.round === round).map((slot) => slot.sender)
  }
}

export function slotKey(round: number, sender: MemberId): string {
  return `${round}:${sender}`
}
