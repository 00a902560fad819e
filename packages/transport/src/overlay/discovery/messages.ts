/** What members that look for neighbours say to each other, and what goes into and comes out of that machine. */
import type { MemberId } from "../../ids.ts"

/**
 * Why a neighbour is asked for: to have enough, for want of any when others have refused, to be nearer to the sequencer,
 * or to reach a part that cannot be reached.
 */
export type Want = "spare" | "need" | "parent" | "reunion"

export type DiscoveryMessage =
  | { readonly kind: "request"; readonly want: Want }
  | { readonly kind: "accept" }
  | { readonly kind: "refuse"; readonly alternatives: readonly MemberId[] }
  | { readonly kind: "heartbeat"; readonly degree: number }
  /** Not, or no more, a neighbour. */
  | { readonly kind: "end" }
  /** To somebody who seeks a link with everybody: there are too many for that. */
  | { readonly kind: "many" }

export type DiscoveryInput =
  /** On the bus. `eagerness`: by how much to raise the probability. */
  | { readonly type: "advertisement"; readonly from: MemberId; readonly eagerness: number }
  | { readonly type: "message"; readonly from: MemberId; readonly message: DiscoveryMessage }
  /** There is a link to it, whoever wanted it: it was made before there were too many, or for this. */
  | { readonly type: "linked"; readonly peer: MemberId }
  /** The link to it is broken. */
  | { readonly type: "lost"; readonly peer: MemberId }
  /** What link state says: who can be reached, this member not included, and who of them is nearer to the sequencer. */
  | { readonly type: "topology"; readonly reachable: ReadonlySet<MemberId>; readonly nearer: ReadonlySet<MemberId> }
  | { readonly type: "tick" }

export type DiscoveryOutput =
  | { readonly type: "advertise"; readonly eagerness: number }
  | { readonly type: "send"; readonly to: MemberId; readonly message: DiscoveryMessage }
  | { readonly type: "up" | "down"; readonly peer: MemberId }
