/**
 * One member's side of a module whose key changes with the view. Section 4 of the Secure Spread paper maps each kind of
 * membership event to an operation of its own. Here one cluster rule covers them all, cascades included.
 */
import { KeyAgreementError } from "../shared/errors.ts"
import { equalBytes } from "../shared/bytes.ts"
import type { PrimeOrderGroup, Scalar } from "../group/prime-order-group.ts"
import type {
  KeyAgreement,
  KeyAgreementInput,
  KeyAgreementOutput,
  KeyedView,
  KeyStructure,
} from "../agreement/key-agreement.ts"
import { requireWellFormed } from "../agreement/well-formed-view.ts"
import type { MemberId, ProposalId } from "../shared/member-id.ts"
import { type AttachmentCodec, createAttachmentCodec } from "./attachment.ts"
import type { CompletedEpoch } from "./completed-epoch.ts"

/** The agreement of one view, from its attachments to its secret. */
export interface ViewRun<Epoch extends CompletedEpoch> {
  /** The state of this view's epoch, from completion until the caller takes it, owns it and sets null. */
  completed: Epoch | null
  start(): readonly KeyAgreementOutput[]
  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[]
  /** See `KeyAgreement.awaiting`. */
  awaiting(): readonly MemberId[]
  /** Overwrites the secrets of a run that is not finished. */
  abandon(): void
}

/**
 * A view to agree on: `base` is the state that this member's attachment names, `share` the secret behind it. The run owns
 * `share` and overwrites it when it is not needed any more; it does not touch `base`. `random`: `RANDOM_BYTES` for this view.
 */
export type RunInput<Epoch extends CompletedEpoch> = {
  readonly view: KeyedView
  readonly base: Epoch | null
  readonly share: Scalar
  readonly random: Uint8Array
}

/** The part of a module that differs from the others. */
export interface ViewModule<Epoch extends CompletedEpoch> {
  createRun(input: RunInput<Epoch>): ViewRun<Epoch>
  /** Encodes the attachment to the SYNC, if it is not the one of `clusters/attachment.ts`. */
  attach?(
    self: MemberId,
    base: Epoch | null,
    share: Scalar,
    proposal: ProposalId,
    members: readonly MemberId[],
  ): Uint8Array
  /** Members with an entry in the public state, sorted. Absent if no member ever attaches the whole state. */
  ownersOf?(epoch: Epoch): readonly MemberId[]
  describe(epoch: Epoch, view: KeyedView): KeyStructure
  /** Overwrites the secrets. */
  erase(epoch: Epoch): void
}

/** This member's contribution to its SYNC of `proposal`: the secret behind it, and the state that it named. */
type Contribution<Epoch> = {
  readonly proposal: ProposalId
  readonly bytes: Uint8Array
  readonly share: Scalar
  readonly base: Epoch | null
}

/** The part of a group that makes shares. */
type ShareSource = Pick<PrimeOrderGroup, "elementBytes" | "randomScalar" | "multiplyBase">

const NO_STATE = { hash: new Uint8Array(0), bytes: new Uint8Array(0) }

/**
 * Invariant: holds at most two completed states. One is the last; the other is the one that the pending SYNC named, if
 * the flush completed a later one.
 */
export class ViewAgreement<Epoch extends CompletedEpoch> implements KeyAgreement {
  readonly #group: ShareSource
  readonly #module: ViewModule<Epoch>
  readonly #codec: AttachmentCodec
  readonly #self: MemberId
  #completed: Epoch | null = null
  /** From `contribute` to `view`: the member is flushing, and sends nothing. */
  #pending: Contribution<Epoch> | null = null
  #run: ViewRun<Epoch> | null = null
  #view: KeyedView | null = null
  #structure: KeyStructure | null = null
  /** Makes the structure of the last epoch on demand; null once made. Often it is not needed. */
  #describe: (() => KeyStructure) | null = null

  constructor(group: ShareSource, self: MemberId, module: ViewModule<Epoch>) {
    this.#group = group
    this.#module = module
    this.#codec = createAttachmentCodec(group)
    this.#self = self
  }

  publicState(): { readonly hash: Uint8Array; readonly bytes: Uint8Array } {
    return this.#completed ? { hash: this.#completed.stateHash, bytes: this.#completed.stateBytes() } : NO_STATE
  }

  structure(): KeyStructure | null {
    if (this.#describe) this.#structure = this.#describe()
    this.#describe = null
    return this.#structure
  }

  awaiting(): readonly MemberId[] {
    return this.#run?.awaiting() ?? []
  }

  step(input: KeyAgreementInput): readonly KeyAgreementOutput[] {
    switch (input.type) {
      case "contribute":
        return this.#stepContribute(input.proposal, input.members, input.random)
      case "view":
        return this.#stepView(input.view, input.random)
      case "message":
        return this.#stepMessage(input.from, input.via, input.bytes)
      case "tick":
        return []
    }
  }

  erase(): void {
    const held = [this.#completed, this.#pending?.base ?? null]
    this.#run?.abandon()
    this.#pending?.share.fill(0)
    this.#completed = this.#pending = this.#run = this.#structure = this.#describe = null
    for (const state of held) this.#eraseIfUnused(state)
  }

  #stepContribute(
    proposal: ProposalId,
    members: readonly MemberId[],
    random: Uint8Array,
  ): readonly KeyAgreementOutput[] {
    const contribution = this.#contribute(proposal, members, random)
    const replaced = this.#pending
    this.#pending = contribution
    replaced?.share.fill(0)
    this.#eraseIfUnused(replaced?.base ?? null)
    return [{ type: "contribution", bytes: contribution.bytes.slice() }]
  }

  #contribute(proposal: ProposalId, members: readonly MemberId[], random: Uint8Array): Contribution<Epoch> {
    const base = this.#completed
    const share = this.#group.randomScalar(random)
    const bytes =
      this.#module.attach?.(this.#self, base, share, proposal, members) ?? this.#attach(base, members, share)
    return { proposal, bytes, share, base }
  }

  #attach(base: Epoch | null, members: readonly MemberId[], share: Scalar): Uint8Array {
    return this.#codec.encode({
      share: this.#group.multiplyBase(share),
      standing: base && { epochId: base.epochId, stateHash: base.stateHash },
      state: base && this.#carriesState(base, members) ? base.stateBytes() : new Uint8Array(0),
    })
  }

  /** The lowest member that may still stand on this state attaches it; the hash is enough from the others. */
  #carriesState(base: Epoch, members: readonly MemberId[]): boolean {
    const owners = this.#module.ownersOf?.(base) ?? []
    const proposed = new Set(members)
    const isLowest = owners.find((owner) => proposed.has(owner)) === this.#self
    return isLowest && owners.some((owner) => owner !== this.#self && proposed.has(owner))
  }

  #stepView(view: KeyedView, random: Uint8Array): readonly KeyAgreementOutput[] {
    requireWellFormed(view, this.#self)
    const isAlone = view.members.length === 1
    if (!isAlone && view.members.some((member) => !view.attachments.has(member))) {
      throw new KeyAgreementError("bad-input", "attachments must hold one for each member")
    }
    const contributed = this.#pending && sameProposal(this.#pending.proposal, view.proposal) ? this.#pending : null
    if (!contributed && !isAlone) {
      throw new KeyAgreementError("no-contribution", "contribute to the proposal before its view")
    }
    // A member alone does not flush, so there may have been no SYNC.
    const { bytes, share, base } = contributed ?? this.#contribute(view.proposal, view.members, random)
    const attached = view.attachments.get(this.#self)
    if (contributed && !(attached && equalBytes(attached, bytes))) {
      throw new KeyAgreementError("attachment-changed", "the view must carry this member's contribution byte for byte")
    }
    const attachments = contributed ? view.attachments : new Map([[this.#self, bytes]])
    if (!contributed) this.#pending?.share.fill(0)
    this.#view = view
    this.#becomeAgreeing(this.#module.createRun({ view: { ...view, attachments }, base, share, random }), base)
    return this.#afterRun(this.#run!.start())
  }

  /**
   * Continues from the state that this member's SYNC named, even if the flush completed a later epoch meanwhile: the
   * others know only the SYNCs. That later epoch has decrypted the messages of its own view, and is erased.
   */
  #becomeAgreeing(run: ViewRun<Epoch>, base: Epoch | null): void {
    const later = this.#completed
    const abandonedBase = this.#pending?.base ?? null
    this.#run?.abandon()
    this.#run = run
    this.#completed = base
    this.#pending = null
    this.#eraseIfUnused(later)
    this.#eraseIfUnused(abandonedBase)
  }

  #stepMessage(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (!this.#run) return [{ type: "fault", member: from, reason: "unexpected-message" }]
    return this.#afterRun(this.#run.receive(from, via, bytes))
  }

  #afterRun(outputs: readonly KeyAgreementOutput[]): readonly KeyAgreementOutput[] {
    const completed = this.#run?.completed
    if (this.#run && completed) {
      this.#run.completed = null
      const superseded = this.#completed
      this.#completed = completed
      const view = this.#view!
      this.#describe = () => this.#module.describe(completed, view)
      this.#eraseIfUnused(superseded)
    }
    if (!this.#pending) return outputs
    return outputs.filter((output) => output.type !== "multicast" && output.type !== "unicast")
  }

  #eraseIfUnused(state: Epoch | null): void {
    if (state && state !== this.#completed && state !== this.#pending?.base) this.#module.erase(state)
  }
}

function sameProposal(a: ProposalId, b: ProposalId): boolean {
  return a.epoch === b.epoch && a.coordinator === b.coordinator
}
