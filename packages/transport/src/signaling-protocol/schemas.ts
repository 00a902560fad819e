import * as v from "valibot"
import { MESSAGE_CHARS_MAX } from "./limits.ts"

const TOO_LARGE = "too-large"

/** A conference id or a member's room address: 16 bytes as 32 lower-case hex digits. */
export const hex16 = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/u))

/**
 * Opaque bytes, 1 to `bytesMax`. Browsers hand binary attachments over as `ArrayBuffer`, Node as `Buffer`: the output is
 * a plain `Uint8Array` of its own, because a pooled `Buffer` would drag its whole pool through a structured clone.
 */
export function bytes(bytesMax: number) {
  return v.pipe(
    v.custom<Uint8Array | ArrayBuffer>((input) => input instanceof Uint8Array || input instanceof ArrayBuffer),
    v.check((input) => input.byteLength > 0),
    v.check((input) => input.byteLength <= bytesMax, TOO_LARGE),
    v.transform((input): Uint8Array => new Uint8Array(input)),
  )
}

/** Milliseconds since 1970, UTC. */
export const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const errorMessage = v.pipe(v.string(), v.maxLength(MESSAGE_CHARS_MAX))

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: "bad-request" | "too-large"; readonly message: string }

/**
 * Checks what came over the wire. Never throws for data that a Socket.IO decoder can produce, and never repeats a value of
 * the other side in its message.
 */
export function parse<S extends v.GenericSchema>(schema: S, input: unknown): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return { ok: true, value: result.output }
  const [issue] = result.issues
  // An issue of the object itself may name a key that the other side chose; an issue of a field names one of ours.
  if (issue.kind === "schema" && issue.type === "strict_object") {
    return { ok: false, code: "bad-request", message: "A field is missing or unknown." }
  }
  const field = v.getDotPath(issue) ?? "payload"
  if (issue.message === TOO_LARGE) return { ok: false, code: TOO_LARGE, message: `The ${field} is too large.` }
  return { ok: false, code: "bad-request", message: `The ${field} is not well formed.` }
}
