import type { MemberId } from "@keymoot/transport"

/** Start of a member's uninterrupted presence with this one. A member that returns gets a new one. */
export type Arrival = {
  /** Number of the view, counted by this member. */
  readonly view: number
  /** Epoch of that view. Messages from it on were delivered here. */
  readonly epoch: number
  readonly atMs: number
}

/** A view at its start, with the members that were elsewhere since this member's last secured view. */
export type ViewStart = {
  readonly view: { readonly id: string; readonly epoch: number }
  readonly present: readonly MemberId[]
  readonly newcomers: readonly MemberId[]
  /** Members that came with this one from its previous view. */
  readonly transitional: readonly MemberId[]
  /** Newcomers that may transfer history: not viewers. */
  readonly awaited: readonly MemberId[]
}

/** Number of views whose transfers are distinguished. Transfers of older views are rejected. */
const VIEWS_KNOWN_MAX = 32
/** Number of views after newcomers arrived in which a member may still transfer, because it saw other views secured. */
const NEWS_VIEWS = 4

/** Arrivals of members that were not with this one all the time. Each may have items that are missing here. */
export class Arrivals {
  readonly #arrivals = new Map<MemberId, Arrival>()
  /** The last views by the names of their transfers. */
  readonly #views = new Map<string, number>()
  #view = 0
  #newcomersIn = -NEWS_VIEWS

  onView({ view, present, newcomers, transitional, awaited }: ViewStart, nowMs: number): void {
    this.#view++
    this.#views.set(transferIn(view.id), this.#view)
    const [oldest] = this.#views.keys()
    if (this.#views.size > VIEWS_KNOWN_MAX) this.#views.delete(oldest!)
    const here = new Set(present)
    for (const member of this.#arrivals.keys()) if (!here.has(member)) this.#arrivals.delete(member)
    for (const member of awaited) {
      // The member may have seen the view of its arrival secured, and still transfer for that view.
      if (transitional.includes(member) && this.#arrivals.has(member)) continue
      this.#arrivals.set(member, { view: this.#view, epoch: view.epoch, atMs: nowMs })
    }
    if (newcomers.length > 0) this.#newcomersIn = this.#view
  }

  of(member: MemberId): Arrival | undefined {
    return this.#arrivals.get(member)
  }

  /** Number of the present view. */
  get view(): number {
    return this.#view
  }

  /** Returns the view of a transfer, if this member has seen it. */
  viewOf(transfer: string): number | undefined {
    return this.#views.get(transfer)
  }

  /** Whether any member can have had a reason for a transfer. */
  get hasNewcomers(): boolean {
    return this.#view - this.#newcomersIn < NEWS_VIEWS
  }
}

/** Names a transfer after its view, so that no member transfers twice in one. */
export function transferIn(view: string): string {
  return view.slice(0, 32)
}
