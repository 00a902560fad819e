/**
 * When to send heartbeats, and to which neighbours. Every `heartbeatMs` to all of them, unless this member is calm: then
 * only to silent ones. An answer of the layer below, such as its acknowledgement, also proves that a member is alive. So
 * of two calm neighbours one asks, and the other one only answers. A member asks all its neighbours at once, since
 * waking up costs more than a heartbeat.
 *
 * Distant members are not asked, since link state shows whether they are there.
 *
 * Invariant: a member is calm only if its last heartbeat states what it holds now, and the last heartbeat of each
 * neighbour states the same. Otherwise repair would wait for a heartbeat that never comes.
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
/** Without answers, in units of `heartbeatMs`: silence of a neighbour after which a calm member sends it a heartbeat. */
const CALM_SILENCE = 1.5
/** Without answers, in units of `heartbeatMs`: the longest interval between two heartbeats to one neighbour. */
const CALM_INTERVAL = 3

export class Heartbeats {
  readonly #context: CoreContext
  readonly #participant: Participant
  readonly #acknowledgements: Acknowledgements
  #dueMs = 0
  #calm = false
  #sent: Heartbeat | null = null
  readonly #sentMs = new Map<MemberId, number>()

  constructor(context: CoreContext, participant: Participant, acknowledgements: Acknowledgements) {
    this.#context = context
    this.#participant = participant
    this.#acknowledgements = acknowledgements
  }

  /**
   * Returns true once every `heartbeatMs`, or in calm members at most so often.
   * @param isStirred whether what heartbeats state may have changed since this returned true
   */
  tick(nowMs: number, isStirred: boolean): boolean {
    const isChecked = this.#calm && !isStirred
    const isDue = nowMs >= this.#dueMs && !isChecked
    if (isDue) {
      this.#calm = this.#isCalm()
      if (!this.#calm) this.send(nowMs)
      this.#dueMs = nowMs + this.#context.config.heartbeatMs
    }
    if (this.#calm) this.#rouse(nowMs, isDue || isChecked)
    return isDue
  }

  /** See `GroupCore.nextTickMs`. `isStirred`: as for `tick`. */
  nextTickMs(isStirred: boolean): number {
    const isChecked = this.#calm && !isStirred
    return Math.min(isChecked ? Infinity : this.#dueMs, this.#calm ? this.#rouseMs : Infinity)
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

  /** Sends a heartbeat to every neighbour now. */
  send(nowMs: number): void {
    this.#calm = false
    this.#dueMs = nowMs + this.#context.config.heartbeatMs
    this.#sent = this.#make()
    this.#sendTo(this.#context.neighbours.linked(), nowMs)
  }

  forget(peer: MemberId): void {
    this.#sentMs.delete(peer)
  }

  #sendTo(to: readonly MemberId[], nowMs: number): void {
    if (to.length === 0) return
    for (const peer of to) this.#sentMs.set(peer, nowMs)
    this.#context.emit({ type: "heartbeat", to, heartbeat: this.#sent! })
  }

  /** Asks silent neighbours for a sign of life. */
  #rouse(nowMs: number, isChecked: boolean): void {
    const due = this.#near.filter((peer) => nowMs >= this.#rouseAtMs(peer))
    if (due.length === 0) return
    if (isChecked || this.#isCalm()) this.#sendTo(due, nowMs)
    else this.send(nowMs)
  }

  #rouseAtMs(peer: MemberId): number {
    const { neighbours, config } = this.#context
    const sentMs = this.#sentMs.get(peer) ?? 0
    if (neighbours.isAnswering(peer)) {
      if (config.self.id < peer) return sentMs + ASK_INTERVAL * config.heartbeatMs
      return Math.max(neighbours.heardAtMs(peer), sentMs) + UNASKED_SILENCE * config.heartbeatMs
    }
    const heardMs = Math.max(neighbours.heardAtMs(peer), sentMs)
    return Math.min(heardMs + CALM_SILENCE * config.heartbeatMs, sentMs + CALM_INTERVAL * config.heartbeatMs)
  }

  #isCalm(): boolean {
    if (!this.#sent || this.#participant.phase !== "sending") return false
    const now = this.#make()
    return statesTheSame(now, this.#sent) && this.#context.neighbours.linked().every((peer) => this.#agrees(now, peer))
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
    const { neighbours, view } = this.#context
    const up = neighbours.up()
    if (up.length <= MEMBERS_MAX) return up
    const isInView = (peer: MemberId): boolean => indexOfMember(view.members, peer) >= 0
    return [...up.filter(isInView), ...up.filter((peer) => !isInView(peer))].slice(0, MEMBERS_MAX)
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
