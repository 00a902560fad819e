/** View changes for which there is no reason: who goes on proposing them keeps everybody from sending. */
import type { CoreContext } from "../group/types.ts"
import { indexOfMember, sameInstances } from "../group/view.ts"
import type { MemberId } from "../ids.ts"
import { BLAME_MAX, MISHAP, PATIENCE_WITH_LOWEST } from "../liveness/blame.ts"
import { compareProposals, type Propose } from "../wire/messages.ts"

/** Blame for the time that a view change without a reason takes, however long: one alone has nobody left out. */
const GROUNDLESS_MAX = 3

export class Groundless {
  readonly #context: CoreContext
  /** The first proposal since the last view for which there was no reason. */
  #first: { readonly coordinator: MemberId; readonly sinceMs: number } | null = null

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** A proposal is about to be accepted, while none is under way. */
  onAccept(propose: Propose, nowMs: number): void {
    if (!this.#isGroundless(propose)) return
    const { coordinator } = propose.proposal
    this.#context.blame(coordinator, MISHAP)
    this.#first ??= { coordinator, sinceMs: nowMs }
  }

  /**
   * Nothing that this member sees calls for it: it changes nothing while nobody is elsewhere, or leaves out somebody who is
   * well. Once may be a mishap; a coordinator that goes on so would have everybody change views without end. That it shows
   * itself to be elsewhere is no reason: it could show that each time.
   */
  #isGroundless({ proposal, members }: Propose): boolean {
    const { config, neighbours, view } = this.#context
    const { id: viewId, members: present, proposal: installed } = view()
    if (proposal.coordinator === config.self.id) return false
    const others = present.filter(({ id }) => id !== config.self.id && id !== proposal.coordinator)
    if (sameInstances(members, present)) {
      return others.every(({ id }) => {
        const heartbeat = neighbours.heartbeatOf(id)
        return heartbeat?.view === viewId && compareProposals(heartbeat.promised, installed) <= 0
      })
    }
    return others.some(
      ({ id }) => indexOfMember(members, id) < 0 && neighbours.isUp(id) && neighbours.holdsUp(id, proposal.coordinator),
    )
  }

  /** It kept everybody from sending for nothing, and the longer the worse; but others may have kept its coordinator from ending it. */
  onInstall(nowMs: number): void {
    if (!this.#first) return
    const { coordinator, sinceMs } = this.#first
    this.#first = null
    const waited = (nowMs - sinceMs) / (PATIENCE_WITH_LOWEST * this.#context.config.proposalMs)
    this.#context.blame(coordinator, Math.min(GROUNDLESS_MAX, BLAME_MAX * waited))
  }
}
