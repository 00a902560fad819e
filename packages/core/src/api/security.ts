import type { MemberId } from "@keymoot/transport"

export type SecurityEvent = {
  readonly code:
    | "fingerprint-mismatch"
    | "forged-signal"
    | "bad-association"
    | "bad-credential"
    | "bad-frame"
    /** It holds up the others, by intent or on a bad network, and is left out for a while. */
    | "obstruction"
    /** It said different things to different members under one number, and signed both. */
    | "equivocation"
    /** Two members were told different things; it is not known by whom. `member` is the other one. */
    | "divergence"
    | "failed-confirmation"
    | "agreement-fault"
    | "undecryptable"
    | "invalid-content"
    /** Somebody under the name of a verified person, with another key. Until the codes have been compared, trust nothing it says. */
    | "changed-key"
    /** The list of verified people was not written by this identity, and is not used: verify the people anew. */
    | "altered-verifications"
    /** Somebody who holds the link, and whom the roster or the authority does not name, was refused. Told once for each. */
    | "not-admitted"
    /** Somebody passed on as said by a host what no host has signed. */
    | "bad-statement"
    /** A viewer sent what only editors may; it was ignored. Told once a view. */
    | "beyond-role"
  /** Plain English for logs and developers; a user interface translates by `code`. */
  readonly detail: string
  readonly member: MemberId | null
}

/** What two people compare, each on the own screen: they verify each other if one of these is the same on both. */
export type PairCode = {
  /** 60 decimal digits in groups of five. */
  readonly digits: string
  /** 18 English words (BIP-39), for people who read aloud. */
  readonly words: readonly string[]
  /** Text for a QR code, in its alphanumeric alphabet; not equal on both screens, but checked by `checkScan` on the other. */
  readonly scannable: string
}

/** match: it is that member's screen, and shows this member's key; not-a-code: not Keymoot's, or of another version. */
export type ScanResult = "match" | "other-person" | "not-a-code"
