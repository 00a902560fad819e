import type { MemberId } from "../member-id.ts"
import type { DeliveredMulticast } from "../transcript.ts"
import type { Claim } from "./claims.ts"
import type { Publication } from "./plan.ts"

/** A multicast that the view prescribes, and its bytes once it has been delivered. */
type Slot = {
  readonly round: number
  readonly sender: MemberId
  delivered: Uint8Array | null
}
export type StateSlot = Slot & { readonly claim: Claim }
export type KeysSlot = Slot & { readonly publication: Publication }

/** The exact list of multicasts of one view: each sender has at most one a round. */
export class Slots {
  readonly #states = new Map<MemberId, StateSlot>()
  readonly #keys = new Map<string, KeysSlot>()

  addState(sender: MemberId, claim: Claim): void {
    this.#states.set(sender, { round: 0, sender, claim, delivered: null })
  }

  addKeys(publication: Publication): void {
    const { round, sponsor } = publication
    this.#keys.set(slotKey(round, sponsor), { round, sender: sponsor, publication, delivered: null })
  }

  /** Null if this sender has nothing to send then, or has sent it. */
  openState(sender: MemberId): StateSlot | null {
    return open(this.#states.get(sender))
  }

  openKeys(round: number, sender: MemberId): KeysSlot | null {
    return open(this.#keys.get(slotKey(round, sender)))
  }

  /** What each has delivered; null while anything is outstanding. */
  allDelivered(): DeliveredMulticast[] | null {
    const multicasts: DeliveredMulticast[] = []
    for (const { round, sender, delivered } of [...this.#states.values(), ...this.#keys.values()]) {
      if (!delivered) return null
      multicasts.push({ round, sender, bytes: delivered })
    }
    return multicasts
  }
}

export function slotKey(round: number, sender: MemberId): string {
  return `${round}:${sender}`
}

function open<S extends Slot>(slot: S | undefined): S | null {
  return slot && !slot.delivered ? slot : null
}
