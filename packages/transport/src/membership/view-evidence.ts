/**
 * Evidence that one proposal led to two views. A coordinator that sends different SYNCs to some members could otherwise
 * keep them apart for ever.
 */
import type { CoreContext } from "./core-context.ts"
import { indexOfMember, type View } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import type { Frame } from "../wire/frame.ts"
import { compareProposals, type Heartbeat } from "../wire/messages.ts"
import { completeSyncs, viewIdOf } from "./decision.ts"

/** A CUT or an INSTALL, signed by the coordinator. */
export type SyncSetFrame = Frame & { readonly kind: "cut" | "install" }

export class ViewEvidence {
  readonly #context: CoreContext
  /** The signed set from which the present view follows. It is one message over a link at most. */
  #made: SyncSetFrame | null = null
  /** Members to which it was shown. */
  readonly #shown = new Set<MemberId>()
  /** The view before the present one, since the set of another member may come late. */
  #former: View | null = null
  /** The last view that was reported. */
  #reported: View["id"] | null = null

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** The present view is about to be replaced by the one that `made` leads to. */
  onInstall(made: SyncSetFrame): void {
    this.#former = this.#context.view
    this.#made = made
    this.#shown.clear()
  }

  /**
   * If a heartbeat shows another view of the same proposal, its sender lies or the coordinator does. The signed set is
   * shown to the sender, where it may convict the coordinator.
   */
  onHeartbeat(from: MemberId, { view: shown, epoch, viewMembers }: Heartbeat): void {
    const { view } = this.#context
    const { id, members, proposal } = view
    if (!this.#made || shown === id || epoch !== proposal.epoch || viewMembers[0]?.id !== proposal.coordinator) return
    if (this.#shown.has(from) || indexOfMember(members, from) < 0) return
    this.#shown.add(from)
    this.#context.emit({ type: "send", to: [from], bytes: this.#made.bytes, how: "reliable" })
  }

  /** Returns true for a set of an installed view. If it leads to another view, the two sets convict the coordinator. */
  judge({ message: { proposal } }: SyncSetFrame, syncs: readonly Frame[]): boolean {
    const { view, config } = this.#context
    const installed = [view, this.#former].find((known) => known && compareProposals(known.proposal, proposal) === 0)
    if (!installed) return false
    const complete = completeSyncs(proposal, installed.members, syncs)
    if (!complete || proposal.coordinator === config.self.id || this.#reported === installed.id) return true
    if (viewIdOf(proposal, installed.members, complete) === installed.id) return true
    this.#reported = installed.id
    this.#context.emit({ type: "fault", member: proposal.coordinator, reason: "conflicting-views" })
    this.#context.blame(proposal.coordinator, BLAME_MAX)
    return true
  }
}
