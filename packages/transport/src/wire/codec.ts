/**
 * The field types of all messages, on top of micro-packed. All lengths are bounded before anything is allocated, so
 * that a hostile length costs nothing.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { CERTIFICATE_BYTES_MAX } from "../bounds/network-bounds.ts"
import { MEMBER_ID_BYTES, memberIdFromBytes, memberIdToBytes, type MemberId } from "../members/ids.ts"

/** 32 bytes as 64 hex digits. */
export type ViewId = string & { readonly __brand: "ViewId" }

export const memberId: P.CoderType<MemberId> = P.apply(P.bytes(MEMBER_ID_BYTES), {
  encode: (bytes: Uint8Array) => memberIdFromBytes(bytes),
  decode: (id: MemberId) => memberIdToBytes(id),
})

/** View id of frames that belong to no view. */
export const NO_VIEW = "0".repeat(64) as ViewId

export const viewId: P.CoderType<ViewId> = P.apply(P.bytes(32), {
  encode: (bytes: Uint8Array) => bytesToHex(bytes) as ViewId,
  decode: (id: ViewId) => hexToBytes(id),
})

/** Unsigned integer up to 2^53-1 in 8 bytes. */
export const safeInteger: P.CoderType<number> = P.validate(
  P.apply(P.U64BE, {
    encode: (value: bigint) => Number(value),
    decode: (value: number) => BigInt(value),
  }),
  (value) => {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("not a safe unsigned integer")
    return value
  },
)

export const certificateBytes: P.CoderType<Uint8Array> = P.validate(P.bytes(P.U16BE), (value) => {
  if (value.length === 0 || value.length > CERTIFICATE_BYTES_MAX)
    throw new RangeError("a certificate's length is out of bounds")
  return value
})

/** One byte, the index in the list. */
export function oneOf<T extends string>(names: readonly T[]): P.CoderType<T> {
  return P.apply(P.U8, {
    encode: (index: number) => {
      const name = names[index]
      if (name === undefined) throw new RangeError(`unknown tag ${index}`)
      return name
    },
    decode: (name: T) => names.indexOf(name),
  })
}

/** A list with a two-byte count of at most `max` elements. */
export function list<T>(max: number, element: P.CoderType<T>): P.CoderType<readonly T[]> {
  return P.array(bounded(P.U16BE, max), element) as unknown as P.CoderType<readonly T[]>
}

/**
 * A list of at most `max` elements of which most are `empty`: its length, then place and value of the others,
 * ascending.
 */
export function sparseList<T>(
  max: number,
  element: P.CoderType<T>,
  empty: T,
  isEmpty: (value: T) => boolean,
): P.CoderType<readonly T[]> {
  type Given = { readonly place: number; readonly value: T }
  const given = list(max, P.struct({ place: P.U16BE, value: element }) as unknown as P.CoderType<Given>)
  const canonical = P.validate(P.struct({ length: bounded(P.U16BE, max), given }), (parts) => {
    for (const [i, { place, value }] of parts.given.entries()) {
      const follows = i === 0 || parts.given[i - 1]!.place < place
      if (!follows || place >= parts.length || isEmpty(value)) throw new RangeError("not a canonical sparse list")
    }
    return parts
  })
  return P.apply(canonical, {
    encode: ({ length, given: values }): readonly T[] => {
      const all = Array.from({ length }, () => empty)
      for (const { place, value } of values) all[place] = value
      return all
    },
    decode: (all: readonly T[]) => ({
      length: all.length,
      given: all.flatMap((value, place) => (isEmpty(value) ? [] : [{ place, value }])),
    }),
  })
}

/** Bytes with a four-byte length of at most `max`. */
export function byteString(max: number): P.CoderType<Uint8Array> {
  return P.bytes(bounded(P.U32BE, max))
}

/** A length or a number of at most `max`. */
export function bounded(length: P.CoderType<number>, max: number): P.CoderType<number> {
  return P.validate(length, (value) => {
    if (value > max) throw new RangeError(`length ${value} above ${max}`)
    return value
  })
}

/**
 * Messages that their first byte tells apart, as objects that have its name in the field `tag`. An absent optional field
 * is `null`. `variants`: as of `P.mappedTag`, structs only.
 */
export function tagged<Message extends object>(tag: string, variants: object): P.CoderType<Message> {
  type Coded = { readonly TAG: unknown; readonly data: Record<string, unknown> }
  return P.apply(P.mappedTag(P.U8, variants as never) as unknown as P.CoderType<Coded>, {
    encode: ({ TAG, data }: Coded) => ({ [tag]: TAG, ...replaced(data, undefined, null) }) as unknown as Message,
    decode: (message: Message) => {
      const { [tag]: TAG, ...data } = message as Record<string, unknown>
      return { TAG, data: replaced(data, null, undefined) }
    },
  })
}

/** `fields`: of the caller. */
function replaced(fields: Record<string, unknown>, from: unknown, to: unknown): Record<string, unknown> {
  for (const name in fields) if (fields[name] === from) fields[name] = to
  return fields
}

/** Decodes a peer's bytes. Null unless they are exactly one well-formed value. */
export function tryDecode<T>(coder: P.CoderType<T>, bytes: Uint8Array): T | null {
  try {
    return coder.decode(bytes)
  } catch {
    return null
  }
}
