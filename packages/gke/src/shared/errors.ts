/**
 * An error of the caller. A peer can cause none of these: an error of a peer is a `fault` output.
 *
 * - `bad-input`: an argument has the wrong shape or length; the message says which.
 * - `no-contribution`: a view was given whose proposal this member never contributed to.
 * - `attachment-changed`: the view carries another attachment for this member than the one it contributed.
 */
export type KeyAgreementErrorCode = "bad-input" | "no-contribution" | "attachment-changed"

/** A bad caller. `message` says what to do. */
export class KeyAgreementError extends Error {
  readonly code: KeyAgreementErrorCode
  constructor(code: KeyAgreementErrorCode, message: string) {
    super(message)
    this.name = "KeyAgreementError"
    this.code = code
  }
}

/** A broken invariant of this package: our bug. No peer's bytes can reach it. */
export function unreachable(what: string): never {
  throw new Error(`broken invariant: ${what}`)
}
