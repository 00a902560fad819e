import type { MemberId } from "@keymoot/transport"
import type { Member } from "./members.ts"

export type SecurityEvent = {
  readonly code:
    | "fingerprint-mismatch"
    | "forged-signal"
    | "bad-association"
    | "bad-credential"
    | "bad-frame"
    /** It stalls the others, by intent or on a bad network, and is left out for a while. */
    | "obstruction"
    /** It signed different statements with one number for different members. */
    | "equivocation"
    /** A host signed two different statements with one number. It has lost its office and is a viewer. */
    | "contradicting-host"
    /**
     * Two members got different messages or have different documents; the culprit is unknown. `member` is the other
     * one.
     */
    | "divergence"
    | "failed-confirmation"
    | "agreement-fault"
    | "undecryptable"
    | "invalid-content"
    /**
     * A person uses a verified person's name with another key: a member, or the author of a transferred message. For
     * such an author the name may also be a member's or one of the roster. Do not trust its messages until that is
     * settled.
     */
    | "changed-key"
    /** The list of verified people was not written by this identity and is not used. Verify the people again. */
    | "altered-verifications"
    /** A person with the link that the roster or the authority does not name was refused. Reported once for each. */
    | "not-admitted"
    /** A member forwarded a host's statement that no host has signed. */
    | "bad-statement"
    /**
     * A fault of this program. If a member's message caused it, the fault was contained to that message, and the link
     * with that member ended if its state failed. Otherwise the conference closes. The member is named if no other
     * could have caused it.
     */
    | "handling-failed"
    /**
     * A member sent a history transfer that was not its turn or that nobody needs. It was dropped. Reported once a
     * view.
     */
    | "unexpected-history"
    /** A member transferred messages of people that were never admitted. They were dropped. */
    | "foreign-author"
    /**
     * A viewer sent a message that only editors may send, or a member that is no host above another one asked to mute
     * it. It was ignored. Reported once a view.
     */
    | "beyond-role"
    /**
     * It exceeds the rate limit for one member. Its excess messages waited or were dropped. Reported at intervals only.
     */
    | "flooding"
  /** Plain English for logs and developers. A user interface translates by `code`. */
  readonly detail: string
  readonly member: MemberId | null
}

/**
 * Code that two people compare, each on its own screen. They verify each other if one of its forms is equal on both.
 */
export type PairCode = {
  /** 60 decimal digits in groups of five. */
  readonly digits: string
  /** 18 English words (BIP-39), for people who read aloud. */
  readonly words: readonly string[]
  /**
   * Text for a QR code in its alphanumeric alphabet. It differs between both screens; `checkScan` checks it on the
   * other one.
   */
  readonly scannable: string
}

/** match: that member's screen shows this member's key; not-a-code: not Keymoot's, or of another version. */
export type ScanResult = "match" | "other-person" | "not-a-code"

/** A share or key in a key tree. `isNew`: the last view change renewed it. */
export type KeyTreeNode =
  | { readonly kind: "leaf"; readonly member: Member; readonly isNew: boolean }
  | { readonly kind: "branch"; readonly isNew: boolean; readonly left: KeyTreeNode; readonly right: KeyTreeNode }

/**
 * Public structure of the key.
 *
 * - `tree` (`tgdh`, `str`): each branch holds a key that the members below it share. The root's becomes the group key.
 * - `ring` (`bd`): each member shares a key with both neighbours.
 * - `chain` (`gdh`): the members in the order in which their shares entered.
 * - `star` (`ckd`): the first seat distributed the key to the others.
 * - `quorum` (`majority`): all people of the roster. New shares are those whose contributions the key contains.
 */
export type KeyStructure =
  | { readonly kind: "tree"; readonly root: KeyTreeNode }
  | {
      readonly kind: "ring" | "chain" | "star" | "quorum"
      readonly seats: readonly { readonly member: Member; readonly isNew: boolean }[]
    }
