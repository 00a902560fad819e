/**
 * Each member's part in a view change: promise, flush, freeze and SYNC, complete the cut, install. It checks everything
 * that the coordinator says against the signed SYNCs.
 */
import { digestOfMembers, indexOfMember, type View } from "../view/view.ts"
import type { CoreContext } from "./core-context.ts"
import type { MemberId } from "../members/ids.ts"
import { commonFeatures, PROTOCOL } from "../network/shared/protocol.ts"
import { encodeStaticPart, type Frame } from "../wire/frame.ts"
import {
  compareProposals,
  ORDER_ENTRIES_MAX,
  type Fetch,
  type MemberInstance,
  sameEntry,
  type OrderEntry,
  type ProposalId,
  type Propose,
  type Sync,
} from "../wire/messages.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { completeSyncs, computeCut, differing, sameStaticPart, viewIdOf, type Cut, type SyncFrame } from "./decision.ts"
import { judgeProposal, unadmittedOf, type Verdict } from "./proposal-verdict.ts"
import { SpuriousProposals } from "./spurious-proposals.ts"
import { KeptForCut } from "./kept-for-cut.ts"
import { FlapDetector } from "./flap-detector.ts"
import { ViewEvidence, type SyncSetFrame } from "./view-evidence.ts"

/** Outputs for the other parts of the group core. Handle each before taking the next one. */
export type ParticipantOutput =
  | { readonly type: "install"; readonly view: View }
  /**
   * A member of the transitional set has received these counts, and another frame than this one under one of these
   * numbers.
   */
  | { readonly type: "differs"; readonly from: MemberId; readonly received: readonly number[] }

/**
 * - sending: frames of the view are sent and delivered.
 * - draining: a flush is requested. Frames that are being made may still be sent; the answer follows.
 * - flushed: the SYNC is sent. Nothing is sent in this view any more.
 * - installing: the coordinator's INSTALL is here. The view is installed once no frame of the cut is missing.
 */
export type ViewChangePhase = "sending" | "draining" | "flushed" | "installing"

/** `frozen`: a SYNC of an aborted proposal was sent in this view. */
type Draining = {
  readonly phase: "draining"
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
  readonly frozen: boolean
}
type Synced = {
  phase: "flushed" | "installing"
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
  readonly sync: Sync
  readonly staticPart: Uint8Array
  /** Known after a CUT or an INSTALL. */
  decision: {
    readonly cut: Cut
    readonly syncs: Map<MemberId, SyncFrame>
    readonly frame: SyncSetFrame
    compared: boolean
  } | null
  /** How often missing frames were requested. Each time another holder is asked. */
  fetches: number
}

export class Participant {
  readonly #context: CoreContext
  #promised: ProposalId
  #state: { readonly phase: "sending" } | Draining | Synced = { phase: "sending" }
  /** A proposal of a member that is not the lowest that this one holds up. It waits for this to change. */
  #delayed: { readonly propose: Propose; readonly sinceMs: number } | null = null
  readonly #spuriousProposals: SpuriousProposals
  readonly #flapDetector: FlapDetector
  readonly evidence: ViewEvidence
  #nowMs = 0
  readonly #kept = new KeptForCut()

  constructor(context: CoreContext) {
    this.#context = context
    this.#spuriousProposals = new SpuriousProposals(context)
    this.#flapDetector = new FlapDetector(context)
    this.evidence = new ViewEvidence(context)
    this.#promised = { epoch: context.config.epochFloor, coordinator: context.config.self.id }
  }

  get promised(): ProposalId {
    return this.#promised
  }

  /** Whether it waits for nothing. */
  get isIdle(): boolean {
    return this.phase === "sending" && this.#delayed === null
  }

  get phase(): ViewChangePhase {
    return this.#state.phase
  }

  /**
   * From SYNC to INSTALL only frames that the cut names are accepted, ordered or delivered. An aborted proposal does
   * not change that.
   */
  get frozen(): boolean {
    const state = this.#state
    return state.phase === "draining" ? state.frozen : state.phase !== "sending"
  }

  onUnusable(by: readonly MemberId[]): void {
    this.#spuriousProposals.onUnusable(by)
  }

  onPropose(propose: Propose, nowMs: number): void {
    this.#nowMs = nowMs
    // A message to all over the overlay also reaches members outside of the proposal.
    if (indexOfMember(propose.members, this.#context.config.self.id) < 0) return
    const order = compareProposals(propose.proposal, this.#promised)
    if (order === 0 && this.phase !== "sending") return this.#resendSync()
    const verdict = judgeProposal(propose, this.#promised, this.#context)
    if (verdict === "accept") return this.#accept(propose)
    const { coordinator } = propose.proposal
    // A coordinator's next proposal replaces its previous one.
    if (verdict === "delay" && (this.#delayed?.propose.proposal.coordinator ?? coordinator) === coordinator) {
      this.#delayed = { propose, sinceMs: nowMs }
    }
    if (verdict === "refuse" || verdict === "unadmitted") this.#refuse(propose.proposal, verdict)
  }

  onTick(nowMs: number): void {
    this.#nowMs = nowMs
    if (!this.#delayed) return
    const { propose, sinceMs } = this.#delayed
    const verdict = judgeProposal(propose, this.#promised, this.#context)
    if (verdict === "delay" && nowMs - sinceMs < this.#context.config.suspectMs) return
    this.#delayed = null
    if (verdict === "accept") this.#accept(propose)
    else this.#refuse(propose.proposal, unadmittedOf(propose.members, this.#context) ? "unadmitted" : verdict)
  }

  #accept({ proposal, members }: Propose): void {
    if (this.phase === "sending") this.#spuriousProposals.onAccept({ proposal, members }, this.#nowMs)
    this.#flapDetector.onAccept(members)
    this.#promised = proposal
    this.#delayed = null
    this.#context.seenEpoch(proposal.epoch)
    const first = this.phase === "sending"
    this.#state = { phase: "draining", proposal, members, frozen: this.frozen }
    this.#context.emit({ type: "flushRequest", proposal, members, first })
  }

  #refuse(proposal: ProposalId, verdict: Verdict): void {
    if (verdict === "unadmitted") this.#context.emit({ type: "unadmitted", coordinator: proposal.coordinator })
    this.#nack(proposal)
  }

  #nack(proposal: ProposalId): void {
    const nack = { proposal, promised: this.#promised }
    this.#context.sign([proposal.coordinator], { kind: "nack", message: nack })
  }

  onFlushed(proposal: ProposalId, attachment: Uint8Array, nonce: Uint8Array): void {
    const state = this.#state
    if (state.phase !== "draining" || compareProposals(state.proposal, proposal) !== 0) return
    const log = this.#context.log
    const sync: Sync = {
      proposal,
      membersDigest: digestOfMembers(state.members),
      previousView: this.#context.view.id,
      incarnation: this.#context.config.self.incarnation,
      features: this.#context.config.features ?? PROTOCOL.features,
      received: [...log.frames.received],
      receivedDigest: log.frames.digestOf(log.frames.received)!,
      orderFirst: log.order.first,
      order: log.order.from(log.order.first).slice(0, ORDER_ENTRIES_MAX),
      deliveredOrder: log.deliveredOrder,
      nonce,
      attachment,
    }
    const { config } = this.#context
    const header = { conferenceTag: config.conferenceTag, view: sync.previousView, origin: config.self.id }
    const staticPart = encodeStaticPart({ ...header, service: "none", sequence: 0, kind: "sync", message: sync })
    const { members } = state
    this.#state = { phase: "flushed", proposal, members, sync, staticPart, decision: null, fetches: 0 }
    this.#resendSync()
  }

  #resendSync(): void {
    const state = this.#state
    if (isSynced(state)) this.#context.sign([state.proposal.coordinator], { kind: "sync", message: state.sync })
  }

  /** Handles a CUT or an INSTALL. Both carry all SYNCs. */
  *onSyncSet(frame: SyncSetFrame, syncs: readonly Frame[]): Generator<ParticipantOutput, void> {
    if (this.evidence.judge(frame, syncs)) return
    const state = this.#state
    const { proposal } = frame.message
    if (compareProposals(proposal, this.#promised) < 0) return this.#nack(proposal)
    if (!isSynced(state) || compareProposals(state.proposal, proposal) !== 0) return
    if (!state.decision) {
      const complete = completeSyncs(proposal, state.members, syncs)
      const own = complete?.get(this.#context.config.self.id)
      if (!complete || !own)
        return this.#context.emit({ type: "fault", member: frame.origin, reason: "incomplete-syncs" })
      if (!sameStaticPart(own, state.staticPart)) {
        return this.#context.emit({ type: "fault", member: frame.origin, reason: "own-sync-changed" })
      }
      const view = this.#context.view
      const cut = computeCut(complete, view.id, view.members)
      state.decision = { cut, syncs: complete, frame, compared: false }
      this.#completeOrder(cut)
      for (const { sender, frame } of this.#kept.take(cut.upTo)) this.#context.log.add(sender, frame, true)
    }
    if (frame.kind === "install") state.phase = "installing"
    if (!(yield* this.#completeCut(state))) this.#fetchMissing(state, state.decision.cut)
  }

  /**
   * Adds the cut's ORDER entries. A difference from the entries held here is reported and changes nothing: whichever
   * member lied, delivered messages stay.
   */
  #completeOrder(cut: Cut): void {
    const log = this.#context.log
    const own = log.order.from(log.order.first)
    const fresh: OrderEntry[] = []
    for (let at = log.order.length, entry = cut.order.get(at); entry; entry = cut.order.get(++at)) fresh.push(entry)
    const same = own.every((entry, i) => sameEntry(cut.order.get(log.order.first + i) ?? entry, entry))
    const added = log.addOrder(log.order.length, fresh, true)
    if (same && added === "added") return
    this.#context.emit({ type: "fault", member: this.#context.sequencer, reason: "order-conflict" })
  }

  /** During a view change only the frames that the cut names are accepted. */
  wants(sender: number, sequence: number): boolean {
    const cut = isSynced(this.#state) ? this.#state.decision?.cut : undefined
    return cut !== undefined && sequence <= cut.upTo[sender]!
  }

  /** Buffers a frame that is not accepted now, but may be named by a cut. */
  keep(sender: number, frame: GroupFrame): void {
    const { log, view } = this.#context
    if (frame.sequence > log.frames.received[sender]!) this.#kept.keep(sender, frame, view.members.length)
  }

  /** A frame of the cut has been added to the log. */
  *onFrameAdded(): Generator<ParticipantOutput, void> {
    if (isSynced(this.#state) && this.#state.decision) yield* this.#completeCut(this.#state)
  }

  *#completeCut(state: Synced): Generator<ParticipantOutput, boolean> {
    const { cut } = state.decision!
    const log = this.#context.log
    if (cut.upTo.some((count, sender) => log.frames.received[sender]! < count)) return false
    yield* this.#compare(state)
    for (const delivery of log.deliver({ upTo: cut.upTo, orderUpTo: cut.deliveredOrder })) {
      this.#context.emit({ type: "deliver", delivery })
    }
    if (state.phase === "installing") yield { type: "install", view: this.#end(state) }
    else this.#context.sign([state.proposal.coordinator], { kind: "ackCut", message: { proposal: state.proposal } })
    return true
  }

  /**
   * Compares the frames of all SYNCs, now that everything that they count is here. It is the last chance to see a
   * difference.
   */
  *#compare({ sync, decision }: Synced): Generator<ParticipantOutput, void> {
    if (decision!.compared) return
    decision!.compared = true
    const { cut, syncs } = decision!
    const log = this.#context.log
    for (const { origin, message } of differing(sync, syncs, cut, (counts) => log.frames.digestOf(counts))) {
      yield { type: "differs", from: origin, received: message.received }
    }
  }

  /**
   * Each time it asks another holder, the origin first. Every other time it also asks the lowest other member of the
   * transitional set, which may have fetched them by then. Otherwise a sole holder could serve all but one, and have that
   * one blamed for its silence.
   */
  #fetchMissing(state: Synced, cut: Cut): void {
    const { config, log } = this.#context
    const attempt = state.fetches++
    const members = this.#context.view.members
    cut.upTo.forEach((to, sender) => {
      const from = log.frames.received[sender]!
      if (from >= to) return
      const origin = members[sender]!.id
      const others = cut.holdersOf(sender).filter((id) => id !== config.self.id)
      const holders = others.toSorted((a, b) => Number(b === origin) - Number(a === origin))
      const inTurn = attempt % holders.length
      const served = cut.transitional.filter((id) => id !== config.self.id && !holders.includes(id))
      const asked = [...holders.slice(inTurn, inTurn + 1), ...served.slice(0, attempt % 2)]
      const fetch: Fetch = { proposal: state.proposal, sender, from, to }
      this.#context.sign(asked, { kind: "fetch", message: fetch })
    })
  }

  /** Ends the change, and returns the next view. */
  #end(state: Synced): View {
    this.#spuriousProposals.onInstall(this.#nowMs)
    const { cut, syncs, frame } = state.decision!
    const { log } = this.#context
    this.#context.emit({ type: "transitional" })
    for (const delivery of log.deliverRemainder(log.causalClosure(cut.upTo)))
      this.#context.emit({ type: "deliver", delivery })
    this.#state = { phase: "sending" }
    this.#kept.clear()
    const view: View = {
      id: viewIdOf(state.proposal, state.members, syncs),
      epoch: state.proposal.epoch,
      proposal: state.proposal,
      members: state.members,
      transitional: cut.transitional,
      features: [...syncs.values()].map(({ message }) => message.features).reduce(commonFeatures),
      attachments: new Map([...syncs].map(([id, frame]) => [id, frame.message.attachment])),
    }
    this.#flapDetector.onInstalled(view)
    this.evidence.onInstall(frame)
    return view
  }
}

function isSynced(state: { readonly phase: ViewChangePhase }): state is Synced {
  return state.phase === "flushed" || state.phase === "installing"
}
