/** States what this member holds, and derives stability and contradictions from what the others state. */
import type { MemberId } from "../members/ids.ts"
import { CHAIN_BYTES, type Acknowledgement } from "../wire/messages.ts"
import type { FrameEvidence } from "./frame-evidence.ts"
import { Stability } from "./stability.ts"
import type { Traffic } from "./traffic.ts"
import type { CoreContext } from "../membership/core-context.ts"
import type { Participant } from "../membership/participant.ts"
import { indexOfMember } from "../view/view.ts"

/**
 * After so many received bytes an acknowledgement is sent without waiting for the heartbeat. It is a fraction of a
 * window.
 */
const ACKNOWLEDGE_BYTES = 256 * 1024
/** Bound per tick. Messages that become safe beyond it are acknowledged with the next tick. */
const SAFE_ACKNOWLEDGEMENTS_MAX = 16

export class Acknowledgements {
  readonly #context: CoreContext
  readonly #participant: Participant
  readonly #traffic: Traffic
  readonly #frameEvidence: FrameEvidence
  #stability = new Stability(1, 0)
  #unacknowledgedBytes = 0
  /** The last safe message that was acknowledged to the others. */
  #acknowledgedSafe = 0
  /** Sent since the last tick. */
  #safeAcknowledgements = 0
  /** Members that hold another frame than this member under the same number. */
  readonly #divergent = new Set<MemberId>()
  /** Divergent members to which the ORDER was shown. */
  readonly #orderShown = new Set<MemberId>()
  /** An acknowledgement has come over the overlay since the last tick. */
  #settleDue = false

  constructor(context: CoreContext, participant: Participant, traffic: Traffic, frameEvidence: FrameEvidence) {
    this.#context = context
    this.#participant = participant
    this.#traffic = traffic
    this.#frameEvidence = frameEvidence
  }

  get stability(): Stability {
    return this.#stability
  }

  onInstalled(): void {
    const { view, config } = this.#context
    const { members } = view
    this.#stability = new Stability(members.length, indexOfMember(members, config.self.id))
    this.#acknowledgedSafe = 0
    this.#settleDue = false
    this.#divergent.clear()
    this.#orderShown.clear()
  }

  tick(): void {
    this.#safeAcknowledgements = 0
    if (this.#settleDue && !this.#participant.frozen) this.#settle()
    this.sendSafe()
  }

  /**
   * The member's index in the view. Null if the acknowledgement is of another view, or does not count now: from SYNC to
   * INSTALL none does.
   */
  indexOf(from: MemberId, { view: viewId, received, frameChains }: Acknowledgement): number | null {
    const { id, members } = this.#context.view
    const index = indexOfMember(members, from)
    const isWhole = received.length === members.length && frameChains.length === members.length * CHAIN_BYTES
    return viewId === id && isWhole && index >= 0 && !this.#participant.frozen ? index : null
  }

  receive(from: MemberId, acknowledgement: Acknowledgement, nowMs: number): void {
    const index = this.indexOf(from, acknowledgement)
    if (index === null) return
    this.#compare(from, acknowledgement)
    this.#stability.acknowledge(index, acknowledgement, this.#context.log, nowMs)
    // Large conferences have many acknowledgements: a tick settles all that came since the last.
    if (this.#context.neighbours.isDistant(from)) this.#settleDue = true
    else this.#settle()
  }

  /** Acknowledgements free space in the ORDER and release safe messages. */
  #settle(): void {
    this.#settleDue = false
    this.#stability.settle(this.#context.log)
    this.#traffic.advance()
  }

  /** A difference is permanent. It is reported, and the ORDER shown, once per view and member. */
  #compare(from: MemberId, acknowledgement: Acknowledgement): void {
    const { log } = this.#context
    const { senders, order } = log.differences(acknowledgement)
    if (senders.length === 0) this.#frameEvidence.agree(from, acknowledgement.received, log.frames.snapshot)
    if (senders.length === 0 && !order) return
    this.#report(from)
    this.#frameEvidence.show(from, senders, acknowledgement.received)
    if (!order || this.#orderShown.has(from)) return
    this.#orderShown.add(from)
    this.#traffic.showOrder(from)
  }

  /** A member of the transitional set has received these counts, and another frame under one of these numbers. */
  differs(from: MemberId, received: readonly number[]): void {
    this.#report(from)
    this.#frameEvidence.show(from, [...received.keys()], received)
  }

  #report(from: MemberId): void {
    if (this.#divergent.has(from)) return
    this.#divergent.add(from)
    this.#context.emit({ type: "divergence", from })
  }

  /** Takes the acknowledgement that is about to be sent. */
  take(): Acknowledgement {
    const { view, log } = this.#context
    this.#unacknowledgedBytes = 0
    this.#acknowledgedSafe = log.acknowledgedSafe
    return {
      view: view.id,
      received: log.frames.snapshot,
      orderLength: log.order.length,
      acknowledged: log.acknowledge(),
      ...log.chains,
    }
  }

  onReceived(bytes: number): void {
    this.#unacknowledgedBytes += bytes
    if (this.#unacknowledgedBytes > ACKNOWLEDGE_BYTES) this.#send()
    else this.sendSafe()
  }

  #send(): void {
    const { neighbours, view } = this.#context
    const linked = new Set(neighbours.linked())
    const to = view.members.map(({ id }) => id).filter((id) => linked.has(id))
    if (to.length > 0) this.#context.emit({ type: "acknowledgement", to, acknowledgement: this.take() })
  }

  /**
   * Acknowledges a safe message at once, since others wait for it: it should take neither a heartbeat nor a tick. In
   * large conferences it waits for the tick.
   */
  sendSafe(): void {
    const { log } = this.#context
    if (this.#participant.frozen || this.#safeAcknowledgements >= SAFE_ACKNOWLEDGEMENTS_MAX) return
    log.acknowledge()
    if (log.acknowledgedSafe <= this.#acknowledgedSafe) return
    this.#safeAcknowledgements++
    this.#send()
  }
}
