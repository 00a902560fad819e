import { memberIdToBytes, type MemberId } from "@keymoot/transport"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { digest as sha256 } from "lib0/hash/sha256"
import { KeymootError } from "../api/index.ts"
import {
  ByteReader,
  ByteWriter,
  decodeOrNull,
  domainSeparated,
  expectVersion,
  fromBase64url,
  type Layout,
  toBase64url,
} from "../wire/index.ts"
import { FILE_BYTES_MAX } from "./layout.ts"

export const FILE_ID_BYTES = 16
/** UTF-8. */
export const FILE_NAME_BYTES_MAX = 255
const TYPE_CHARACTERS_MAX = 127
const TICKET_CHARACTERS_MAX = 1024
const TICKET_PREFIX = "keymoot-file:"
const MEMBER_ID = /^[0-9a-f]{32}$/u

/**
 * Description of an offered file: everything needed to fetch and verify it. It is sent as a message, so it is
 * encrypted, signed and transferred to newcomers like any message. Without it nobody can decrypt the file.
 *
 * It names neither owner nor id. The owner is the authenticated author of the message with the ticket, and the id
 * follows from owner and ticket (`Ticket`). So nobody can describe another file under an existing id.
 */
export type FileDescription = {
  /** 32 bytes, for this file only. */
  readonly key: Uint8Array
  /** SHA-256 of the size and the hashes of all sealed chunks (`rootOf`). */
  readonly root: Uint8Array
  readonly sizeBytes: number
  /** Safe to show and to save under: see `safeFileName`. */
  readonly name: string
  /** Media type as guessed by its owner's system, or empty. It is unverified. */
  readonly type: string
}

/** A ticket from a message of its owner. */
export type Ticket = FileDescription & {
  /** Hex, 32 digits: SHA-256 of conference, owner and the whole description, truncated to 16 bytes. */
  readonly file: string
  readonly owner: MemberId
}

/** Origin of a ticket. `owner`: the authenticated author of the message with the ticket. */
export type TicketSource = { readonly conferenceId: string; readonly owner: MemberId }

/** A ticket from an application: `ticket` is the text, `owner` as in `TicketSource`. */
export type OwnedTicket = { readonly ticket: string; readonly owner: MemberId }

const VERSION = 2
const KEY_BYTES = 32

const coder: Layout<FileDescription> = {
  encode(description) {
    const { key, root, sizeBytes, name, type } = checked(description)
    return new ByteWriter().uint(VERSION, 1).bytes(key).bytes(root).uint(sizeBytes, 8).text(name).text(type).done()
  },
  decode(bytes) {
    const reader = new ByteReader(bytes)
    expectVersion(reader, VERSION)
    const [key, root] = [reader.bytes(KEY_BYTES), reader.bytes(KEY_BYTES)]
    const description = { key, root, sizeBytes: reader.uint(8), name: reader.text(), type: reader.text() }
    reader.end()
    return checked(description)
  },
}

/** @throws RangeError for a description that no member makes */
function checked(description: FileDescription): FileDescription {
  const { key, root, sizeBytes, name, type } = description
  if (key.length !== KEY_BYTES || root.length !== KEY_BYTES) throw new RangeError("a key or root of another length")
  if (sizeBytes < 1 || sizeBytes > FILE_BYTES_MAX) throw new RangeError("the file size is out of bounds")
  if (name !== safeFileName(name)) throw new RangeError("the file name is not safe to show")
  if (type !== safeType(type)) throw new RangeError("the media type is malformed")
  return description
}

export function formatTicket({ key, root, sizeBytes, name, type }: FileDescription): string {
  return TICKET_PREFIX + toBase64url(coder.encode({ key, root, sizeBytes, name, type }))
}

/** @throws KeymootError `invalid-argument` */
export function parseTicket(text: string, { conferenceId, owner }: TicketSource): Ticket {
  if (!MEMBER_ID.test(owner)) {
    throw new KeymootError("invalid-argument", "The owner is the id of the message's author (`message.from.id`).")
  }
  const description = typeof text === "string" ? decode(text) : null
  if (description) return ticketOf(description, { conferenceId, owner })
  throw new KeymootError(
    "invalid-argument",
    "This is no file ticket. Give the text that `files.offer` made, unchanged.",
  )
}

export function ticketOf({ key, root, sizeBytes, name, type }: FileDescription, source: TicketSource): Ticket {
  const description = { key, root, sizeBytes, name, type }
  const parts = [hexToBytes(source.conferenceId), memberIdToBytes(source.owner), coder.encode(description)]
  const digest = sha256(domainSeparated("keymoot v1 file id", ...parts))
  return { ...description, file: bytesToHex(digest.subarray(0, FILE_ID_BYTES)), owner: source.owner }
}

/** Returns the name of the file that a message's text offers; null if the text is no ticket. */
export function offeredFileName(text: string): string | null {
  return decode(text)?.name ?? null
}

function decode(text: string): FileDescription | null {
  if (!text.startsWith(TICKET_PREFIX) || text.length > TICKET_CHARACTERS_MAX) return null
  const bytes = fromBase64url(text.slice(TICKET_PREFIX.length))
  return bytes && decodeOrNull(coder, bytes)
}

/**
 * Returns the name without parts that deceive people or file systems: directories, control characters, and direction
 * marks ("gpj.exe" for "exe.jpg"). A safe name is returned unchanged, because `checked` compares with it.
 */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? ""
  const shown = last.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu, "").normalize("NFC")
  const kept = shown.replace(/^[.\s]+/u, "").replace(/[.\s]+$/u, "")
  return shorten(kept === "" ? "file" : kept)
}

/** Shortens a name to `FILE_NAME_BYTES_MAX` and keeps its extension. */
function shorten(name: string): string {
  const bytes = (text: string): number => utf8ToBytes(text).length
  if (bytes(name) <= FILE_NAME_BYTES_MAX) return name
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ""
  const stem = Array.from(name.slice(0, name.length - ending.length))
  while (bytes(stem.join("") + ending) > FILE_NAME_BYTES_MAX) stem.pop()
  return stem.join("").replace(/[.\s]+$/u, "") + ending
}

/** Returns a media type without parameters, or empty if it is invalid. */
export function safeType(type: string): string {
  const essence = (type.split(";")[0] ?? "").trim().toLowerCase()
  const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/u.test(essence)
  return wellFormed && essence.length <= TYPE_CHARACTERS_MAX ? essence : ""
}
