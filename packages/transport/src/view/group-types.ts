import type { MemberId } from "../members/ids.ts"
import type { NetworkPolicy } from "../network/shared/config.ts"
import type { Feature } from "../network/shared/protocol.ts"

import type { GroupFrame } from "../ordering/frame-store.ts"
import type { Delivery } from "../ordering/message-log.ts"
import type { Frame, FramePayload } from "../wire/frame.ts"
import type { Acknowledgement, Heartbeat, MemberInstance, ProposalId } from "../wire/messages.ts"
import type { View } from "./view.ts"

/** Members of a view in a full mesh. */
export const MESH_MEMBERS_MAX = 24

export type GroupConfig = {
  readonly self: MemberInstance
  /** SHA-256 over conference id and descriptor hash. */
  readonly conferenceTag: Uint8Array
  /** Epochs up to this one were reserved by earlier incarnations of this identity: none of them is used again. */
  readonly epochFloor: number
  /** The only members that may ever share a view with this one, itself included. Null: every member with a link. */
  readonly roster?: readonly MemberId[] | null
  /** Knows which neighbours may be in a view now. Default: all of them. Its answer changes between steps only. */
  readonly policy?: Pick<NetworkPolicy, "isInside">
  readonly heartbeatMs: number
  readonly suspectMs: number
  /** How long a wish for another membership must stand before it is proposed, so that joins come in batches. */
  readonly joinBatchMs: number
  /** Retransmission interval of unanswered control messages. */
  readonly resendMs: number
  /** Timeout of a proposal, which is then given up for another one. */
  readonly proposalMs: number
  /** How long to look for others before forming a view alone. 0 for the creator of a conference. */
  readonly aloneAfterMs: number
  /** Maximum of members in a view. Default: `MESH_MEMBERS_MAX`. */
  readonly membersMax?: number
  /** Whether each data frame has its sender's signature. Default: true. Otherwise any member can forge another's. */
  readonly signsData?: boolean
  /** Protocol features that this member supports. Default: those of `PROTOCOL`. */
  readonly features?: readonly Feature[]
}

export const defaultTimes = {
  heartbeatMs: 200,
  suspectMs: 2500,
  // Up to the next tick. Joins are also collected during each view change.
  joinBatchMs: 50,
  resendMs: 300,
  proposalMs: 4000,
} as const

export type GroupInput =
  | { readonly type: "tick"; readonly nowMs: number }
  /** `distant`: the member is reached over the overlay, which carries messages to it or to all. */
  | { readonly type: "linkUp"; readonly peer: MemberId; readonly incarnation: number; readonly distant?: boolean }
  | { readonly type: "linkDown"; readonly peer: MemberId }
  /** Bytes have come from it, if only a piece of a message. */
  | { readonly type: "alive"; readonly from: MemberId }
  | { readonly type: "heartbeat"; readonly from: MemberId; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly from: MemberId; readonly acknowledgement: Acknowledgement }
  /** The credential is verified. `syncs`: the frames inside a CUT or an INSTALL, decoded and verified likewise. */
  | { readonly type: "frame"; readonly from: MemberId; readonly frame: Frame; readonly syncs: readonly Frame[] }
  /** A signed own frame made from `nextMulticast()`. */
  | { readonly type: "multicast"; readonly frame: GroupFrame }
  /**
   * The layer above has a backlog of this sender. Its messages are accepted and acknowledged, but not delivered unless
   * the view ends.
   */
  | { readonly type: "hold"; readonly of: MemberId; readonly held: boolean }
  /** Answers `flushRequest`: no message of the view is being prepared any more. `nonce`: 16 random bytes. */
  | {
      readonly type: "flushed"
      readonly proposal: ProposalId
      readonly attachment: Uint8Array
      readonly nonce: Uint8Array
    }
  /** A new view with the same members, for a new key. */
  | { readonly type: "refresh" }
  /**
   * Proposes a view of exactly those of them that can be reached. No effect unless this member is the lowest of them.
   */
  | { readonly type: "propose"; readonly members: readonly MemberId[] }
  /** The layer above cannot continue with this member in the view. It is excluded for a while. */
  | { readonly type: "obstructed"; readonly by: MemberId }
  /**
   * The layer above can't use the present view because of these members, besides those named before. So others may
   * replace it at once.
   */
  | { readonly type: "unusable"; readonly by: readonly MemberId[] }
  /** For a member of the roster, outside of views. Stored until it is acknowledged, now or when that member returns. */
  | { readonly type: "roster"; readonly to: MemberId; readonly body: Uint8Array }
  | { readonly type: "leave" }

/**
 * How a message is sent. `unreliable`: dropped if it would have to wait. `repeated`: a retransmission, omitted on
 * a link with much unacknowledged, where the original is not lost but late. It will be requested again.
 */
export type Sending = "reliable" | "unreliable" | "repeated"

export type GroupOutput =
  /** Complete `payload` to a frame of `view`, sign it and send it. A copy to this member comes back as input. */
  | {
      readonly type: "sign"
      readonly to: readonly MemberId[]
      readonly view: View["id"]
      readonly payload: FramePayload
    }
  /** A signed frame, sent unchanged. */
  | {
      readonly type: "send"
      readonly to: readonly MemberId[]
      readonly bytes: Uint8Array
      readonly how: Sending
    }
  | { readonly type: "heartbeat"; readonly to: readonly MemberId[]; readonly heartbeat: Heartbeat }
  | {
      readonly type: "acknowledgement"
      readonly to: readonly MemberId[]
      readonly acknowledgement: Acknowledgement
    }
  | { readonly type: "deliver"; readonly delivery: Delivery }
  /** From here to the next view only members of the transitional set are known to deliver the same. */
  | { readonly type: "transitional" }
  | { readonly type: "view"; readonly view: View }
  /**
   * Stop sending, finish messages that are being prepared, then answer `flushed`. `first`: the first request in this
   * view.
   */
  | {
      readonly type: "flushRequest"
      readonly proposal: ProposalId
      readonly members: readonly MemberInstance[]
      readonly first: boolean
    }
  /** A neighbour said goodbye. Other members that leave the view are merely unreachable. */
  | { readonly type: "farewell"; readonly member: MemberId }
  /** From a member of the roster, once and in order, independent of either member's view. */
  | { readonly type: "rosterMessage"; readonly from: MemberId; readonly body: Uint8Array }
  /** A message to this member of the roster was dropped. Send again all that still matters. */
  | { readonly type: "rosterLost"; readonly peer: MemberId }
  /** A member proposed a view with a member that is not admitted here. It lacks information that must be sent to it. */
  | { readonly type: "unadmitted"; readonly coordinator: MemberId }
  | { readonly type: "fault"; readonly member: MemberId; readonly reason: GroupFault }
  /** This member and another received different messages. Which sender lied is not known. */
  | { readonly type: "divergence"; readonly from: MemberId }

export type GroupFault =
  | "malformed-message"
  | "bad-order"
  | "order-conflict"
  | "conflicting-sync"
  | "incomplete-syncs"
  | "own-sync-changed"
  /** Two signed frames name different messages for one place of the ORDER. */
  | "conflicting-orders"
  /** Two sets of SYNCs for one proposal, both signed by this member as its coordinator. */
  | "conflicting-views"
  /** Two frames with one number, both signed by this member. */
  | "conflicting-frames"
  /** Two frames with one number, of which any member can have made one. */
  | "conflicting-unsigned-frames"
  /** It prevents the others from continuing, and is excluded for a while. */
  | "obstruction"
