import type { MemberId } from "../ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import type { Delivery, MessageLog } from "../ordering/message-log.ts"
import type { Frame, FramePayload } from "../wire/frame.ts"
import type { Acknowledgement, Heartbeat, MemberInstance, ProposalId } from "../wire/messages.ts"
import type { View } from "./view.ts"

/** Members of a view in a full mesh. */
export const MESH_MEMBERS_MAX = 24

export type GroupConfig = {
  readonly self: MemberInstance
  /** SHA-256 over conference id and descriptor hash. */
  readonly conferenceTag: Uint8Array
  /** Epochs up to this one were reserved by earlier lives of this identity: none of them is used again. */
  readonly epochFloor: number
  /** The only ones with whom this member may ever be in a view, itself included; null: whoever has a link. */
  readonly roster?: readonly MemberId[] | null
  /** Whether this neighbour may be in a view now; every one may unless given. It changes between steps only. */
  readonly admits?: (member: MemberId) => boolean
  readonly heartbeatMs: number
  readonly suspectMs: number
  /** How long a wish for another membership must stand before it is proposed, so that joins come in batches. */
  readonly joinBatchMs: number
  /** Unanswered control messages are sent again after this. */
  readonly resendMs: number
  /** A proposal that is not through by then is given up for another one. */
  readonly proposalMs: number
  /** How long to look for others before a view of one's own; 0 for the creator of a conference. */
  readonly aloneAfterMs: number
  /** Members of one view at most; `MESH_MEMBERS_MAX` unless given. */
  readonly membersMax?: number
}

export const defaultTimes = {
  heartbeatMs: 200,
  suspectMs: 2500,
  joinBatchMs: 60,
  resendMs: 300,
  proposalMs: 4000,
} as const

export type GroupInput =
  | { readonly type: "tick"; readonly nowMs: number }
  /** `distant`: there is a way over the overlay, and what is sent to it, or to all, goes over that. */
  | { readonly type: "linkUp"; readonly peer: MemberId; readonly incarnation: number; readonly distant?: boolean }
  | { readonly type: "linkDown"; readonly peer: MemberId }
  /** Something has come from it, if only a piece of a message. */
  | { readonly type: "alive"; readonly from: MemberId }
  | { readonly type: "heartbeat"; readonly from: MemberId; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly from: MemberId; readonly acknowledgement: Acknowledgement }
  /** Credential verified. `syncs`: the frames inside a CUT or an INSTALL, decoded and verified likewise. */
  | { readonly type: "frame"; readonly from: MemberId; readonly frame: Frame; readonly syncs: readonly Frame[] }
  /** An own frame made from `nextMulticast()`, signed. */
  | { readonly type: "multicast"; readonly frame: GroupFrame }
  /** The layer above has enough for now: messages are taken and acknowledged, but not delivered unless the view ends. */
  | { readonly type: "hold"; readonly held: boolean }
  /** Answers `flushRequest`: nothing of the view is in the making any more. `nonce`: 16 random bytes. */
  | {
      readonly type: "flushed"
      readonly proposal: ProposalId
      readonly attachment: Uint8Array
      readonly nonce: Uint8Array
    }
  /** A new view with the same members, for a new key. */
  | { readonly type: "refresh" }
  /** A view of those of them that can be reached, whoever else can; nothing happens unless this member is the lowest of them. */
  | { readonly type: "propose"; readonly members: readonly MemberId[] }
  /** The layer above cannot go on with this member in the view: it is left out for a while. */
  | { readonly type: "obstructed"; readonly by: MemberId }
  /** For a member of the roster, in no view: kept until it is taken, now or when that member comes. */
  | { readonly type: "roster"; readonly to: MemberId; readonly body: Uint8Array }
  | { readonly type: "leave" }

/**
 * `unreliable`: lost rather than late, wherever it would have to wait. `repeated`: it was sent before, and where much is
 * still under way it is not lost but late: leave it out there, it is asked for again.
 */
export type Sending = "reliable" | "unreliable" | "repeated"

export type GroupOutput =
  /** Complete `payload` to a frame of `view`, sign it and send it; a copy to oneself comes back as input. */
  | {
      readonly type: "sign"
      readonly to: readonly MemberId[]
      readonly view: View["id"]
      readonly payload: FramePayload
    }
  /** A signed frame, as it is. */
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
  /** From here to the next view only those who move together are known to deliver the same. */
  | { readonly type: "transitional" }
  | { readonly type: "view"; readonly view: View }
  /** Stop sending, finish what is in the making, answer `flushed`. `first`: first time in this view. */
  | {
      readonly type: "flushRequest"
      readonly proposal: ProposalId
      readonly members: readonly MemberInstance[]
      readonly first: boolean
    }
  /** A neighbour said goodbye, and will not be missed; others that leave the view are merely not reached any more. */
  | { readonly type: "farewell"; readonly member: MemberId }
  /** From a member of the roster, once and in order, in whatever view either is. */
  | { readonly type: "rosterMessage"; readonly from: MemberId; readonly body: Uint8Array }
  /** Something that was sent to this member of the roster will not be taken: what still matters is to be sent anew. */
  | { readonly type: "rosterLost"; readonly peer: MemberId }
  /** Somebody proposed a view with a member that is not admitted here: what it does not know is to be told to it. */
  | { readonly type: "unadmitted"; readonly coordinator: MemberId }
  | { readonly type: "fault"; readonly member: MemberId; readonly reason: GroupFault }
  /** This member and another were told different things; who lied is not known. */
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
  /** Two frames in one place, both signed by this member. */
  | "conflicting-frames"
  /** It keeps the others from going on, by what it does or does not do, and is left out for a while. */
  | "obstruction"

/** What the parts of the group core share. */
export type CoreContext = {
  readonly config: GroupConfig
  readonly neighbours: Neighbours
  readonly emit: (output: GroupOutput) => void
  readonly view: () => View
  readonly log: () => MessageLog
  /** See liveness/blame.ts. */
  readonly blame: (member: MemberId, weight: number) => void
  readonly departed: (member: MemberId) => void
}
