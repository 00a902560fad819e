import { equalBytes } from "../shared/bytes.ts"
import { type Attachment, type AttachmentCodec, decodeAttachments, encodeTogether } from "../clusters/attachment.ts"
import type { Cluster } from "../clusters/claims.ts"
import { completedEpoch, type PublicState, secretOf, stateHashOf } from "../clusters/completed-epoch.ts"
import { Gathering } from "../clusters/gathering.ts"
import { Outbox } from "../clusters/outbox.ts"
import { slotKey, Slots } from "../clusters/slots.ts"
import type { RunInput, ViewRun } from "../clusters/view-agreement.ts"
import { unreachable } from "../shared/errors.ts"
import { isRejection, type PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"
import { compareMembers, type MemberId } from "../shared/member-id.ts"
import { transcriptOf } from "../agreement/transcript.ts"
import { Climb, nodeDomain } from "./climb.ts"
import type { KeyTreeCodec, Message } from "./tree-codec.ts"
import { digestOf } from "./digest.ts"
import type { Arrangement, KeyTreeShape, Publication } from "./shape.ts"
import {
  type CompletedTree,
  completeTree,
  leafOf,
  leavesOf,
  ownersBelow,
  pathOf,
  type Branch,
  type Node,
  type PathStep,
} from "./tree.ts"

/**
 * gathering: some cluster's public state is still to be multicast (round 0), so the tree is not known. `early` holds what
 * came from members that know it already: one message per sender and round, and rounds are few.
 * climbing: the tree and so all multicasts are known; this member climbs its path as they arrive.
 */
type Phase =
  | { readonly name: "gathering"; readonly early: Map<string, Early> }
  | { readonly name: "climbing"; readonly tree: Node; readonly climb: Climb; readonly onPath: ReadonlySet<Branch> }
  | { readonly name: "completed" }
  | { readonly name: "failed" }
type Early = { readonly from: MemberId; readonly message: Message & { kind: "keys" }; readonly bytes: Uint8Array }

export type KeyTreeRunInput = RunInput<CompletedTree> & {
  readonly group: PrimeOrderGroup
  readonly shape: KeyTreeShape
  readonly codecs: { readonly attachments: AttachmentCodec; readonly trees: KeyTreeCodec }
}

/** One view under TGDH or STR. */
export class KeyTreeRun implements ViewRun<CompletedTree> {
  readonly #input: KeyTreeRunInput
  readonly #outbox = new Outbox()
  readonly #slots = new Slots<Publication>()
  /** This member's own, by their highest branch: each goes out once that has been reached. */
  readonly #ownPublications = new Map<Branch, Publication>()
  readonly #published = new Map<Branch, Uint8Array>()
  readonly #sponsorOf = new Map<Branch, MemberId>()
  /** Both from `start` on, unless an attachment does not decode: then the run has failed. */
  #attachments: ReadonlyMap<MemberId, Attachment> = new Map()
  #gathering: Gathering<Node> | null = null
  #phase: Phase = { name: "gathering", early: new Map() }
  completed: CompletedTree | null = null

  constructor(input: KeyTreeRunInput) {
    this.#input = input
  }

  start(): readonly KeyAgreementOutput[] {
    const { codecs, shape, view, base } = this.#input
    const attachments = decodeAttachments(codecs.attachments, view, this.#outbox)
    if (!attachments) this.#becomeFailed()
    else {
      this.#attachments = attachments
      this.#gathering = new Gathering({
        view,
        attachments,
        own: base && { state: base.tree, bytes: base.stateBytes, owners: base.owners },
        decodeState: (bytes) => codecs.trees.decodeState(bytes),
        hashOf: (tree) => stateHashOf(shape.module, digestOf(codecs.trees, tree)),
        ownersOf: (tree) => ownersBelow(tree).sort(compareMembers),
        encodeMessage: (state) => codecs.trees.encodeMessage({ kind: "state", state }),
        outbox: this.#outbox,
      })
      this.#climbIfGathered()
    }
    return this.#outbox.flush()
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (via === "unicast") this.#outbox.fault(from, "unexpected-message")
    else if (this.#phase.name !== "failed") {
      const message = this.#input.codecs.trees.decodeMessage(bytes)
      if (!message) this.#outbox.fault(from, "malformed-message")
      else if (message.kind === "state") this.#receiveState(from, message.state, bytes)
      else this.#receiveKeys(from, message, bytes)
    }
    return this.#outbox.flush()
  }

  awaiting(): readonly MemberId[] {
    if (this.#phase.name === "completed" || this.#phase.name === "failed") return []
    const states = this.#gathering?.awaiting() ?? []
    return states.length > 0 ? states : this.#slots.awaiting()
  }

  abandon(): void {
    if (this.#phase.name !== "completed") this.#becomeFailed()
  }

  // --- from the clusters' states to the tree -------------------------------------------------------------------------

  #receiveState(from: MemberId, state: Uint8Array, bytes: Uint8Array): void {
    this.#gathering!.receive(from, state, bytes)
    this.#climbIfGathered()
    this.#completeIfAllDelivered()
  }

  #climbIfGathered(): void {
    if (this.#phase.name !== "gathering") return
    const clusters = this.#gathering!.clusters()
    const arrangement = clusters && this.#arrange(clusters)
    if (!arrangement) return
    const { early } = this.#phase
    const { tree, publications } = arrangement
    const path = pathOf(tree, this.#input.view.self) ?? unreachable("each member of the view has a leaf")
    const onPath = new Set(path.map(({ branch }) => branch))
    this.#phase = { name: "climbing", tree, climb: this.#startClimb(tree, path), onPath }
    for (const publication of publications) {
      const { round, sponsor, branches } = publication
      this.#slots.prescribe(round, sponsor, publication)
      for (const branch of branches) this.#sponsorOf.set(branch, sponsor)
      if (sponsor === this.#input.view.self) this.#ownPublications.set(branches.at(-1)!, publication)
    }
    this.#climb()
    for (const { from, message, bytes } of early.values()) this.#receiveKeys(from, message, bytes)
    this.#completeIfAllDelivered()
  }

  /**
   * Null if a participating share is not an element, or equals its owner's current share: the secret could then repeat
   * an earlier one. Only participating shares are checked, because most attached shares are never used.
   */
  #arrange(clusters: readonly Cluster<Node>[]): Arrangement | null {
    const { group, shape, view } = this.#input
    const invalid: MemberId[] = []
    const sharesBefore = sharesOf(clusters)
    const arrangement = shape.arrange(clusters, (member) => {
      const { share } = this.#attachments.get(member)!
      const before = sharesBefore.get(member)
      const isOld = before !== undefined && equalBytes(share, before)
      if (isOld || isRejection(group.decode(share))) invalid.push(member)
      return leafOf(member, share.slice(), view.proposal.epoch)
    })
    if (invalid.length === 0) return arrangement
    for (const member of invalid) this.#outbox.fault(member, "malformed-attachment")
    this.#becomeFailed()
    return null
  }

  #startClimb(tree: Node, path: readonly PathStep[]): Climb {
    const { group, shape, view, base, share } = this.#input
    const domain = nodeDomain(shape.module)
    const own = this.#attachments.get(view.self)!.share
    const leaf = path[0] ? childOnPath(path[0].branch, path[0].sibling) : tree
    if (equalBytes(leaf.blinded!, own)) return new Climb(group, domain, path, [share])
    // The bottom of the path is as it was in the state below: what has changed has unknown keys up to the root.
    const unchanged = path.findIndex((step) => !step.branch.blinded)
    const reached = 1 + (unchanged < 0 ? path.length : unchanged)
    return new Climb(group, domain, path, base!.pathKeys.slice(0, reached))
  }

  // --- blinded keys --------------------------------------------------------------------------------------------------

  #receiveKeys(from: MemberId, message: Message & { kind: "keys" }, bytes: Uint8Array): void {
    if (this.#phase.name === "gathering") return this.#holdEarly(this.#phase.early, { from, message, bytes })
    const slot = this.#slots.open(message.round, from)
    if (!slot) return this.#outbox.fault(from, "unexpected-message")
    const { branches } = slot.purpose
    if (branches.length !== message.blinded.length) return this.#outbox.fault(from, "malformed-message")
    if (from === this.#input.view.self) {
      const isOwn = branches.every((branch, i) => this.#isPublished(branch, message.blinded[i]!))
      if (!isOwn) return this.#failBecauseOf([from], "wrong-key")
      slot.delivered = bytes
    } else {
      const isUsable = branches.every((branch, i) => this.#isUsable(branch, message.blinded[i]!))
      if (!isUsable) return this.#outbox.fault(from, "malformed-message")
      slot.delivered = bytes
      for (const [i, branch] of branches.entries()) this.#published.set(branch, message.blinded[i]!.slice())
      this.#climb()
    }
    this.#completeIfAllDelivered()
  }

  #isPublished(branch: Branch, blinded: Uint8Array): boolean {
    const published = this.#published.get(branch)
    return published !== undefined && equalBytes(published, blinded)
  }

  /** On this member's path it shows when it is compared with what this member computes, for nothing; a check of its own costs. */
  #isUsable(branch: Branch, blinded: Uint8Array): boolean {
    const isOnPath = this.#phase.name === "climbing" && this.#phase.onPath.has(branch)
    return isOnPath || !isRejection(this.#input.group.decode(blinded))
  }

  #holdEarly(early: Map<string, Early>, held: Early): void {
    const { round } = held.message
    const key = slotKey(round, held.from)
    const isMember = this.#attachments.has(held.from)
    if (!isMember || round > this.#input.shape.roundsMax || early.has(key)) {
      return this.#outbox.fault(held.from, "unexpected-message")
    }
    early.set(key, held)
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
    if (stop.type === "invalid") this.#failBecauseOf(ownersBelow(stop.node), "bad-state")
  }

  #publish({ round, branches }: Publication): void {
    const blinded = branches.map((branch) => this.#published.get(branch)!)
    this.#outbox.multicast(this.#input.codecs.trees.encodeMessage({ kind: "keys", round, blinded }))
  }

  // --- the end -------------------------------------------------------------------------------------------------------

  /**
   * Complete: every prescribed multicast has been delivered, this member's own included. The ability to compute the key
   * is not enough: members that move together to the next view would then hold different states.
   */
  #completeIfAllDelivered(): void {
    if (this.#phase.name !== "climbing") return
    const states = this.#gathering!.allDelivered()
    const keys = this.#slots.allDelivered()
    if (!states || !keys) return
    const { climb, tree } = this.#phase
    const { view, shape, codecs, share } = this.#input
    const transcript = transcriptOf(encodeTogether(view.members, this.#attachments), [...states, ...keys])
    const secret = secretOf(shape.module, climb.topShared() ?? share, view.members.length)
    const completed = completeTree(tree, (branch) => this.#published.get(branch)!)
    const epoch = completedEpoch(shape.module, publicStateOf(codecs.trees, completed), view.sid, transcript)
    const owners = view.members
    this.completed = { ...epoch, tree: completed, arranged: tree, owners, pathKeys: climb.takeKeys() }
    this.#phase = { name: "completed" }
    share.fill(0)
    this.#outbox.secret(secret, transcript)
  }

  #becomeFailed(): void {
    if (this.#phase.name === "climbing") this.#phase.climb.erase()
    this.#input.share.fill(0)
    this.#phase = { name: "failed" }
  }

  /** The blinded key published for this branch differs from the one that this member computes. */
  #failAt(branch: Branch): void {
    const isElement = !isRejection(this.#input.group.decode(this.#published.get(branch)!))
    this.#failBecauseOf([this.#sponsorOf.get(branch)!], isElement ? "wrong-key" : "malformed-message")
  }

  #failBecauseOf(members: readonly MemberId[], reason: "wrong-key" | "malformed-message" | "bad-state"): void {
    for (const member of members) this.#outbox.fault(member, reason)
    this.#becomeFailed()
  }
}

/** Shares of members in their own clusters' states. Members of another cluster could invent a state with a share. */
function sharesOf(clusters: readonly Cluster<Node>[]): ReadonlyMap<MemberId, Uint8Array> {
  const shares = new Map<MemberId, Uint8Array>()
  for (const { members, state } of clusters) {
    if (!state) continue
    const own = new Set(members)
    for (const { owner, blinded } of leavesOf(state)) if (own.has(owner)) shares.set(owner, blinded)
  }
  return shares
}

function childOnPath(branch: Branch, sibling: Node): Node {
  return branch.left === sibling ? branch.right : branch.left
}

function publicStateOf(codec: KeyTreeCodec, tree: Node): PublicState {
  let encoded: Uint8Array | null = null
  return { digest: digestOf(codec, tree), bytes: () => (encoded ??= codec.encodeState(tree)) }
}
