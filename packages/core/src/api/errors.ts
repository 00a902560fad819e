/** What each means for a caller: see `docs/embedding.md`. */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-link"
  | "invalid-card"
  | "bad-certificate"
  | "no-invitation"
  | "unknown-conference"
  | "descriptor-mismatch"
  | "not-yet-open"
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
  | "no-answer"
  | "file-unavailable"
  | "file-altered"
  | "storage-full"
  | "closed"
  | "aborted"
  | "internal"

/** Every rejection and throw of this package. `message` says what to do; `code` is for programs. */
export class KeymootError extends Error {
  readonly code: ErrorCode
  /** Of `not-yet-open`: when the conference opens, in milliseconds since 1970; null of every other. */
  readonly opensAtMs: number | null
  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { readonly opensAtMs?: number | null }) {
    super(message, options)
    this.name = "KeymootError"
    this.code = code
    this.opensAtMs = options?.opensAtMs ?? null
  }
}
