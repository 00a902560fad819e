/**
 * When to send heartbeats, and to which neighbours. A member whose last heartbeat does not state what it holds now sends
 * one to all of them, every `heartbeatMs`. Members of its view and distant ones that state something else get one in the
 * same interval. Otherwise repair would wait for a heartbeat that never comes.
 *
 * Others that differ get it more rarely. All other neighbours are only asked for a sign of life. An answer of the layer
 * below, such as its acknowledgement, also proves that a member is alive. So of two such neighbours one asks, and the
 * other one only answers. A member asks all of them at once, since waking up costs more than a heartbeat. It does not
 * ask distant members, since link state shows whether they are there.
 *
 * A member is calm if all its neighbours state what it holds.
 */
import { equalBytes } from "@noble/curves/utils.js"
import type { Participant } from "../membership/participant.ts"
import type { CoreContext } from "../membership/core-context.ts"
import type { MemberId } from "../members/ids.ts"
import type { Acknowledgements } from "./acknowledgements.ts"
import { indexOfMember, sameInstances } from "../view/view.ts"
import { compareProposals, MEMBERS_MAX, type Heartbeat } from "../wire/messages.ts"

/** In units of `heartbeatMs`: interval at which the lower of two calm neighbours asks, if the layer below answers. */
const ASK_INTERVAL = 1.75
/** In units of `heartbeatMs`: silence of the lower one after which the other one asks. */
const UNASKED_SILENCE = 2.5
/**
 * With more neighbours than this the interval of heartbeats grows while a view changes, up to `UNASKED_SILENCE`. They
 * would be 1,900 a second between 20 members. A new view, and a link that begins or ends, is stated at once all the same.
 */
const NEIGHBOURS_OFTEN = 8
/** Without answers, in units of `heartbeatMs`: silence of a neighbour after which a calm member sends it a heartbeat. */
const CALM_SILENCE = 1.5
/** In units of `heartbeatMs`: one heartbeat closely behind another would look as if frames between them were lost. */
const RESTATED_AFTER = 0.5
/**
 * In units of `heartbeatMs`: the longest interval between two heartbeats to one neighbour without answers, or to one that
 * differs.
 */
const CALM_INTERVAL = 3

export class Heartbeats {
  readonly #context: CoreContext
  readonly #participant: Participant
  readonly #acknowledgements: Acknowledgements
  #dueMs = 0
  /** Interval of heartbeats to all neighbours, or to those that differ, as of the last check. */
  #intervalMs = 0
  #calm = false
  #sent: Heartbeat | null = null
  readonly #sentMs = new Map<MemberId, number>()

  constructor(context: CoreContext, participant: Participant, acknowledgements: Acknowledgements) {
    this.#context = context
    this.#participant = participant
    this.#acknowledgements = acknowledgements
  }

  /**
   * Returns true once in each interval, or in calm members at most so often.
   * @param isStirred whether what heartbeats state may have changed since this returned true
   */
  tick(nowMs: number, isStirred: boolean): boolean {
    const isChecked = this.#calm && !isStirred
    const isDue = nowMs >= this.#dueMs && !isChecked
    if (isDue) this.#check(nowMs)
    else this.#sendTo(this.#silent(nowMs), nowMs)
    return isDue
  }

  #check(nowMs: number): void {
    const { neighbours } = this.#context
    const own = this.#make()
    this.#intervalMs = this.#intervalNow()
    this.#dueMs = nowMs + this.#intervalMs
    if (!this.#hasSaid(own)) return this.send(nowMs)
    const differing = neighbours.linked().filter((peer) => !this.#agrees(own, peer))
    this.#calm = differing.length === 0
    const due = differing.filter((peer) => nowMs - (this.#sentMs.get(peer) ?? 0) >= this.#restateMs(peer))
    this.#sendTo([...new Set([...due, ...this.#silent(nowMs)])], nowMs)
  }

  /**
   * Time after which a member that states something else gets the last heartbeat again. Outside of the view it may
   * differ for long. It may also have dropped that heartbeat, as it admitted this member only later.
   */
  #restateMs(peer: MemberId): number {
    const { neighbours, config } = this.#context
    const isUrgent = neighbours.isDistant(peer) || this.#isInView(peer)
    return (isUrgent ? RESTATED_AFTER : CALM_INTERVAL) * config.heartbeatMs
  }

  /** See `GroupCore.nextTickMs`. `isStirred`: as for `tick`. */
  nextTickMs(isStirred: boolean): number {
    const isChecked = this.#calm && !isStirred
    return Math.min(isChecked ? Infinity : this.#dueMs, this.#rouseMs)
  }

  get isCalm(): boolean {
    return this.#calm
  }

  get #rouseMs(): number {
    return Math.min(...this.#near.map((peer) => this.#rouseAtMs(peer)))
  }

  get #near(): readonly MemberId[] {
    const { neighbours } = this.#context
    return neighbours.linked().filter((peer) => !neighbours.isDistant(peer))
  }

  /** Sends a heartbeat to every neighbour now. The next check stays, or frequent news would put it off for ever. */
  send(nowMs: number): void {
    this.#calm = false
    this.#sent = this.#make()
    this.#sendTo(this.#context.neighbours.linked(), nowMs)
  }

  /** The next tick sends a heartbeat if this member states something new. */
  hurry(): void {
    this.#calm = false
    this.#dueMs = -Infinity
  }

  #intervalNow(): number {
    const { neighbours, config } = this.#context
    const rarer = Math.min(UNASKED_SILENCE, neighbours.linked().length / NEIGHBOURS_OFTEN)
    return rarer > 1 && this.#isViewChanging ? rarer * config.heartbeatMs : config.heartbeatMs
  }

  /** A member that stays outside of an established view changes nothing. */
  get #isViewChanging(): boolean {
    const { neighbours, view } = this.#context
    if (this.#participant.phase !== "sending") return true
    const up = neighbours.up()
    const isYoung = 2 * view.members.length < up.length
    const isElsewhere = (peer: MemberId): boolean => (neighbours.heartbeatOf(peer)?.view ?? view.id) !== view.id
    return up.some((peer) => (isYoung || this.#isInView(peer)) && isElsewhere(peer))
  }

  #isInView(peer: MemberId): boolean {
    return indexOfMember(this.#context.view.members, peer) >= 0
  }

  /** Sends the last heartbeat to a member that is reached another way now, and may have missed it. */
  repeat(peer: MemberId, nowMs: number): void {
    if (this.#sent) this.#sendTo([peer], nowMs)
  }

  forget(peer: MemberId): void {
    this.#sentMs.delete(peer)
  }

  #sendTo(to: readonly MemberId[], nowMs: number): void {
    if (to.length === 0) return
    for (const peer of to) this.#sentMs.set(peer, nowMs)
    this.#context.emit({ type: "heartbeat", to, heartbeat: this.#sent! })
  }

  /** Neighbours to ask for a sign of life, with the last heartbeat. */
  #silent(nowMs: number): readonly MemberId[] {
    return this.#sent ? this.#near.filter((peer) => nowMs >= this.#rouseAtMs(peer)) : []
  }

  #rouseAtMs(peer: MemberId): number {
    const { neighbours, config } = this.#context
    const sentMs = this.#sentMs.get(peer) ?? 0
    if (neighbours.isAnswering(peer)) {
      if (config.self.id < peer) return sentMs + Math.max(this.#intervalMs, ASK_INTERVAL * config.heartbeatMs)
      return Math.max(neighbours.heardAtMs(peer), sentMs) + UNASKED_SILENCE * config.heartbeatMs
    }
    const heardMs = Math.max(neighbours.heardAtMs(peer), sentMs)
    return Math.min(heardMs + CALM_SILENCE * config.heartbeatMs, sentMs + CALM_INTERVAL * config.heartbeatMs)
  }

  /** Whether the last heartbeat, which went to all, states what this member holds now. */
  #hasSaid(own: Heartbeat): boolean {
    return this.#sent !== null && this.#participant.phase === "sending" && statesTheSame(own, this.#sent)
  }

  /** The heartbeat of a distant member names its view only by the id. */
  #agrees(own: Heartbeat, peer: MemberId): boolean {
    const { neighbours } = this.#context
    const other = neighbours.heartbeatOf(peer)
    if (other === null || compareProposals(own.promised, other.promised) !== 0 || !holdsTheSame(own, other))
      return false
    return neighbours.isBrief(peer) || sameInstances(own.viewMembers, other.viewMembers)
  }

  #make(): Heartbeat {
    const { config, view } = this.#context
    return {
      incarnation: config.self.incarnation,
      epoch: view.epoch,
      promised: this.#participant.promised,
      viewMembers: view.members,
      up: this.#reportedUp(),
      ...this.#acknowledgements.take(),
    }
  }

  /**
   * Reachable members, at most as many as a heartbeat names: the overlay reaches more. Members of the view come first,
   * since views are made of `up`.
   */
  #reportedUp(): readonly MemberId[] {
    const up = this.#context.neighbours.up()
    if (up.length <= MEMBERS_MAX) return up
    const inView = up.filter((peer) => this.#isInView(peer))
    return [...inView, ...up.filter((peer) => !this.#isInView(peer))].slice(0, MEMBERS_MAX)
  }
}

function statesTheSame(a: Heartbeat, b: Heartbeat): boolean {
  const sameUp = a.up.length === b.up.length && a.up.every((id, i) => id === b.up[i])
  const sameView = sameInstances(a.viewMembers, b.viewMembers)
  return sameUp && sameView && holdsTheSame(a, b) && compareProposals(a.promised, b.promised) === 0
}

function holdsTheSame(a: Heartbeat, b: Heartbeat): boolean {
  return (
    a.view === b.view &&
    a.orderLength === b.orderLength &&
    a.acknowledged === b.acknowledged &&
    a.received.length === b.received.length &&
    a.received.every((count, sender) => count === b.received[sender]) &&
    equalBytes(a.frameChains, b.frameChains) &&
    equalBytes(a.orderChain, b.orderChain)
  )
}
