/**
 * Checks of options that a JavaScript caller passes, before they cross to the engine. There a wrong option would fail
 * later, as an internal error that names no option.
 */
import { isBytes } from "@noble/hashes/utils.js"
import {
  type AdmissionOptions,
  type Authenticity,
  type Cipher,
  type PostQuantum,
  type HistoryPolicy,
  type IceOptions,
  isOwnModule,
  KeymootError,
  type KeyAgreementName,
} from "../api/index.ts"

/** `said` completes "must be". */
type Kind = { readonly is: (value: unknown) => boolean; readonly said: string }
/** Options of one function by name. `?` at the end of a name means optional: null is as good as nothing. */
type Kinds = Readonly<Record<string, Kind>>

export const text: Kind = { is: (value) => typeof value === "string", said: "a string" }
const flag: Kind = { is: (value) => typeof value === "boolean", said: "true or false" }
const milliseconds: Kind = { is: (value) => Number.isFinite(value), said: "a number of milliseconds" }
const callback: Kind = { is: (value) => typeof value === "function", said: "a function" }
/** Accepts signals of other frames too. */
const signal: Kind = {
  is: (value) => Object.prototype.toString.call(value) === "[object AbortSignal]",
  said: "an AbortSignal",
}
/** `isBytes` accepts arrays of other frames. */
export const bytesOrText: Kind = { is: (value) => isBytes(value) || text.is(value), said: "PEM, or DER bytes" }
export const bytes: Kind = { is: isBytes, said: "a Uint8Array" }
/** Accepts blobs of other frames too. */
const blob: Kind = {
  is: (value) => Number.isFinite((value as Blob | null)?.size) && callback.is((value as Blob).slice),
  said: "a Blob",
}
const texts: Kind = { is: (value) => Array.isArray(value) && value.every(text.is), said: "an array of strings" }

function oneOf<T extends string>(...words: readonly T[]): Kind {
  return { is: (value) => words.includes(value as T), said: `one of ${words.map((word) => `"${word}"`).join(", ")}` }
}

/** The engine knows which own modules there are. */
function oneOfOrOwn<T extends string>(...words: readonly T[]): Kind {
  const { is, said } = oneOf(...words)
  return { is: (value) => is(value) || isOwnModule(value), said: `${said}, or "own:" and a module's name` }
}

const transfer: Kinds = { "onProgress?": callback, "signal?": signal }
const entering: Kinds = { "localCopy?": flag, "signal?": signal }
const made: Kinds = {
  server: text,
  "title?": text,
  "keyAgreement?": oneOfOrOwn<KeyAgreementName>("tgdh", "str", "bd", "gdh", "ckd", "majority"),
  "history?": oneOf<HistoryPolicy>("everything", "from-join"),
  "authenticity?": oneOf<Authenticity>("signature", "group"),
  "cipher?": oneOfOrOwn<Cipher>("aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"),
  "postQuantum?": oneOf<PostQuantum>("off", "hybrid"),
  "durationMs?": milliseconds,
  "signal?": signal,
}
const ice: Kinds = { "transportPolicy?": oneOf<NonNullable<IceOptions["transportPolicy"]>>("all", "relay") }
const admission: Kinds = { policy: oneOf<AdmissionOptions["policy"]>("link", "approval", "roster", "ca") }

/** Arguments of methods, and the fields of an argument that is an object. */
export const METHODS = {
  openIdentity: { name: text, "id?": text, "bootstrap?": callback, "createWorker?": callback },
  preview: { url: text },
  forget: { id: text },
  channel: { "history?": flag },
  send: { "targets?": texts, "readers?": texts, ...transfer },
  leave: { "forget?": flag },
  setEnd: { end: { is: (value) => value === "now" || milliseconds.is(value), said: `"now", or ${milliseconds.said}` } },
  write: { text },
  listen: { "signal?": signal },
  request: { to: text },
  answer: { handler: callback },
  transfer,
  offered: { content: blob },
  offer: { name: text, "type?": text, ...transfer },
} satisfies Readonly<Record<string, Kinds>>

/** Returns the arguments. @throws KeymootError `invalid-argument` */
export function assertArguments<T>(kinds: Kinds, given: T): T {
  asserted(kinds, given)
  return given
}

/** @throws KeymootError `invalid-argument` */
export function assertCreateOptions(options: unknown): void {
  assertMade({ ...entering, ...made }, options)
}

/** @throws KeymootError `invalid-argument` */
export function assertScheduleOptions(options: unknown): void {
  assertMade({ ...made, opensAtMs: milliseconds }, options)
}

/** @throws KeymootError `invalid-argument` */
export function assertJoinOptions(options: unknown): void {
  assertIce(asserted({ ...entering, url: text }, options))
}

/** @throws KeymootError `invalid-argument` */
export function assertResumeOptions(options: unknown): void {
  assertIce(asserted({ ...entering, "late?": flag, id: text }, options))
}

function assertMade(kinds: Kinds, options: unknown): void {
  const given = asserted(kinds, options)
  assertIce(given)
  const wanted = given["admission"] ?? { policy: "link" }
  const { policy } = asserted(admission, wanted, "admission")
  if (policy === "roster") asserted({ members: texts }, wanted, "admission")
  if (policy === "ca") asserted({ authority: bytesOrText }, wanted, "admission")
}

function assertIce(given: Readonly<Record<string, unknown>>): void {
  asserted(ice, given["ice"] ?? {}, "ice")
}

/** @param within the option that contains these */
function asserted(kinds: Kinds, given: unknown, within?: string): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null) throw invalid(within ?? "The argument", "an object of options")
  const options = given as Readonly<Record<string, unknown>>
  for (const [key, { is, said }] of Object.entries(kinds)) {
    const name = key.replace("?", "")
    const value = options[name] ?? undefined
    const isLeftOut = value === undefined && key !== name
    if (!isLeftOut && !is(value)) throw invalid(within ? `${within}.${name}` : name, said)
  }
  return options
}

function invalid(name: string, said: string): KeymootError {
  return new KeymootError("invalid-argument", `${name} must be ${said}.`)
}
