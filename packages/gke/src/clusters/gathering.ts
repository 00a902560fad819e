/**
 * Round 0 of a view: every cluster's public state comes to everybody. Mostly it rides on the SYNCs and nothing is sent; where
 * the member that was to attach it stands elsewhere by now, the cluster's lowest member multicasts it.
 */
import { equalBytes } from "../bytes.ts"
import type { KeyedView } from "../key-agreement.ts"
import type { MemberId } from "../member-id.ts"
import type { DeliveredMulticast } from "../transcript.ts"
import type { Attachment } from "./attachment.ts"
import { attachedState, claimsOf, clustersOfClaim, newcomerCluster } from "./claims.ts"
import type { Claim, Claims, Cluster, OwnedState } from "./claims.ts"
import { stateHashOf } from "./completed-epoch.ts"
import type { ClusterModule } from "./completed-epoch.ts"
import type { Outbox } from "./outbox.ts"
import { Slots } from "./slots.ts"

export type GatheringInput<State> = {
  readonly module: ClusterModule
  readonly view: KeyedView
  readonly attachments: ReadonlyMap<MemberId, Attachment>
  /** The state that this member's own attachment names. */
  readonly own: (OwnedState<State> & { readonly bytes: Uint8Array }) | null
  /** null for bytes that no honest member can have signed the hash of. */
  readonly decodeState: (bytes: Uint8Array) => State | null
  readonly ownersOf: (state: State) => readonly MemberId[]
  readonly encodeMessage: (state: Uint8Array) => Uint8Array
  readonly outbox: Outbox
}

const STATE_ROUND = 0

export class Gathering<State extends object> {
  readonly #input: GatheringInput<State>
  readonly #claims: Claims
  /** By claim; null for one that does not decode. */
  readonly #states = new Map<Claim, OwnedState<State> | null>()
  readonly #slots = new Slots<Claim>()

  constructor(input: GatheringInput<State>) {
    this.#input = input
    this.#claims = claimsOf(input.view.members, (member) => input.attachments.get(member)!)
    const { shared, newcomers } = this.#claims
    // Where all stand on one state, nobody needs to be given it.
    if (shared.length === 1 && newcomers.length === 0) this.#states.set(shared[0]!, input.own)
    else for (const claim of shared) this.#start(claim)
  }

  #start(claim: Claim): void {
    const { module, view, attachments, own, outbox, encodeMessage } = this.#input
    const isOwn = claim.members.includes(view.self)
    // Whoever stands on the state itself compares, which is quicker than hashing.
    const isClaimed = (attached: Uint8Array): boolean =>
      isOwn ? equalBytes(attached, own!.bytes) : equalBytes(stateHashOf(module, attached), claim.standing.stateHash)
    const { state, liars } = attachedState(claim, (member) => attachments.get(member)!.state, isClaimed)
    for (const liar of liars) outbox.fault(liar, "bad-state")
    if (isOwn) this.#states.set(claim, own)
    else if (state) this.#learn(claim, state)
    if (state) return
    const sender = claim.members[0]!
    this.#slots.prescribe(STATE_ROUND, sender, claim)
    if (sender === view.self) outbox.multicast(encodeMessage(own!.bytes))
  }

  receive(from: MemberId, state: Uint8Array, message: Uint8Array): void {
    const { module, outbox } = this.#input
    const slot = this.#slots.open(STATE_ROUND, from)
    if (!slot) return outbox.fault(from, "unexpected-message")
    const claim = slot.purpose
    if (!equalBytes(stateHashOf(module, state), claim.standing.stateHash)) return outbox.fault(from, "bad-state")
    slot.delivered = message
    if (!this.#states.has(claim)) this.#learn(claim, state)
  }

  #learn(claim: Claim, bytes: Uint8Array): void {
    const { decodeState, ownersOf, outbox } = this.#input
    const state = decodeState(bytes)
    if (state === null) for (const member of claim.members) outbox.fault(member, "bad-state")
    this.#states.set(claim, state && { state, owners: ownersOf(state) })
  }

  /** Null while a state is missing. */
  clusters(): Cluster<State>[] | null {
    const { shared, newcomers } = this.#claims
    if (this.#states.size < shared.length) return null
    return [
      ...shared.flatMap((claim) => clustersOfClaim(claim, this.#states.get(claim) ?? null)),
      ...newcomers.map(newcomerCluster),
    ]
  }

  /** What has been multicast in this round; null while anything is outstanding, even a state that this member holds. */
  allDelivered(): DeliveredMulticast[] | null {
    return this.#slots.allDelivered()
  }

  awaiting(): MemberId[] {
    return this.#slots.awaiting()
  }
}
