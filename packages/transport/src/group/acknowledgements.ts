/** What this member says it holds, and what follows from what the others say: stability, and contradictions. */
import type { MemberId } from "../ids.ts"
import { CHAIN_BYTES, type Acknowledgement } from "../wire/messages.ts"
import type { FrameEvidence } from "./frame-evidence.ts"
import { Stability } from "./stability.ts"
import type { Traffic } from "./traffic.ts"
import type { CoreContext } from "./types.ts"
import { indexOfMember } from "./view.ts"

/** Received bytes after which an acknowledgement goes out without waiting for the heartbeat: a fraction of a window. */
const ACKNOWLEDGE_BYTES = 256 * 1024
/** Between two ticks; what becomes safe beyond them is acknowledged with the next. */
const SAFE_ACKNOWLEDGEMENTS_MAX = 16

export type AcknowledgementsContext = CoreContext & {
  /** From SYNC to INSTALL nothing counts. */
  readonly isFrozen: () => boolean
  readonly traffic: () => Traffic
  readonly frameEvidence: FrameEvidence
}

export class Acknowledgements {
  readonly #context: AcknowledgementsContext
  #stability = new Stability(1, 0)
  #unacknowledgedBytes = 0
  /** The last safe message that has been acknowledged to the others. */
  #acknowledgedSafe = 0
  /** Since the last tick. */
  #safeAcknowledgements = 0
  /** Those who hold something else than this member under the same number. */
  readonly #divergent = new Set<MemberId>()
  /** Those of them who were shown the ORDER. */
  readonly #orderShown = new Set<MemberId>()
  /** Something has come over the overlay since the last tick. */
  #settleDue = false

  constructor(context: AcknowledgementsContext) {
    this.#context = context
  }

  get stability(): Stability {
    return this.#stability
  }

  onInstalled(): void {
    const { view, config } = this.#context
    const { members } = view()
    this.#stability = new Stability(members.length, indexOfMember(members, config.self.id))
    this.#acknowledgedSafe = 0
    this.#settleDue = false
    this.#divergent.clear()
    this.#orderShown.clear()
  }

  tick(): void {
    this.#safeAcknowledgements = 0
    if (this.#settleDue && !this.#context.isFrozen()) this.#settle()
    this.sendSafe()
  }

  /** The member's place in the view; null where what it says is not about this view, or does not count now. */
  indexOf(from: MemberId, { view: viewId, received, frameChains }: Acknowledgement): number | null {
    const { id, members } = this.#context.view()
    const index = indexOfMember(members, from)
    const isWhole = received.length === members.length && frameChains.length === members.length * CHAIN_BYTES
    return viewId === id && isWhole && index >= 0 && !this.#context.isFrozen() ? index : null
  }

  receive(from: MemberId, acknowledgement: Acknowledgement, nowMs: number): void {
    const index = this.indexOf(from, acknowledgement)
    if (index === null) return
    this.#compare(from, acknowledgement)
    this.#stability.acknowledge(index, acknowledgement, this.#context.log(), nowMs)
    // Of many there are many: a tick settles all that came since the last.
    if (this.#context.neighbours.isDistant(from)) this.#settleDue = true
    else this.#settle()
  }

  /** What was acknowledged makes room in the ORDER, and lets safe messages go. */
  #settle(): void {
    this.#settleDue = false
    this.#stability.settle(this.#context.log())
    this.#context.traffic().advance()
  }

  /** A difference stays: it is told, and the ORDER shown, once a view for each member. */
  #compare(from: MemberId, acknowledgement: Acknowledgement): void {
    const { log, frameEvidence } = this.#context
    const { senders, order } = log().differences(acknowledgement)
    if (senders.length === 0) frameEvidence.agree(from, acknowledgement.received, log().receivedSnapshot)
    if (senders.length === 0 && !order) return
    this.#tell(from)
    frameEvidence.show(from, senders, acknowledgement.received)
    if (!order || this.#orderShown.has(from)) return
    this.#orderShown.add(from)
    this.#context.traffic().showOrder(from)
  }

  /** One who goes on with this member has received so much, and something else under one of these numbers. */
  differs(from: MemberId, received: readonly number[]): void {
    this.#tell(from)
    this.#context.frameEvidence.show(from, [...received.keys()], received)
  }

  #tell(from: MemberId): void {
    if (this.#divergent.has(from)) return
    this.#divergent.add(from)
    this.#context.emit({ type: "divergence", from })
  }

  /** For whoever is about to hear of it. */
  take(): Acknowledgement {
    const { view, log } = this.#context
    this.#unacknowledgedBytes = 0
    this.#acknowledgedSafe = log().acknowledgedSafe
    return {
      view: view().id,
      received: log().receivedSnapshot,
      orderLength: log().orderLength,
      acknowledged: log().acknowledge(),
      ...log().chains,
    }
  }

  onReceived(bytes: number): void {
    this.#unacknowledgedBytes += bytes
    if (this.#unacknowledgedBytes > ACKNOWLEDGE_BYTES) this.#send()
    else this.sendSafe()
  }

  #send(): void {
    const { neighbours, view, emit } = this.#context
    const linked = new Set(neighbours.linked())
    const to = view()
      .members.map(({ id }) => id)
      .filter((id) => linked.has(id))
    if (to.length > 0) emit({ type: "acknowledgement", to, acknowledgement: this.take() })
  }

  /** Others wait for it: a safe message should take neither a heartbeat nor a tick, unless there are many. */
  sendSafe(): void {
    const { log, isFrozen } = this.#context
    if (isFrozen() || this.#safeAcknowledgements >= SAFE_ACKNOWLEDGEMENTS_MAX) return
    log().acknowledge()
    if (log().acknowledgedSafe <= this.#acknowledgedSafe) return
    this.#safeAcknowledgements++
    this.#send()
  }
}
