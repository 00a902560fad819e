/** Messages between members that look for neighbours, and inputs and outputs of that state machine. */
import type { MemberId } from "../../members/ids.ts"

/**
 * The reason for a request. `spare`: to have enough neighbours. `need`: others have refused, and there is none.
 * `parent`: to be nearer to the sequencer. `reunion`: to reach a part that is cut off.
 */
export type Want = "spare" | "need" | "parent" | "reunion"

export type DiscoveryMessage =
  | { readonly kind: "request"; readonly want: Want }
  | { readonly kind: "accept" }
  | { readonly kind: "refuse"; readonly alternatives: readonly MemberId[] }
  | { readonly kind: "heartbeat"; readonly degree: number }
  /** Not, or no longer, a neighbour. */
  | { readonly kind: "end" }
  /** Answer to a member that seeks a link with every other: there are too many members for that. */
  | { readonly kind: "many" }

export type DiscoveryInput =
  /** On the bus. `eagerness`: factor by which to raise the probability of an answer. */
  | { readonly type: "advertisement"; readonly from: MemberId; readonly eagerness: number }
  | { readonly type: "message"; readonly from: MemberId; readonly message: DiscoveryMessage }
  /** A link to it is up. It may be older than the agreement, from a time with fewer members. */
  | { readonly type: "linked"; readonly peer: MemberId }
  /** The link to it is broken. */
  | { readonly type: "lost"; readonly peer: MemberId }
  /** From link state: the reachable members without this one, and those of them that are nearer to the sequencer. */
  | { readonly type: "topology"; readonly reachable: ReadonlySet<MemberId>; readonly nearer: ReadonlySet<MemberId> }
  | { readonly type: "tick" }

export type DiscoveryOutput =
  | { readonly type: "advertise"; readonly eagerness: number }
  | { readonly type: "send"; readonly to: MemberId; readonly message: DiscoveryMessage }
  | { readonly type: "up" | "down"; readonly peer: MemberId }
  /** No neighbour until something comes from it. Its link stays for a while, since it may only be late. */
  | { readonly type: "silent"; readonly peer: MemberId }
