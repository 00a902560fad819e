/** What each means for a caller: see `docs/embedding.md`. */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-link"
  | "invalid-card"
  | "bad-certificate"
  | "no-invitation"
  | "unknown-conference"
  | "descriptor-mismatch"
  | "conference-over"
  | "not-admitted"
  | "not-permitted"
  | "server-unreachable"
  | "server-refused"
  | "already-open"
  | "storage-unavailable"
  | "unsupported-browser"
  | "too-large"
  | "too-soon"
  | "wrong-passphrase"
  | "damaged-backup"
  | "newer-backup"
  | "queue-full"
  | "file-unavailable"
  | "file-altered"
  | "storage-full"
  | "closed"
  | "aborted"
  | "internal"

/** Every rejection and throw of this package. `message` says what to do; `code` is for programs. */
export class KeymootError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "KeymootError"
    this.code = code
  }
}
