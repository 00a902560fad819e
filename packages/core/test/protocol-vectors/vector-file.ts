import { bytesToHex } from "@noble/hashes/utils.js"

/** A value with byte strings, which JSON shows in hex. */
export type Shown =
  string | number | boolean | null | Uint8Array | readonly Shown[] | { readonly [name: string]: Shown }

/** `about`: what the vectors show. `see`: the section of the document that defines it. */
export type VectorFile = {
  readonly name: string
  readonly about: string
  readonly see: string
  readonly vectors: readonly Shown[]
}

export function textOf({ about, see, vectors }: VectorFile): string {
  return `${JSON.stringify(inHex({ about, see, vectors }), null, 1)}\n`
}

function inHex(value: Shown): unknown {
  if (value instanceof Uint8Array) return bytesToHex(value)
  if (Array.isArray(value)) return value.map(inHex)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inHex(inner)]))
}
