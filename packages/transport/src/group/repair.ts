/**
 * Repairs losses caused by a broken link, a full buffer or a withholding member. Frames that a neighbour's heartbeats
 * show to be lost are retransmitted. Frames that others have and this member lacks are pulled.
 */
import type { MemberId } from "../members/ids.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import type { MessageLog } from "../ordering/message-log.ts"
import { ORDER_ENTRIES_MAX, type Fetch, type Heartbeat } from "../wire/messages.ts"
import type { Acknowledgements } from "./acknowledgements.ts"
import { carryingMs } from "./stability.ts"
import type { Traffic } from "./traffic.ts"
import type { CoreContext } from "../membership/core-context.ts"
import { sequencerIndex } from "../view/view.ts"

/** Frames requested at once, outside a view change. */
const PULLED_FRAMES_MAX = 64
/** Own heartbeats without progress of a sender before its frames are requested from others. */
const PULL_AFTER_HEARTBEATS = 5
/**
 * Bytes retransmitted or served to one member per own heartbeat. Otherwise a request of a few bytes could cause a
 * flood.
 */
export const SERVED_BYTES_MAX = 4 * 1024 * 1024
/** Approximate bytes of a full ORDER frame. */
const ORDER_FRAME_BYTES = 40 * ORDER_ENTRIES_MAX
/** In units of the context's `proposalMs`. A member that acknowledges or orders nothing for so long is excluded. */
const PATIENCE = 5
/** Part of the patience after which a member that has not acknowledged all of a full ORDER counts as obstructing it. */
const ACKNOWLEDGED_SOON = 1 / 20

/** `carryingMs`: the most that the slowest line needed since the wait began. The patience is longer by that. */
type Wait = { waitedMs: number; carryingMs: number }

export class Repair {
  readonly #context: CoreContext
  readonly #traffic: Traffic
  readonly #acknowledgements: Acknowledgements
  #served = new Map<MemberId, number>()
  /** Per sender: the count received at the last check, heartbeats without progress, and pulls since. */
  #gaps: { received: number; heartbeats: number; pulls: number }[] = []
  /** Per sender: the highest received count that a heartbeat has stated. */
  #seen: number[] = []
  /** Places delivered at the last progress, and the wait for the next one. */
  #orderWait: (Wait & { readonly delivered: number }) | null = null
  /** Undelivered frames that the sequencer had at the last check, and their wait. */
  #unserved: (Wait & { readonly upTo: readonly number[] }) | null = null
  #watchedMs = 0
  /** Length of an ORDER that was full, and since when its entries are known to wait for acknowledgements. */
  #full = { upTo: 0, sinceMs: 0 }

  constructor(context: CoreContext, traffic: Traffic, acknowledgements: Acknowledgements) {
    this.#context = context
    this.#traffic = traffic
    this.#acknowledgements = acknowledgements
  }

  onInstalled(): void {
    this.#gaps = this.#context.view.members.map(() => ({ received: 0, heartbeats: 0, pulls: 0 }))
    this.#seen = this.#gaps.map(() => 0)
    this.#orderWait = null
    this.#unserved = null
    this.#full = { upTo: 0, sinceMs: 0 }
  }

  /** Handles a member's heartbeat in the present view. */
  onHeartbeat(from: MemberId, index: number, heartbeat: Heartbeat): void {
    const { log, view } = this.#context
    const missing = this.#acknowledgements.stability.missing(index, heartbeat, log)
    const { ownIndex: own } = this.#context
    for (let sender = 0; sender < this.#seen.length; sender++) {
      const count = heartbeat.received[sender]!
      if (count > this.#seen[sender]!) this.#seen[sender] = count
    }
    for (const sequence of missing.frames) if (!this.#serve(from, own, sequence)) break
    if (missing.order && sequencerIndex(view) === own && this.#spend(from, ORDER_FRAME_BYTES)) {
      this.#traffic.sendOrder([from], heartbeat.orderLength)
    }
  }

  onFetch(from: MemberId, fetch: Fetch): void {
    for (let sequence = fetch.from + 1; sequence <= fetch.to; sequence++) {
      if (!this.#serve(from, fetch.sender, sequence)) return
    }
  }

  /** Called with every own heartbeat. */
  onHeartbeatDue(nowMs: number): void {
    this.#served = new Map()
    this.#gaps.forEach((_, sender) => this.#pull(sender))
    const { log, view } = this.#context
    const { conflict } = log
    if (conflict) this.#fetch(this.#context.sequencer, conflict.sender, conflict.sequence - 1, conflict.sequence)
    const patienceMs = PATIENCE * this.#context.proposalMs(view.members.length)
    this.#watchOthers(nowMs, patienceMs)
    this.#watchSequencer(nowMs, patienceMs)
  }

  #watchOthers(nowMs: number, patienceMs: number): void {
    const { log, view, neighbours } = this.#context
    const { stability } = this.#acknowledgements
    for (const [index, { id }] of view.members.entries()) if (neighbours.isUp(id)) stability.watch(index, log, nowMs)
    for (const index of stability.stalled(nowMs, patienceMs)) this.#context.blame(view.members[index]!.id, BLAME_MAX)
  }

  /**
   * Pulls missing frames of a sender. Normally their origin retransmits them. If it does not, the members whose
   * heartbeats state more are asked in turn.
   */
  #pull(sender: number): void {
    const { log, view, neighbours, config } = this.#context
    const gap = this.#gaps[sender]!
    const received = log.frames.received[sender]!
    if (received !== gap.received) {
      this.#gaps[sender] = { received, heartbeats: 0, pulls: 0 }
      return
    }
    // Fast path: nearly always no member has more, so the heartbeats are not searched.
    if (++gap.heartbeats < PULL_AFTER_HEARTBEATS || this.#seen[sender]! <= received) return
    const holders = view.members.filter(({ id }) => {
      const heartbeat = neighbours.isUp(id) ? neighbours.heartbeatOf(id) : null
      return id !== config.self.id && heartbeat?.view === view.id && (heartbeat.received[sender] ?? 0) > received
    })
    const holder = holders[gap.pulls++ % holders.length]
    if (!holder) return
    const to = neighbours.heartbeatOf(holder.id)!.received[sender]!
    this.#fetch(holder.id, sender, received, Math.min(to, received + PULLED_FRAMES_MAX))
  }

  #watchSequencer(nowMs: number, patienceMs: number): void {
    const { log, config, sequencer } = this.#context
    const elapsedMs = this.#isOrderKeptBack(nowMs, patienceMs) ? 0 : nowMs - this.#watchedMs
    this.#watchedMs = nowMs
    if (sequencer === config.self.id) return
    if (this.#isUnserved(elapsedMs, patienceMs)) {
      this.#unserved = null
      return this.#context.blame(sequencer, BLAME_MAX)
    }
    if (!log.waitsForOrder) {
      this.#orderWait = null
      return
    }
    const delivered = log.deliveredOrder
    if (this.#orderWait?.delivered === delivered) this.#orderWait.waitedMs += elapsedMs
    else this.#orderWait = { delivered, waitedMs: 0, carryingMs: 0 }
    extend(this.#orderWait, log)
    if (this.#orderWait.waitedMs < patienceMs + this.#orderWait.carryingMs) return
    this.#orderWait = null
    this.#context.blame(sequencer, BLAME_MAX)
  }

  /**
   * True if another member leaves the sequencer no room, by not acknowledging an ORDER that was full for some time. A
   * sequencer that fills the ORDER itself gains no time, since honest members acknowledge it soon.
   */
  #isOrderKeptBack(nowMs: number, patienceMs: number): boolean {
    const { log, view } = this.#context
    const { first, fullUpTo } = log.order
    if (first >= this.#full.upTo) this.#full = { upTo: fullUpTo, sinceMs: nowMs }
    const isKeptBack = this.#acknowledgements.stability.isOrderKeptBack(sequencerIndex(view), log)
    return isKeptBack && nowMs - this.#full.sinceMs > ACKNOWLEDGED_SOON * patienceMs
  }

  /**
   * True if a frame has waited too long that the sequencer has. So a sequencer that orders a frame now and then does
   * not pass. No time counts while other members delay the next message by not acknowledging it.
   */
  #isUnserved(elapsedMs: number, patienceMs: number): boolean {
    const { log, view } = this.#context
    const { waitsForOrder } = log
    const former = this.#unserved
    if (former && !log.isServed(former.upTo)) {
      if (waitsForOrder) former.waitedMs += elapsedMs
      extend(former, log)
      return former.waitedMs > patienceMs + former.carryingMs
    }
    this.#unserved = null
    if (!waitsForOrder) return false
    const bySequencer = this.#acknowledgements.stability.receivedBy(sequencerIndex(view))
    const upTo = log.frames.received.map((count, sender) => Math.min(count, bySequencer[sender]!))
    this.#unserved = { upTo, waitedMs: 0, carryingMs: 0 }
    return false
  }

  #fetch(holder: MemberId, sender: number, from: number, to: number): void {
    const { proposal, id: view } = this.#context.view
    if (holder === this.#context.config.self.id) return
    const payload = { kind: "fetch", message: { proposal, sender, from, to } } as const
    this.#context.emit({ type: "sign", to: [holder], view, payload })
  }

  #serve(to: MemberId, sender: number, sequence: number): boolean {
    const frame = this.#context.log.frames.frame(sender, sequence)
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

/** Members blame together only if they wait as long, in whatever order their frames came. */
function extend(wait: Wait, log: MessageLog): void {
  wait.carryingMs = Math.max(wait.carryingMs, carryingMs(log, log.delivered, log.frames.received))
}
