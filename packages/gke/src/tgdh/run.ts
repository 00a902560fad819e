import type { Element, PrimeOrderGroup, Scalar } from "../group/prime-order-group.ts"
import { isRejection } from "../group/prime-order-group.ts"
import { unreachable } from "../errors.ts"
import type { FaultReason, KeyAgreementOutput, KeyedView } from "../key-agreement.ts"
import { ROUNDS_MAX } from "../limits.ts"
import type { MemberId } from "../member-id.ts"
import { transcriptOf } from "../transcript.ts"
import { attachedState, claimsOf, clustersOfClaim, newcomerCluster, stateHashOf } from "./claims.ts"
import type { Claim } from "./claims.ts"
import { Climb } from "./climb.ts"
import type { Attachment, Message, TgdhCodec } from "./codec.ts"
import { completedState, secretOf } from "./completed-state.ts"
import type { CompletedState } from "./completed-state.ts"
import { equalBytes } from "../bytes.ts"
import { planPublications } from "./plan.ts"
import type { Publication } from "./plan.ts"
import { slotKey, Slots } from "./slots.ts"
import { buildStructure } from "./structure.ts"
import { completeTree, leafOf, pathOf } from "./tree.ts"
import type { Branch, Node } from "./tree.ts"

/**
 * gathering: some cluster's public state is still to be multicast (round 0), so the tree is not known. `early` holds what
 * came from members that know it already: one message per sender and round, and rounds are few.
 * climbing: the tree and so all multicasts are known; this member climbs its path as they arrive.
 */
type Phase =
  | { readonly name: "gathering"; readonly early: Map<string, Early> }
  | { readonly name: "climbing"; readonly tree: Node; readonly climb: Climb }
  | { readonly name: "completed" }
  | { readonly name: "failed" }
type Early = { readonly from: MemberId; readonly message: Message & { kind: "keys" }; readonly bytes: Uint8Array }

/** What a run is made of; `share` is the one behind this member's attachment, `base` the state that it stands on. */
export type RunInput = {
  readonly group: PrimeOrderGroup
  readonly codec: TgdhCodec
  readonly view: KeyedView
  readonly base: CompletedState | null
  readonly share: Scalar
}

/** The agreement of one view, from its attachments to its secret. Owns `share` and overwrites it when it is not needed any more. */
export class Run {
  readonly #input: RunInput
  readonly #attachments = new Map<MemberId, Attachment>()
  readonly #slots = new Slots()
  /** This member's own, by their highest branch: each goes out once that has been reached. */
  readonly #ownPublications = new Map<Branch, Publication>()
  /** By claim; null for one that does not decode. */
  readonly #trees = new Map<Claim, Node | null>()
  readonly #published = new Map<Branch, Element>()
  readonly #sponsorOf = new Map<Branch, MemberId>()
  readonly #outputs: KeyAgreementOutput[] = []
  #claims: readonly Claim[] = []
  #newcomers: readonly MemberId[] = []
  #phase: Phase = { name: "gathering", early: new Map() }
  #completed: CompletedState | null = null

  constructor(input: RunInput) {
    this.#input = input
  }

  /** The state of this view's epoch, once; the caller owns it from then on. */
  takeCompleted(): CompletedState | null {
    const completed = this.#completed
    this.#completed = null
    return completed
  }

  start(): readonly KeyAgreementOutput[] {
    const { codec, view } = this.#input
    for (const member of view.members) {
      const attachment = codec.decodeAttachment(view.attachments.get(member)!)
      if (attachment) this.#attachments.set(member, attachment)
      else this.#fault(member, "malformed-attachment")
    }
    if (this.#attachments.size < view.members.length) this.#becomeFailed()
    else this.#gatherStates()
    return this.#flushOutputs()
  }

  receive(from: MemberId, bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (this.#phase.name !== "failed") {
      const message = this.#input.codec.decodeMessage(bytes)
      if (!message) this.#fault(from, "malformed-message")
      else if (message.kind === "state") this.#receiveState(from, message.state, bytes)
      else this.#receiveKeys(from, message, bytes)
    }
    return this.#flushOutputs()
  }

  /** Overwrites the secrets of a run that is not finished. */
  abandon(): void {
    if (this.#phase.name !== "completed") this.#becomeFailed()
  }

  // --- round 0: every cluster's public state -------------------------------------------------------------------------

  #gatherStates(): void {
    const { view, base } = this.#input
    const { shared, newcomers } = claimsOf(view.members, (member) => this.#attachments.get(member)!)
    this.#claims = shared
    this.#newcomers = newcomers
    for (const claim of shared) {
      const { state, liars } = attachedState(claim, (member) => this.#attachments.get(member)!)
      for (const liar of liars) this.#fault(liar, "bad-state")
      const isOwn = claim.members.includes(view.self)
      if (isOwn) this.#trees.set(claim, base!.tree)
      else if (state) this.#learnTree(claim, state)
      if (state) continue
      const sender = claim.members[0]!
      this.#slots.addState(sender, claim)
      if (sender === view.self) this.#multicast({ kind: "state", state: base!.stateBytes })
    }
    this.#climbIfGathered()
  }

  #learnTree(claim: Claim, state: Uint8Array): void {
    const tree = this.#input.codec.decodeState(state)
    if (!tree) for (const member of claim.members) this.#fault(member, "bad-state")
    this.#trees.set(claim, tree)
  }

  #receiveState(from: MemberId, state: Uint8Array, bytes: Uint8Array): void {
    const slot = this.#slots.openState(from)
    if (!slot) return this.#fault(from, "unexpected-message")
    const { claim } = slot
    if (!equalBytes(stateHashOf(state), claim.standing.stateHash)) return this.#fault(from, "bad-state")
    slot.delivered = bytes
    if (!this.#trees.has(claim)) this.#learnTree(claim, state)
    this.#climbIfGathered()
    this.#completeIfAllDelivered()
  }

  // --- from the states to the tree -----------------------------------------------------------------------------------

  #climbIfGathered(): void {
    if (this.#phase.name !== "gathering" || this.#trees.size < this.#claims.length) return
    const { early } = this.#phase
    const tree = this.#buildTree()
    if (!tree) return
    this.#phase = { name: "climbing", tree, climb: this.#startClimb(tree) }
    for (const publication of planPublications(tree)) {
      const { sponsor, branches } = publication
      this.#slots.addKeys(publication)
      for (const branch of branches) this.#sponsorOf.set(branch, sponsor)
      if (sponsor === this.#input.view.self) this.#ownPublications.set(branches.at(-1)!, publication)
    }
    this.#climb()
    for (const { from, message, bytes } of early.values()) this.#receiveKeys(from, message, bytes)
    this.#completeIfAllDelivered()
  }

  #buildTree(): Node | null {
    const { group, view } = this.#input
    const invalid: MemberId[] = []
    // Only the shares that take part are checked: a check costs half as much as a multiplication.
    const tree = buildStructure(
      [
        ...this.#claims.flatMap((claim) => clustersOfClaim(claim, this.#trees.get(claim)!)),
        ...this.#newcomers.map(newcomerCluster),
      ],
      (member) => {
        const { share } = this.#attachments.get(member)!
        const element = group.decode(share)
        if (isRejection(element)) invalid.push(member)
        return leafOf(member, isRejection(element) ? (share as Element) : element, view.proposal.epoch)
      },
    )
    if (invalid.length === 0) return tree
    for (const member of invalid) this.#fault(member, "malformed-attachment")
    this.#becomeFailed()
    return null
  }

  #startClimb(tree: Node): Climb {
    const { group, view, base, share } = this.#input
    const path = pathOf(tree, view.self) ?? unreachable("each member of the view has a leaf")
    const own = this.#attachments.get(view.self)!.share
    const leaf = path[0] ? childOnPath(path[0].branch, path[0].sibling) : tree
    if (equalBytes(leaf.blinded!, own)) return new Climb(group, path, [share])
    // The bottom of the path is as it was in the state below: what has changed has unknown keys up to the root.
    const unchanged = path.findIndex((step) => !step.branch.blinded)
    return new Climb(group, path, base!.pathKeys.slice(0, 1 + (unchanged < 0 ? path.length : unchanged)))
  }

  // --- blinded keys --------------------------------------------------------------------------------------------------

  #receiveKeys(from: MemberId, message: Message & { kind: "keys" }, bytes: Uint8Array): void {
    if (this.#phase.name === "gathering") return this.#holdEarly(this.#phase.early, { from, message, bytes })
    const slot = this.#slots.openKeys(message.round, from)
    if (!slot) return this.#fault(from, "unexpected-message")
    const { branches } = slot.publication
    if (branches.length !== message.blinded.length) return this.#fault(from, "malformed-message")
    const elements = message.blinded.map((blinded) => this.#input.group.decode(blinded))
    if (elements.some(isRejection)) return this.#fault(from, "malformed-message")
    slot.delivered = bytes
    for (const [i, branch] of branches.entries()) {
      const element = elements[i] as Element
      if (from !== this.#input.view.self) this.#published.set(branch, element)
      else if (!this.#isOwnPublished(branch, element)) return this.#failAt(branch)
    }
    this.#climb()
    this.#completeIfAllDelivered()
  }

  #holdEarly(early: Map<string, Early>, held: Early): void {
    const key = slotKey(held.message.round, held.from)
    const isMember = this.#attachments.has(held.from)
    if (!isMember || held.message.round > ROUNDS_MAX || early.has(key)) {
      return this.#fault(held.from, "unexpected-message")
    }
    early.set(key, held)
  }

  #isOwnPublished(branch: Branch, element: Element): boolean {
    const own = this.#published.get(branch)
    return own !== undefined && equalBytes(own, element)
  }

  #climb(): void {
    if (this.#phase.name !== "climbing") return
    const { view } = this.#input
    const stop = this.#phase.climb.advance(
      this.#published,
      (branch) => this.#sponsorOf.get(branch) === view.self,
      (branch, blinded) => {
        this.#published.set(branch, blinded)
        const whole = this.#ownPublications.get(branch)
        if (whole) this.#publish(whole)
      },
    )
    if (stop.type === "mismatch") this.#failAt(stop.branch)
  }

  #publish({ round, branches }: Publication): void {
    this.#multicast({ kind: "keys", round, blinded: branches.map((branch) => this.#published.get(branch)!) })
  }

  // --- the end -------------------------------------------------------------------------------------------------------

  /**
   * Complete means that every prescribed multicast has been delivered, this member's own included, and not that it can
   * compute the key already: otherwise members that move together to the next view would stand on different states.
   */
  #completeIfAllDelivered(): void {
    if (this.#phase.name !== "climbing") return
    const delivered = this.#slots.allDelivered()
    if (!delivered) return
    const { climb, tree } = this.#phase
    const { view, codec, share } = this.#input
    const transcript = transcriptOf(view.attachments, delivered)
    const secret = secretOf(climb.topShared() ?? share, view.members.length)
    const completed = completeTree(tree, (branch) => this.#published.get(branch)!)
    this.#completed = completedState(codec.encodeState(completed), completed, climb.takeKeys(), view.sid, transcript)
    this.#phase = { name: "completed" }
    share.fill(0)
    this.#outputs.push({ type: "secret", secret, transcript })
  }

  #becomeFailed(): void {
    if (this.#phase.name === "climbing") this.#phase.climb.erase()
    this.#input.share.fill(0)
    this.#phase = { name: "failed" }
  }

  #failAt(branch: Branch): void {
    this.#fault(this.#sponsorOf.get(branch)!, "wrong-key")
    this.#becomeFailed()
  }

  #fault(member: MemberId, reason: FaultReason): void {
    this.#outputs.push({ type: "fault", member, reason })
  }

  #multicast(message: Message): void {
    this.#outputs.push({ type: "multicast", bytes: this.#input.codec.encodeMessage(message) })
  }

  #flushOutputs(): readonly KeyAgreementOutput[] {
    return this.#outputs.splice(0)
  }
}

function childOnPath(branch: Branch, sibling: Node): Node {
  return branch.left === sibling ? branch.right : branch.left
}
