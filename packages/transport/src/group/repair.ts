/**
 * Brings what a broken link, a full buffer or a withholding member kept from somebody: what a neighbour's heartbeats
 * show to be lost is sent again, and what others have and this member does not come by is pulled.
 */
import type { MemberId } from "../ids.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import { ORDER_ENTRIES_MAX, type Fetch, type Heartbeat } from "../wire/messages.ts"
import { SLOWEST_LINE, type Stability } from "./stability.ts"
import type { CoreContext } from "./types.ts"
import { indexOfMember, sequencerIndex } from "./view.ts"

/** Frames asked for at once, outside a view change. */
const PULLED_FRAMES_MAX = 64
/** Heartbeats of one's own without any progress of a sender, before the others are asked for its frames. */
const PULL_AFTER_HEARTBEATS = 5
/** Sent again or served to one member per heartbeat of one's own: a few bytes of asking must not become a flood. */
export const SERVED_BYTES_MAX = 4 * 1024 * 1024
/** Of a full ORDER frame, about. */
const ORDER_FRAME_BYTES = 40 * ORDER_ENTRIES_MAX
/** Times `proposalMs`: who acknowledges or orders nothing for so long is left out. */
const PATIENCE = 5

export type RepairContext = CoreContext & {
  readonly stability: () => Stability
  /** The layer above takes nothing: that nothing is delivered is nobody's fault. */
  readonly isHeld: () => boolean
  /** The ORDER from an entry on. */
  readonly sendOrder: (to: MemberId, first: number) => void
}

export class Repair {
  readonly #context: RepairContext
  #served = new Map<MemberId, number>()
  /** Per sender: received when last looked at, for how many heartbeats it has been so, and how often it was pulled. */
  #gaps: { received: number; heartbeats: number; pulls: number }[] = []
  /** Per sender: the most that somebody was heard to have received. */
  #seen: number[] = []
  #orderWait: { readonly delivered: number; readonly sinceMs: number } | null = null
  /**
   * What the sequencer had, and was not delivered, when it was looked at; for how long that has waited for the sequencer, by
   * the last look; and for how long it may.
   */
  #unserved: { readonly upTo: readonly number[]; waitedMs: number; atMs: number; readonly patienceMs: number } | null =
    null

  constructor(context: RepairContext) {
    this.#context = context
  }

  onInstalled(): void {
    this.#gaps = this.#context.view().members.map(() => ({ received: 0, heartbeats: 0, pulls: 0 }))
    this.#seen = this.#gaps.map(() => 0)
    this.#orderWait = null
    this.#unserved = null
  }

  /** A member's heartbeat in the present view. */
  onHeartbeat(from: MemberId, index: number, heartbeat: Heartbeat): void {
    const { stability, log, view, config } = this.#context
    const missing = stability().missing(index, heartbeat, log())
    const own = indexOfMember(view().members, config.self.id)
    for (let sender = 0; sender < this.#seen.length; sender++) {
      const count = heartbeat.received[sender]!
      if (count > this.#seen[sender]!) this.#seen[sender] = count
    }
    for (const sequence of missing.frames) if (!this.#serve(from, own, sequence)) break
    if (missing.order && sequencerIndex(view()) === own && this.#spend(from, ORDER_FRAME_BYTES)) {
      this.#context.sendOrder(from, heartbeat.orderLength)
    }
  }

  onFetch(from: MemberId, fetch: Fetch): void {
    for (let sequence = fetch.from + 1; sequence <= fetch.to; sequence++) {
      if (!this.#serve(from, fetch.sender, sequence)) return
    }
  }

  /** With every heartbeat of one's own. */
  onHeartbeatDue(nowMs: number): void {
    this.#served = new Map()
    this.#gaps.forEach((_, sender) => this.#pull(sender))
    const { log, view } = this.#context
    const { conflict } = log()
    if (conflict) this.#fetch(this.#sequencer(), conflict.sender, conflict.sequence - 1, conflict.sequence)
    const patienceMs = PATIENCE * this.#context.config.proposalMs
    for (const index of this.#context.stability().stalled(nowMs, patienceMs)) {
      this.#context.blame(view().members[index]!.id, BLAME_MAX)
    }
    this.#watchSequencer(nowMs, patienceMs)
  }

  /** The origin brings its own frames again; where it does not, whoever shows in its heartbeats that it has more is asked in turn. */
  #pull(sender: number): void {
    const { log, view, neighbours, config } = this.#context
    const gap = this.#gaps[sender]!
    const received = log().received[sender]!
    if (received !== gap.received) {
      this.#gaps[sender] = { received, heartbeats: 0, pulls: 0 }
      return
    }
    // Nearly always nobody has more: not everybody is asked about every sender each time.
    if (++gap.heartbeats < PULL_AFTER_HEARTBEATS || this.#seen[sender]! <= received) return
    const holders = view().members.filter(({ id }) => {
      const heartbeat = neighbours.isUp(id) ? neighbours.heartbeatOf(id) : null
      return id !== config.self.id && heartbeat?.view === view().id && (heartbeat.received[sender] ?? 0) > received
    })
    const holder = holders[gap.pulls++ % holders.length]
    if (!holder) return
    const to = neighbours.heartbeatOf(holder.id)!.received[sender]!
    this.#fetch(holder.id, sender, received, Math.min(to, received + PULLED_FRAMES_MAX))
  }

  #watchSequencer(nowMs: number, patienceMs: number): void {
    const { log, config, isHeld } = this.#context
    const sequencer = this.#sequencer()
    if (isHeld() || sequencer === config.self.id) {
      this.#orderWait = this.#unserved = null
      return
    }
    if (this.#isUnserved(nowMs, patienceMs)) {
      this.#unserved = null
      return this.#context.blame(sequencer, BLAME_MAX)
    }
    if (!log().waitsForOrder) {
      this.#orderWait = null
      return
    }
    const delivered = log().deliveredOrder
    if (this.#orderWait?.delivered !== delivered) this.#orderWait = { delivered, sinceMs: nowMs }
    if (nowMs - this.#orderWait.sinceMs < patienceMs) return
    this.#orderWait = null
    this.#context.blame(sequencer, BLAME_MAX)
  }

  /**
   * Something has waited for longer than that which the sequencer has: to order one thing now and then is not enough. While it
   * is others who keep back what is next, by not acknowledging it, no time passes.
   */
  #isUnserved(nowMs: number, patienceMs: number): boolean {
    const { log, stability, view } = this.#context
    const { waitsForOrder } = log()
    const former = this.#unserved
    if (former && !log().isServed(former.upTo)) {
      if (waitsForOrder) former.waitedMs += nowMs - former.atMs
      former.atMs = nowMs
      return former.waitedMs > former.patienceMs
    }
    this.#unserved = null
    if (!waitsForOrder) return false
    const bySequencer = stability().receivedBy(sequencerIndex(view()))
    const upTo = log().received.map((count, sender) => Math.min(count, bySequencer[sender]!))
    const bytes = log().heldBytes(log().delivered, upTo)
    this.#unserved = { upTo, waitedMs: 0, atMs: nowMs, patienceMs: patienceMs + bytes / SLOWEST_LINE }
    return false
  }

  #sequencer(): MemberId {
    const view = this.#context.view()
    return view.members[sequencerIndex(view)]!.id
  }

  #fetch(holder: MemberId, sender: number, from: number, to: number): void {
    const { proposal, id: view } = this.#context.view()
    if (holder === this.#context.config.self.id) return
    const payload = { kind: "fetch", message: { proposal, sender, from, to } } as const
    this.#context.emit({ type: "sign", to: [holder], view, payload })
  }

  #serve(to: MemberId, sender: number, sequence: number): boolean {
    const frame = this.#context.log().frame(sender, sequence)
    if (!frame || !this.#spend(to, frame.bytes.length)) return false
    this.#context.emit({ type: "send", to: [to], bytes: frame.bytes, how: "repeated" })
    return true
  }

  #spend(to: MemberId, bytes: number): boolean {
    const served = this.#served.get(to) ?? 0
    if (served >= SERVED_BYTES_MAX) return false
    this.#served.set(to, served + bytes)
    return true
  }
}
