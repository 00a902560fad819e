import type { MemberId } from "../shared/member-id.ts"

/** `stamp`: the round in which it was adopted; 0 for an initial one. */
export type Estimate = { readonly value: Uint8Array; readonly stamp: number }

/** The coordinator's side of its round: phase 2 while there is no proposal, then phase 4. One entry for each member. */
export class Lead {
  readonly round: number
  readonly #majority: number
  readonly #estimates = new Map<MemberId, Estimate>()
  readonly #acks = new Set<MemberId>()
  proposal: Uint8Array | null = null

  constructor(round: number, majority: number) {
    this.round = round
    this.#majority = majority
  }

  addEstimate(from: MemberId, { value, stamp }: Estimate): void {
    this.#estimates.set(from, { value, stamp })
  }

  /**
   * Proposes the latest estimate of a majority, if there is one. One's own is valid; another's is checked now, since only the chosen
   * one matters. Gives whose was not, and is passed over.
   */
  propose(self: MemberId, check: (value: Uint8Array) => boolean): readonly MemberId[] {
    const liars: MemberId[] = []
    while (!this.proposal && this.#estimates.size >= this.#majority) {
      const [from, { value }] = this.#latestEstimate(self)
      if (from === self || check(value)) this.proposal = value
      else {
        this.#estimates.delete(from)
        liars.push(from)
      }
    }
    return liars
  }

  /** The largest timestamp; one's own among equals, which needs no check. */
  #latestEstimate(self: MemberId): [MemberId, Estimate] {
    return [...this.#estimates].reduce((best, next) => {
      const newer = next[1].stamp - best[1].stamp
      return newer > 0 || (newer === 0 && next[0] === self) ? next : best
    })
  }

  /** Whether a majority has adopted the proposal now. */
  addAck(from: MemberId): boolean {
    this.#acks.add(from)
    return this.#acks.size >= this.#majority
  }
}
