/**
 * Everybody's part in a view change: promise, flush, freeze and SYNC, complete the cut, install. What the
 * coordinator says is checked against the signed SYNCs; its word is taken for nothing.
 */
import { digestOfMembers, indexOfMember, sequencerIndex, type View } from "../group/view.ts"
import type { CoreContext, GroupOutput } from "../group/types.ts"
import type { MemberId } from "../ids.ts"
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
import { Groundless } from "./groundless.ts"
import { KeptForCut } from "./kept-for-cut.ts"
import { Restless } from "./restless.ts"
import { ViewEvidence, type SyncSetFrame } from "./view-evidence.ts"

/**
 * Epochs may jump by this much at most at a time. Even a member that floods with ever higher ones cannot use up 2^53 of
 * them within the 30 days that a conference may last.
 */
export const EPOCH_JUMP_MAX = 2 ** 16

export type ParticipantContext = CoreContext & {
  /** Tells the highest epoch heard of, so that the next own proposal is above it. */
  readonly seenEpoch: (epoch: number) => void
  readonly epochSeen: () => number
  readonly install: (view: View) => void
  /** A member that moves along has received so much, and something else than this one under one of these numbers. */
  readonly differs: (from: MemberId, received: readonly number[]) => void
}

type Flushing = {
  readonly phase: "flushing"
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
}
type Synced = {
  readonly phase: "synced"
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
  readonly sync: Sync
  readonly staticPart: Uint8Array
  /** Known from a CUT or an INSTALL on. */
  decision: {
    readonly cut: Cut
    readonly syncs: Map<MemberId, SyncFrame>
    readonly frame: SyncSetFrame
    compared: boolean
  } | null
  installing: boolean
  /** How often missing frames were asked for: each time another of their holders. */
  fetches: number
}

/** `unadmitted`: refused, since somebody in it may not be in a view. */
type Verdict = "accept" | "delay" | "refuse" | "unadmitted"

export class Participant {
  readonly #context: ParticipantContext
  #promised: ProposalId
  #state: { readonly phase: "stable" } | Flushing | Synced = { phase: "stable" }
  #flushRequested = false
  /** A proposal of somebody who is not the lowest that this member holds up: it waits for this to change. */
  #delayed: { readonly propose: Propose; readonly sinceMs: number } | null = null
  readonly #groundless: Groundless
  readonly #restless: Restless
  readonly evidence: ViewEvidence
  #nowMs = 0
  readonly #kept = new KeptForCut()

  constructor(context: ParticipantContext) {
    this.#context = context
    this.#groundless = new Groundless(context)
    this.#restless = new Restless(context)
    this.evidence = new ViewEvidence(context)
    this.#promised = { epoch: context.config.epochFloor, coordinator: context.config.self.id }
  }

  get promised(): ProposalId {
    return this.#promised
  }

  /** From SYNC to INSTALL nothing is delivered, ordered or taken but what the cut names; an aborted proposal does not change that. */
  get frozen(): boolean {
    return this.#state.phase === "synced" || this.#frozenBefore
  }
  #frozenBefore = false

  get changing(): boolean {
    return this.#state.phase !== "stable"
  }

  /** Nothing may be sent in the view after the first flush request. */
  get flushRequested(): boolean {
    return this.#flushRequested
  }

  onPropose(propose: Propose, nowMs: number): void {
    this.#nowMs = nowMs
    // What goes to all over the overlay comes to those who are not meant, too.
    if (indexOfMember(propose.members, this.#context.config.self.id) < 0) return
    const order = compareProposals(propose.proposal, this.#promised)
    if (order === 0 && this.#state.phase !== "stable") return this.#resendSync()
    const verdict = this.#judge(propose)
    if (verdict === "accept") return this.#accept(propose)
    const { coordinator } = propose.proposal
    // Its own next proposal takes the place of the one before.
    if (verdict === "delay" && (this.#delayed?.propose.proposal.coordinator ?? coordinator) === coordinator) {
      this.#delayed = { propose, sinceMs: nowMs }
    }
    if (verdict === "refuse" || verdict === "unadmitted") this.#refuse(propose.proposal, verdict)
  }

  onTick(nowMs: number): void {
    this.#nowMs = nowMs
    if (!this.#delayed) return
    const { propose, sinceMs } = this.#delayed
    const verdict = this.#judge(propose)
    if (verdict === "delay" && nowMs - sinceMs < this.#context.config.suspectMs) return
    this.#delayed = null
    if (verdict === "accept") this.#accept(propose)
    else this.#refuse(propose.proposal, this.#unadmitted(propose.members) ? "unadmitted" : verdict)
  }

  #unadmitted(members: readonly MemberInstance[]): MemberId | null {
    const { config } = this.#context
    return members.find(({ id }) => id !== config.self.id && config.admits?.(id) === false)?.id ?? null
  }

  #judge({ proposal, members }: Propose): Verdict {
    const { config, neighbours, view } = this.#context
    const self = members[indexOfMember(members, config.self.id)]
    const ascending = members.every((member, i) => i === 0 || members[i - 1]!.id < member.id)
    if (!ascending || members[0]?.id !== proposal.coordinator) return "refuse"
    if (self?.incarnation !== config.self.incarnation || proposal.epoch <= view().epoch) return "refuse"
    if (compareProposals(proposal, this.#promised) <= 0) return "refuse"
    if (proposal.epoch > Math.max(this.#promised.epoch, this.#context.epochSeen()) + EPOCH_JUMP_MAX) return "refuse"
    // Over the overlay a proposal may overtake the news of its coordinator, or of a newcomer.
    const earlyOr = (verdict: Verdict): Verdict => (neighbours.overOverlay ? "delay" : verdict)
    const early = earlyOr("refuse")
    if (proposal.coordinator !== config.self.id && !neighbours.isUp(proposal.coordinator)) return early
    if (config.roster && members.some(({ id }) => !config.roster!.includes(id))) return "refuse"
    const others = members.filter((member) => member.id !== config.self.id)
    const unadmitted = this.#unadmitted(members)
    // Of whom nothing was heard yet nobody can have judged.
    if (unadmitted) return neighbours.incarnationOf(unadmitted) === undefined ? earlyOr("unadmitted") : "unadmitted"
    if (others.some(({ id, incarnation }) => neighbours.incarnationOf(id) !== incarnation)) return early
    const set = new Set(members.map((member) => member.id))
    const leftBehind = neighbours.up().filter((peer) => !set.has(peer) && indexOfMember(view().members, peer) >= 0)
    const strange = indexOfMember(view().members, proposal.coordinator) < 0
    if (strange && leftBehind.length > 0) return "refuse"
    // Who does not hold the coordinator up cannot be in its view, whatever it is to us.
    const awaited = leftBehind.filter((peer) => neighbours.holdsUp(peer, proposal.coordinator))
    return awaited.some((peer) => peer < proposal.coordinator) ? "delay" : "accept"
  }

  #accept({ proposal, members }: Propose): void {
    if (!this.changing) this.#groundless.onAccept({ proposal, members }, this.#nowMs)
    this.#restless.onAccept(members)
    this.#frozenBefore = this.frozen
    this.#promised = proposal
    this.#delayed = null
    this.#context.seenEpoch(proposal.epoch)
    this.#state = { phase: "flushing", proposal, members }
    const first = !this.#flushRequested
    this.#flushRequested = true
    this.#context.emit({ type: "flushRequest", proposal, members, first })
  }

  #refuse(proposal: ProposalId, verdict: Verdict): void {
    if (verdict === "unadmitted") this.#context.emit({ type: "unadmitted", coordinator: proposal.coordinator })
    this.#nack(proposal)
  }

  #nack(proposal: ProposalId): void {
    const nack = { proposal, promised: this.#promised }
    this.#sign([proposal.coordinator], { kind: "nack", message: nack })
  }

  onFlushed(proposal: ProposalId, attachment: Uint8Array, nonce: Uint8Array): void {
    const state = this.#state
    if (state.phase !== "flushing" || compareProposals(state.proposal, proposal) !== 0) return
    const log = this.#context.log()
    const sync: Sync = {
      proposal,
      membersDigest: digestOfMembers(state.members),
      previousView: this.#context.view().id,
      incarnation: this.#context.config.self.incarnation,
      received: [...log.received],
      receivedDigest: log.digestOf(log.received)!,
      orderFirst: log.orderFirst,
      order: log.orderFrom(log.orderFirst).slice(0, ORDER_ENTRIES_MAX),
      deliveredOrder: log.deliveredOrder,
      nonce,
      attachment,
    }
    const { config } = this.#context
    const header = { conferenceTag: config.conferenceTag, view: sync.previousView, origin: config.self.id }
    const staticPart = encodeStaticPart({ ...header, service: "none", sequence: 0, kind: "sync", message: sync })
    this.#state = { ...state, phase: "synced", sync, staticPart, decision: null, installing: false, fetches: 0 }
    this.#resendSync()
  }

  #resendSync(): void {
    if (this.#state.phase !== "synced") return
    this.#sign([this.#state.proposal.coordinator], { kind: "sync", message: this.#state.sync })
  }

  /** A CUT or an INSTALL: both carry all SYNCs. */
  onSyncSet(frame: SyncSetFrame, syncs: readonly Frame[]): void {
    if (this.evidence.judge(frame, syncs)) return
    const state = this.#state
    const { proposal } = frame.message
    if (compareProposals(proposal, this.#promised) < 0) return this.#nack(proposal)
    if (state.phase !== "synced" || compareProposals(state.proposal, proposal) !== 0) return
    if (!state.decision) {
      const complete = completeSyncs(proposal, state.members, syncs)
      const own = complete?.get(this.#context.config.self.id)
      if (!complete || !own)
        return this.#context.emit({ type: "fault", member: frame.origin, reason: "incomplete-syncs" })
      if (!sameStaticPart(own, state.staticPart)) {
        return this.#context.emit({ type: "fault", member: frame.origin, reason: "own-sync-changed" })
      }
      const view = this.#context.view()
      const cut = computeCut(complete, view.id, view.members)
      state.decision = { cut, syncs: complete, frame, compared: false }
      this.#completeOrder(cut)
      for (const { sender, frame } of this.#kept.take(cut.upTo)) this.#context.log().add(sender, frame, true)
    }
    if (frame.kind === "install") state.installing = true
    if (!this.#completeCut(state)) this.#fetchMissing(state, state.decision.cut)
  }

  /** A difference from what is held here is told, and not followed: whoever lied, what was delivered stays. */
  #completeOrder(cut: Cut): void {
    const log = this.#context.log()
    const own = log.orderFrom(log.orderFirst)
    const fresh: OrderEntry[] = []
    for (let at = log.orderLength, entry = cut.order.get(at); entry; entry = cut.order.get(++at)) fresh.push(entry)
    const same = own.every((entry, i) => sameEntry(cut.order.get(log.orderFirst + i) ?? entry, entry))
    const added = log.addOrder(log.orderLength, fresh, true)
    if (same && added === "added") return
    const view = this.#context.view()
    this.#context.emit({ type: "fault", member: view.members[sequencerIndex(view)]!.id, reason: "order-conflict" })
  }

  /** Which frames are still taken: those that the cut names. */
  wants(sender: number, sequence: number): boolean {
    const cut = this.#state.phase === "synced" ? this.#state.decision?.cut : undefined
    return cut !== undefined && sequence <= cut.upTo[sender]!
  }

  /** A frame that is not wanted now, and may be when there is a cut. */
  keep(sender: number, frame: GroupFrame): void {
    const { log, view } = this.#context
    if (frame.sequence > log().received[sender]!) this.#kept.keep(sender, frame, view().members.length)
  }

  onFrameAdded(): void {
    if (this.#state.phase === "synced" && this.#state.decision) this.#completeCut(this.#state)
  }

  #completeCut(state: Synced): boolean {
    const { cut } = state.decision!
    const log = this.#context.log()
    if (cut.upTo.some((count, sender) => log.received[sender]! < count)) return false
    this.#compare(state)
    for (const delivery of log.deliver({ upTo: cut.upTo, orderUpTo: cut.deliveredOrder })) {
      this.#context.emit({ type: "deliver", delivery })
    }
    if (state.installing) this.#install(state)
    else this.#sign([state.proposal.coordinator], { kind: "ackCut", message: { proposal: state.proposal } })
    return true
  }

  /** All that any of them counts is here now: the last chance to see that it is not the same. */
  #compare({ sync, decision }: Synced): void {
    if (decision!.compared) return
    decision!.compared = true
    const { cut, syncs } = decision!
    const log = this.#context.log()
    for (const { origin, message } of differing(sync, syncs, cut, (counts) => log.digestOf(counts))) {
      this.#context.differs(origin, message.received)
    }
  }

  #fetchMissing(state: Synced, cut: Cut): void {
    const { config, log } = this.#context
    const attempt = state.fetches++
    const members = this.#context.view().members
    cut.upTo.forEach((to, sender) => {
      const from = log().received[sender]!
      if (from >= to) return
      const holders = cut.holdersOf(sender).filter((id) => id !== config.self.id)
      const origin = members[sender]!.id
      const holder = attempt === 0 && holders.includes(origin) ? origin : holders[attempt % holders.length]
      if (holder === undefined) return
      const fetch: Fetch = { proposal: state.proposal, sender, from, to }
      this.#sign([holder], { kind: "fetch", message: fetch })
    })
  }

  #install(state: Synced): void {
    this.#groundless.onInstall(this.#nowMs)
    const { cut, syncs, frame } = state.decision!
    const { emit, log } = this.#context
    emit({ type: "transitional" })
    for (const delivery of log().deliverRemainder(log().causalClosure(cut.upTo))) emit({ type: "deliver", delivery })
    this.#state = { phase: "stable" }
    this.#flushRequested = false
    this.#frozenBefore = false
    this.#kept.clear()
    const view: View = {
      id: viewIdOf(state.proposal, state.members, syncs),
      epoch: state.proposal.epoch,
      proposal: state.proposal,
      members: state.members,
      transitional: cut.transitional,
      attachments: new Map([...syncs].map(([id, frame]) => [id, frame.message.attachment])),
    }
    this.#restless.onInstalled(view)
    this.evidence.onInstall(frame)
    this.#context.install(view)
  }

  #sign(to: readonly MemberId[], payload: Extract<GroupOutput, { type: "sign" }>["payload"]): void {
    this.#context.emit({ type: "sign", to, view: this.#context.view().id, payload })
  }
}
