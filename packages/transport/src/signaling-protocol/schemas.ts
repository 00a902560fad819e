import * as v from "valibot"
import {
  ANNOUNCED_END_BYTES,
  CURSOR_CHARS_MAX,
  ICE_CHARS_MAX,
  MESSAGE_CHARS_MAX,
  NAME_CODE_POINTS_MAX,
  ORIGIN_CHARS_MAX,
  STUN_URLS_MAX,
  TURN_URLS_MAX,
} from "./limits.ts"

const TOO_LARGE = "too-large"

/** A conference id or a member's room address: 16 bytes as 32 lower-case hex digits. */
export const hex16 = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/u))

/** SHA-256 of a certificate (DER): 32 bytes as 64 lower-case hex digits. */
export const hex32 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u))

/** An announced end in lower-case hex digits. */
export const endText = v.pipe(v.string(), v.regex(/^[0-9a-f]+$/u), v.length(2 * ANNOUNCED_END_BYTES))

/**
 * Opaque bytes, 1 to `bytesMax`. Browsers receive binary attachments as `ArrayBuffer`, Node as `Buffer`. The output is
 * a `Uint8Array` with its own memory, since a structured clone of a pooled `Buffer` would copy the whole pool.
 */
export function bytes(bytesMax: number) {
  return v.pipe(
    v.custom<Uint8Array | ArrayBuffer>((input) => input instanceof Uint8Array || input instanceof ArrayBuffer),
    v.check((input) => input.byteLength > 0),
    v.check((input) => input.byteLength <= bytesMax, TOO_LARGE),
    v.transform((input): Uint8Array => new Uint8Array(input)),
  )
}

/** Opaque bytes, exactly this many. */
export function exactly(byteCount: number) {
  return v.pipe(
    bytes(byteCount),
    v.check((input) => input.length === byteCount),
  )
}

/** The beginning of a participant's name: well-formed Unicode without control characters. */
export const namePrefix = v.pipe(
  v.string(),
  v.minLength(1),
  v.check((text) => [...text].length <= NAME_CODE_POINTS_MAX && !/[\p{Cc}\p{Cs}]/u.test(text)),
)

/** The origin under which a client knows the server, as `location.origin` has it. */
export const serverOrigin = v.pipe(v.string(), v.maxLength(ORIGIN_CHARS_MAX), v.regex(/^https?:\/\/[^\s/?#@]+$/u))

export const cursor = v.pipe(v.string(), v.minLength(1), v.maxLength(CURSOR_CHARS_MAX))

/** Milliseconds since 1970, UTC. */
export const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const errorMessage = v.pipe(v.string(), v.maxLength(MESSAGE_CHARS_MAX))

/** A name or a password at a TURN server: printable, no spaces. */
export const turnWord = v.pipe(v.string(), v.maxLength(ICE_CHARS_MAX), v.regex(/^[\x21-\x7e]+$/u))

/** A browser throws on an invalid URL, and then no link could be made. */
function iceUrl(schemeAndHost: RegExp) {
  return v.pipe(
    v.string(),
    v.maxLength(ICE_CHARS_MAX),
    v.regex(schemeAndHost),
    v.check((url) => Number(/:(\d{1,5})(?:\?|$)/u.exec(url)?.[1] ?? 1) <= PORT_MAX),
  )
}
const PORT_MAX = 65_535

/** One server and port, RFC 7064. */
export const stunUrl = iceUrl(/^stun:(?:[0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u)
export const stunUrls = v.pipe(v.array(stunUrl), v.maxLength(STUN_URLS_MAX))

/** One server, port and transport, RFC 7065. */
export const turnUrl = iceUrl(
  /^turns?:(?:[0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/u,
)
export const turnUrls = v.pipe(v.array(turnUrl), v.minLength(1), v.maxLength(TURN_URLS_MAX))

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: "bad-request" | "too-large"; readonly message: string }

/**
 * Checks data from the network. Never throws for data that a Socket.IO decoder can produce. Its message never contains
 * a value of the other side.
 */
export function parse<S extends v.GenericSchema>(schema: S, input: unknown): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return { ok: true, value: result.output }
  const [issue] = result.issues
  // An issue of the object itself may name a key that the other side chose. An issue of a field names one of ours.
  if (issue.kind === "schema" && issue.type === "strict_object") {
    return { ok: false, code: "bad-request", message: "A field is missing or unknown." }
  }
  const field = v.getDotPath(issue) ?? "payload"
  if (issue.message === TOO_LARGE) return { ok: false, code: TOO_LARGE, message: `The ${field} is too large.` }
  return { ok: false, code: "bad-request", message: `The ${field} is not well formed.` }
}
