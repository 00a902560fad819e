import type { MemberId, ProposalId } from "../shared/member-id.ts"

/**
 * The view to agree a key for, as group communication installed it.
 * `sid`: 32 bytes, see `conferenceSid`. `members`: sorted, `self` included. `attachments`: what each member, `self`
 * included, attached to its SYNC of `proposal`, byte for byte.
 */
export type KeyedView = {
  readonly sid: Uint8Array
  readonly self: MemberId
  readonly members: readonly MemberId[]
  readonly proposal: ProposalId
  readonly attachments: ReadonlyMap<MemberId, Uint8Array>
}

/**
 * Everything that can happen to a key agreement. `random`: `RANDOM_BYTES` fresh uniform bytes, used once; the caller
 * overwrites them after the step.
 *
 * - `contribute`: a view of these members is proposed; answered by one `contribution`. From here to the next `view`
 *   nothing is multicast, because the member is flushing. Each proposal erases the share made for the one before.
 * - `view`: the proposal last contributed to is installed. A member alone may be given its first view without one.
 * - `message`: delivered in the current view, in its sender's order, **own multicasts included**. `bytes` is what the
 *   sender's output held; `from` is authenticated by the caller.
 * - `tick`: only `majority` has a clock; the others ignore it.
 */
export type KeyAgreementInput =
  | { readonly type: "view"; readonly view: KeyedView; readonly random: Uint8Array }
  | {
      readonly type: "contribute"
      readonly proposal: ProposalId
      readonly members: readonly MemberId[]
      readonly random: Uint8Array
    }
  | {
      readonly type: "message"
      readonly from: MemberId
      readonly via: "unicast" | "multicast"
      readonly bytes: Uint8Array
    }
  | { readonly type: "tick"; readonly nowMs: number }

/**
 * Why a member is at fault. After a fault, the agreement of this view may never end; only a view change helps.
 *
 * - `malformed-attachment`: its attachment, or the share in it that this view needs, does not decode, or the share is
 *   not new.
 * - `malformed-message`: its message does not decode, or holds an invalid element.
 * - `unexpected-message`: a message that the structure does not prescribe: wrong sender, round, or service, or a
 *   second one.
 * - `bad-state`: the public state that it attached or sent is impossible or does not match the hash that it signed.
 *   Under `gdh` and `ckd` also: it claims a seat in this member's state that is not its own.
 * - `wrong-key`: a value that it published is not the one that follows. Under `bd` there is proof against the member.
 *   Under `gdh` and `ckd` the controller gave this member another key than it committed to. Under `tgdh` and `str`,
 *   honest victims of another member's wrong value can look the same to members further up the tree.
 */
export type FaultReason =
  "malformed-attachment" | "malformed-message" | "unexpected-message" | "bad-state" | "wrong-key"

export type KeyAgreementOutput =
  /**
   * A message to another member of the current view. It is not secret: a reader learns nothing, but a member that
   * withholds it stops the agreement. The caller
   * - signs it with the member's credential over (sid, counter, to, bytes), and increments the counter with each;
   * - checks all four on arrival, so a unicast can't be replayed or redirected to another member;
   * - delivers it as a `message` via `unicast`, reliably, and in order with this member's other unicasts to `to`. Its
   *   order relative to multicasts does not matter;
   * - delivers it only in the view in which it was sent. If `to` has not installed that view yet, it waits in a
   *   bounded queue. It is dropped when the view ends at either end. A member that flushes sends none.
   */
  | { readonly type: "unicast"; readonly to: MemberId; readonly bytes: Uint8Array }
  | { readonly type: "multicast"; readonly bytes: Uint8Array }
  /** Public; goes into the SYNC of the proposal. */
  | { readonly type: "contribution"; readonly bytes: Uint8Array }
  /** 32 bytes each. The receiver owns `secret` and overwrites it. At most one a view. */
  | { readonly type: "secret"; readonly secret: Uint8Array; readonly transcript: Uint8Array }
  /** A refresh is due: ask for a view of the same members. */
  | { readonly type: "wantsView" }
  | { readonly type: "fault"; readonly member: MemberId; readonly reason: FaultReason }
  | { readonly type: "wakeAt"; readonly deadlineMs: number }

/** One member's side of the key agreement of one conference: a deterministic state machine. */
export interface KeyAgreement {
  /**
   * Public state of the last completed epoch, for members outside its cluster. `hash`: 32 bytes; both empty before the
   * first epoch.
   */
  publicState(): { readonly hash: Uint8Array; readonly bytes: Uint8Array }
  /** Structure of the last completed epoch; null before the first. */
  structure(): KeyStructure | null
  /**
   * Members whose message this view's agreement still needs, as far as this member can tell for certain, itself
   * included. Empty once there is a secret or a fault. The caller should exclude a member that stays silent for too
   * long.
   */
  awaiting(): readonly MemberId[]
  /**
   * @throws KeyAgreementError when the caller breaks the contract above; never because of what a peer sent.
   */
  step(input: KeyAgreementInput): readonly KeyAgreementOutput[]
  /** Ends the conference: overwrites every secret. A later step starts without a state, as a new instance does. */
  erase(): void
}

/**
 * The place of a share or key in a key tree. `isNew`: the view has made it anew.
 */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: MemberId; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }

/** A member in an order, and whether its share was made for this view. */
export type KeySeat = { readonly member: MemberId; readonly isNew: boolean }

/**
 * Structure of the last completed epoch's key, for display. All of it is public, and the agreement needs none of it.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key that the members below it share.
 * - `ring` (`bd`): each member shares a key with both neighbours.
 * - `chain` (`gdh`): the shares in the order in which they entered the key.
 * - `star` (`ckd`): the first seat is the controller's, which gave the key to the others.
 * - `quorum` (`majority`): the whole roster; `isNew` marks members whose contributions the key is made of.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | { readonly kind: "ring" | "chain" | "star" | "quorum"; readonly seats: readonly KeySeat[] }
