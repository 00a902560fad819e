import type { MemberId } from "@keymoot/transport"
import type { Arrival, Arrivals } from "./arrivals.ts"
import { type Assembly, ChunkAssembler, decodeChunk } from "./chunks.ts"

export type TransferBounds = {
  /** Bound on one transfer in compressed bytes. */
  readonly bytesMax: number
  /** Timeout from a member's arrival until its transfer begins; `Infinity` for none. */
  readonly beginsWithinMs: number
}

/** `arrival`: of the sender of this transfer. */
export type Incoming =
  | Exclude<Assembly, { readonly type: "complete" }>
  | { readonly type: "complete"; readonly bytes: Uint8Array; readonly arrival: Arrival }
  /** Report it. Emitted once per view and member. */
  | { readonly type: "unexpected" }
  | { readonly type: "ignored" }

/** `begun`: view of the last started transfer. Without an assembler that one has ended, with or without success. */
type Transfer = { readonly arrival: Arrival; begun: number | null; assembler: ChunkAssembler | null }

/**
 * Decides which transfers of one log or document are accepted. Transfers are multicast, so most are for other members.
 * The state of each member is:
 *
 * - none: it was with this member all the time. Its transfers are dropped unread.
 * - expected: from its arrival on.
 * - receiving: from the first chunk of a transfer to the last.
 * - done: until the member arrives again.
 *
 * If the view changes during a transfer, its sender may restart, once for each view: it cannot know whether its last
 * chunk was in time. A dropped transfer is reported only if no honest member would send it. Such are a second transfer
 * for one view, and one that nobody can need.
 */
export class IncomingTransfers {
  readonly #arrivals: Arrivals
  readonly #bounds: TransferBounds
  readonly #transfers = new Map<MemberId, Transfer>()
  /** View in which an unexpected transfer of a member was reported. */
  readonly #reportedIn = new Map<MemberId, number>()

  constructor(arrivals: Arrivals, bounds: TransferBounds) {
    this.#arrivals = arrivals
    this.#bounds = bounds
  }

  /** Call it after `arrivals` has the view. Drops unfinished transfers of members that are gone. */
  onView(): void {
    for (const known of [this.#transfers, this.#reportedIn]) {
      for (const member of known.keys()) if (!this.#arrivals.of(member)) known.delete(member)
    }
  }

  accept(from: MemberId, chunk: Uint8Array, nowMs: number): Incoming {
    const transfer = this.#transferOf(from)
    if (!transfer) return this.#notForThisMember(from)
    const head = decodeChunk(chunk)
    if (!head) return { type: "rejected", reason: "malformed" }
    const refusal = head.index === 0 ? this.#begin(from, transfer, head.transfer, nowMs) : null
    if (refusal) return refusal
    if (!transfer.assembler) return { type: "ignored" }
    const assembly = transfer.assembler.accept(chunk)
    if (assembly.type === "incomplete") return assembly
    transfer.assembler = null
    return assembly.type === "complete" ? { ...assembly, arrival: transfer.arrival } : assembly
  }

  #transferOf(from: MemberId): Transfer | null {
    const arrival = this.#arrivals.of(from)
    if (!arrival) return null
    const known = this.#transfers.get(from)
    if (known?.arrival === arrival) return known
    const transfer = { arrival, begun: null, assembler: null }
    this.#transfers.set(from, transfer)
    return transfer
  }

  #begin(from: MemberId, transfer: Transfer, name: string, nowMs: number): Incoming | null {
    const { begun, arrival, assembler } = transfer
    const view = this.#arrivals.viewOf(name)
    if (view === undefined || view < arrival.view || (begun !== null && view < begun)) return { type: "ignored" }
    if (view === begun) return this.#unexpected(from)
    transfer.begun = view
    const isOver = begun !== null && !assembler
    const isLate = begun === null && nowMs - arrival.atMs > this.#bounds.beginsWithinMs
    if (isOver || isLate) return this.#notForThisMember(from)
    transfer.assembler = new ChunkAssembler(this.#bounds.bytesMax)
    return null
  }

  #notForThisMember(from: MemberId): Incoming {
    return this.#arrivals.hasNewcomers ? { type: "ignored" } : this.#unexpected(from)
  }

  #unexpected(from: MemberId): Incoming {
    if (this.#reportedIn.get(from) === this.#arrivals.view) return { type: "ignored" }
    this.#reportedIn.set(from, this.#arrivals.view)
    return { type: "unexpected" }
  }
}
