/** Detects view changes without a reason. A member that keeps proposing them would stop all sending. */
import type { CoreContext } from "./core-context.ts"
import { indexOfMember, sameInstances } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
import { BLAME_MAX, MISHAP, PATIENCE_WITH_LOWEST } from "../liveness/blame.ts"
import { compareProposals, type Propose } from "../wire/messages.ts"

/** Upper limit of blame for one spurious view change. A single one never excludes its proposer. */
const SPURIOUS_BLAME_MAX = 3

export class SpuriousProposals {
  readonly #context: CoreContext
  /** The first spurious proposal since the last view. */
  #first: { readonly coordinator: MemberId; readonly sinceMs: number } | null = null
  /** Members because of which the present view is unusable. */
  #unusableBy: readonly MemberId[] = []

  constructor(context: CoreContext) {
    this.#context = context
  }

  onUnusable(by: readonly MemberId[]): void {
    this.#unusableBy = [...this.#unusableBy, ...by]
  }

  /** A proposal is about to be accepted, while none is in progress. */
  onAccept(propose: Propose, nowMs: number): void {
    if (!this.#isSpurious(propose)) return
    const { coordinator } = propose.proposal
    this.#context.blame(coordinator, MISHAP)
    this.#first ??= { coordinator, sinceMs: nowMs }
  }

  /**
   * True if nothing that this member sees calls for the proposal. Either it changes nothing while every member is in
   * this view, or it excludes a member that is up and reaches the others. One may be an accident, but a coordinator that
   * repeats it would cause view changes without end.
   *
   * It is no excuse that the coordinator itself shows another view, that it made this one unusable, or that others have
   * promised it this one. It could cause each of these every time.
   */
  #isSpurious({ proposal, members }: Propose): boolean {
    const { config, neighbours, view } = this.#context
    const { id: viewId, members: present, proposal: installed } = view
    if (proposal.coordinator === config.self.id) return false
    const others = present.filter(({ id }) => id !== config.self.id && id !== proposal.coordinator)
    if (sameInstances(members, present)) {
      if (this.#unusableBy.length > 0 && !this.#unusableBy.includes(proposal.coordinator)) return false
      return others.every(({ id }) => {
        const heartbeat = neighbours.heartbeatOf(id)
        if (heartbeat?.view !== viewId) return false
        const { promised } = heartbeat
        return promised.coordinator === proposal.coordinator || compareProposals(promised, installed) <= 0
      })
    }
    // One that does not hold up all proposed members is rightly left out.
    const holdsUpAll = (id: MemberId): boolean =>
      members.every((other) => other.id === config.self.id || neighbours.holdsUp(id, other.id))
    return others.some(({ id }) => indexOfMember(members, id) < 0 && neighbours.isUp(id) && holdsUpAll(id))
  }

  /**
   * Blames the coordinator in proportion to the time without sending. The blame is limited, since others may have
   * prevented the coordinator from completing the view change.
   */
  onInstall(nowMs: number): void {
    this.#unusableBy = []
    if (!this.#first) return
    const { coordinator, sinceMs } = this.#first
    this.#first = null
    const waited =
      (nowMs - sinceMs) / (PATIENCE_WITH_LOWEST * this.#context.proposalMs(this.#context.view.members.length))
    this.#context.blame(coordinator, Math.min(SPURIOUS_BLAME_MAX, BLAME_MAX * waited))
  }
}
