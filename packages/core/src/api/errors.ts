/** See `docs/embedding.md` for what a caller does about each. */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-link"
  | "invalid-card"
  | "roster-too-long"
  | "named-twice"
  | "bad-certificate"
  | "certificate-mismatch"
  | "certificate-superseded"
  | "certificate-refused"
  | "proof-refused"
  | "wrong-origin"
  | "no-invitation"
  | "unknown-conference"
  | "descriptor-mismatch"
  | "missing-module"
  | "not-yet-open"
  | "conference-over"
  | "not-admitted"
  | "not-permitted"
  | "server-unreachable"
  | "other-server-version"
  | "server-refused"
  | "server-full"
  | "already-open"
  | "storage-unavailable"
  | "unsupported-browser"
  | "call-full"
  | "too-large"
  | "too-soon"
  | "wrong-passphrase"
  | "damaged-backup"
  | "newer-backup"
  | "queue-full"
  | "unseen-readers"
  | "no-answer"
  | "file-unavailable"
  | "file-altered"
  | "storage-full"
  | "closed"
  | "aborted"
  | "internal"

/** All rejections and exceptions of this package. `message` says what to do; `code` is for programs. */
export class KeymootError extends Error {
  readonly code: ErrorCode
  /** For `not-yet-open`: the conference's opening in milliseconds since 1970; otherwise null. */
  readonly opensAtMs: number | null
  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { readonly opensAtMs?: number | null }) {
    super(message, options)
    this.name = "KeymootError"
    this.code = code
    this.opensAtMs = options?.opensAtMs ?? null
  }
}
