/**
 * Round 0 of a view: every member gets every cluster's public state. The states usually ride on the SYNCs, and nothing
 * is sent. If the member that should attach a state has another one by now, the cluster's lowest member multicasts it.
 */
import { equalBytes } from "../shared/bytes.ts"
import type { KeyedView } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { DeliveredMulticast } from "../agreement/transcript.ts"
import type { Attachment } from "./attachment.ts"
import { attachedState, claimsOf, clustersOfClaim, newcomerCluster } from "./claims.ts"
import type { Claim, Claims, Cluster, OwnedState } from "./claims.ts"
import type { Outbox } from "./outbox.ts"
import { Slots } from "./slots.ts"

export type GatheringInput<State> = {
  readonly view: KeyedView
  readonly attachments: ReadonlyMap<MemberId, Attachment>
  /** The state that this member's own attachment names. */
  readonly own: (OwnedState<State> & { readonly bytes: () => Uint8Array }) | null
  /** null for bytes that no honest member can have encoded. */
  readonly decodeState: (bytes: Uint8Array) => State | null
  readonly hashOf: (state: State) => Uint8Array
  /** Sorted. */
  readonly ownersOf: (state: State) => readonly MemberId[]
  readonly encodeMessage: (state: Uint8Array) => Uint8Array
  readonly outbox: Outbox
}

const STATE_ROUND = 0

export class Gathering<State extends object> {
  readonly #input: GatheringInput<State>
  readonly #claims: Claims
  readonly #states = new Map<Claim, OwnedState<State>>()
  readonly #slots = new Slots<Claim>()

  constructor(input: GatheringInput<State>) {
    this.#input = input
    this.#claims = claimsOf(input.view.members, (member) => input.attachments.get(member)!)
    const { shared, newcomers } = this.#claims
    // If all members have the same state, no member needs a copy.
    if (shared.length === 1 && newcomers.length === 0) this.#states.set(shared[0]!, input.own!)
    else for (const claim of shared) this.#start(claim)
  }

  #start(claim: Claim): void {
    const { view, attachments, outbox, encodeMessage } = this.#input
    const { state, liars } = attachedState(
      claim,
      (member) => attachments.get(member)!.state,
      (attached) => this.#isClaimed(claim, attached),
    )
    for (const liar of liars) outbox.fault(liar, "bad-state")
    const own = this.#ownOf(claim)
    if (own) this.#states.set(claim, own)
    if (state) return
    const sender = claim.members[0]!
    this.#slots.prescribe(STATE_ROUND, sender, claim)
    if (sender === view.self) outbox.multicast(encodeMessage(own!.bytes()))
  }

  receive(from: MemberId, state: Uint8Array, message: Uint8Array): void {
    const { outbox } = this.#input
    const slot = this.#slots.open(STATE_ROUND, from)
    if (!slot) return outbox.fault(from, "unexpected-message")
    if (!this.#isClaimed(slot.purpose, state)) return outbox.fault(from, "bad-state")
    slot.delivered = message
  }

  /** This member's own state, if the claim includes this member. */
  #ownOf(claim: Claim): GatheringInput<State>["own"] {
    return claim.members.includes(this.#input.view.self) ? this.#input.own : null
  }

  /**
   * Whether these bytes are the state that all members of the claim name. A member with that state compares bytes,
   * which is faster; other members decode and hash it.
   */
  #isClaimed(claim: Claim, bytes: Uint8Array): boolean {
    const { decodeState, hashOf, ownersOf } = this.#input
    const own = this.#ownOf(claim)
    if (own) return equalBytes(bytes, own.bytes())
    const state = decodeState(bytes)
    if (!state || !equalBytes(hashOf(state), claim.standing.stateHash)) return false
    this.#states.set(claim, { state, owners: ownersOf(state) })
    return true
  }

  /** Null while a state is missing. */
  clusters(): Cluster<State>[] | null {
    const { shared, newcomers } = this.#claims
    if (this.#states.size < shared.length) return null
    return [
      ...shared.flatMap((claim) => clustersOfClaim(claim, this.#states.get(claim)!)),
      ...newcomers.map(newcomerCluster),
    ]
  }

  /** The multicasts of this round; null while any is outstanding, even one with a state that this member holds. */
  allDelivered(): DeliveredMulticast[] | null {
    return this.#slots.allDelivered()
  }

  awaiting(): MemberId[] {
    return this.#slots.awaiting()
  }
}
