import { memberIdFromBytes, memberIdToBytes, MEMBER_ID_BYTES, type MemberId } from "@keymoot/transport"
import { base64urlnopad } from "@scure/base"
import * as P from "micro-packed"
import { KeymootError } from "../api.ts"
import { decodeOrNull, hexId, U64, versionByte } from "../wire/index.ts"
import { FILE_BYTES_MAX } from "./layout.ts"

export const FILE_ID_BYTES = 16
/** UTF-8. */
export const FILE_NAME_BYTES_MAX = 255
const TYPE_CHARACTERS_MAX = 127
const TICKET_CHARACTERS_MAX = 1024
const TICKET_PREFIX = "keymoot-file:"

/**
 * What whoever offers a file tells the others: all that is needed to fetch and to check it. It travels as a message like
 * any other, so it is encrypted, signed and handed to newcomers as those are; who has not got it can make nothing of the file.
 */
export type Ticket = {
  /** Hex, 32 digits, random. */
  readonly file: string
  readonly owner: MemberId
  /** 32 bytes; of this file alone. */
  readonly key: Uint8Array
  /** SHA-256 over size and the hashes of all sealed chunks (`rootOf`). */
  readonly root: Uint8Array
  readonly sizeBytes: number
  /** Safe to show and to save under: see `safeFileName`. */
  readonly name: string
  /** A media type as its owner's system guessed it, or empty. Claims nothing about the content. */
  readonly type: string
}

const owner: P.CoderType<MemberId> = P.apply(P.bytes(MEMBER_ID_BYTES), {
  encode: (bytes: Uint8Array) => memberIdFromBytes(bytes),
  decode: (id: MemberId) => memberIdToBytes(id),
})

const coder: P.CoderType<Ticket & { version?: undefined }> = P.struct({
  version: versionByte(1),
  file: hexId(FILE_ID_BYTES),
  owner,
  key: P.bytes(32),
  root: P.bytes(32),
  sizeBytes: P.validate(U64, (size) => {
    if (size < 1 || size > FILE_BYTES_MAX) throw new RangeError("an empty file, or one over the bound")
    return size
  }),
  name: P.validate(P.string(P.U8), (name) => {
    if (name !== safeFileName(name)) throw new RangeError("a name that is not fit to be shown")
    return name
  }),
  type: P.validate(P.string(P.U8), (type) => {
    if (type !== safeType(type)) throw new RangeError("no media type")
    return type
  }),
})

export function formatTicket(ticket: Ticket): string {
  return TICKET_PREFIX + base64urlnopad.encode(coder.encode(ticket))
}

/** @throws KeymootError `invalid-argument` */
export function parseTicket(text: string): Ticket {
  const ticket = text.startsWith(TICKET_PREFIX) && text.length <= TICKET_CHARACTERS_MAX ? decode(text) : null
  if (ticket) return ticket
  throw new KeymootError(
    "invalid-argument",
    "This is no file ticket. Give the text that `files.offer` made, unchanged.",
  )
}

function decode(text: string): Ticket | null {
  try {
    return decodeOrNull(coder, base64urlnopad.decode(text.slice(TICKET_PREFIX.length)))
  } catch {
    return null
  }
}

/**
 * The name without what deceives the eye or a file system: directories, control characters, and marks that change the
 * direction of text ("gpj.exe" for "exe.jpg").
 */
export function safeFileName(name: string): string {
  const last = name.normalize("NFC").split(/[/\\]/u).at(-1) ?? ""
  const shown = last.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu, "").trim()
  const kept = shown.replace(/^\.+/u, "").replace(/[. ]+$/u, "")
  return shorten(kept === "" ? "file" : kept)
}

/** At most `FILE_NAME_BYTES_MAX`, the ending kept. */
function shorten(name: string): string {
  const bytes = (text: string): number => new TextEncoder().encode(text).length
  if (bytes(name) <= FILE_NAME_BYTES_MAX) return name
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ""
  const stem = Array.from(name.slice(0, name.length - ending.length))
  while (bytes(stem.join("") + ending) > FILE_NAME_BYTES_MAX) stem.pop()
  return stem.join("").replace(/[. ]+$/u, "") + ending
}

/** A media type without parameters, or empty for what is none. */
export function safeType(type: string): string {
  const essence = (type.split(";")[0] ?? "").trim().toLowerCase()
  const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/u.test(essence)
  return wellFormed && essence.length <= TYPE_CHARACTERS_MAX ? essence : ""
}
