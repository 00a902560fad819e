/** Keeps what the other members have last told about their part in the call. */
import type { MemberId } from "@keymoot/transport"
import type { MediaSignal } from "./media-signal.ts"

export type Wanted = Omit<MediaSignal & { readonly kind: "wanted" }, "kind">

/** `wanted` is kept here: it can precede the view with the member, or this member's entry, and is not repeated then. */
export type CallState = MediaSignal & { readonly kind: "state"; readonly wanted: Wanted | null }

export class CallStates {
  readonly #states = new Map<MemberId, CallState>()
  /** Incarnations of the members of the present view. */
  #incarnations: ReadonlyMap<MemberId, number> = new Map()

  /** Returns the difference to the state before. */
  take(from: MemberId, state: MediaSignal & { readonly kind: "state" }): "session" | "state" | "nothing" {
    const former = this.#states.get(from)
    const isSame = former?.session === state.session
    this.#states.set(from, { ...state, wanted: isSame ? former.wanted : null })
    if (!isSame) return "session"
    const isRepeated = former.incarnation === state.incarnation && `${former.sources}` === `${state.sources}`
    return isRepeated ? "nothing" : "state"
  }

  /** Returns false if it is of another session than the member's state. */
  want(from: MemberId, wanted: Wanted): boolean {
    const state = this.#states.get(from)
    if (state?.session !== wanted.session) return false
    this.#states.set(from, { ...state, wanted })
    return true
  }

  /** A newcomer's state can come over its link before a view that began without it is secured here. */
  onView(incarnations: ReadonlyMap<MemberId, number>, linked: { has(member: MemberId): boolean }): void {
    this.#incarnations = incarnations
    for (const member of this.#states.keys())
      if (!incarnations.has(member) && !linked.has(member)) this.#states.delete(member)
  }

  /** State of a member in the call, in the incarnation that the view has; null for others. */
  inCall(member: MemberId): CallState | null {
    const state = this.#states.get(member)
    return state && state.session !== 0 && state.incarnation === this.#incarnations.get(member) ? state : null
  }
}
