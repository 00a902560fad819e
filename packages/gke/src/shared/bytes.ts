import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { ByteFiller } from "./byte-layout.ts"
import { KeyAgreementError } from "./errors.ts"

/** Not in constant time: for public values only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** In time that depends on the lengths alone, which are public. */
export function equalSecretBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!
  return difference === 0
}

/** In time that depends on the length alone. */
export function isZero(bytes: Uint8Array): boolean {
  let bits = 0
  for (let i = 0; i < bytes.length; i++) bits |= bytes[i]!
  return bits === 0
}

/**
 * Zeros for a secret, which stays at one address until it is overwritten. V8 keeps up to 64 bytes of an ordinary array
 * inside its heap. It moves them, also out of the heap when their `buffer` is used, and does not overwrite the old
 * location. Ciphers and hashes use it.
 */
export function secretBytes(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length))
}

/** A copy at one address. */
export function copySecret<Secret extends Uint8Array>(secret: Secret): Secret {
  const copy = secretBytes(secret.length)
  copy.set(secret)
  return copy as Secret
}

/** Concatenates secrets at one address. */
export function joinSecrets(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = secretBytes(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Moves a secret to one address. Overwrites the original. */
export function settleSecret(secret: Uint8Array): Uint8Array {
  const copy = copySecret(secret)
  secret.fill(0)
  return copy
}

/** Lexicographic, as unsigned bytes; a prefix comes first. For public values only. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length)
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

export function u32(value: number): Uint8Array {
  return new ByteFiller(4).u32(value).done()
}

/** `value` must be a non-negative safe integer. */
export function u64(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new KeyAgreementError("bad-input", "give a non-negative safe integer")
  return new ByteFiller(8).u64(value).done()
}

type Updatable = { update(bytes: Uint8Array): unknown }

/** Feeds each field with its length in front, so that no two lists of fields feed the same bytes. */
export function updateFields(hash: Updatable, fields: readonly (Uint8Array | string)[]): void {
  for (const field of fields) {
    const bytes = typeof field === "string" ? utf8ToBytes(field) : field
    hash.update(u32(bytes.length))
    hash.update(bytes)
  }
}

/** SHA-256 of the fields. The caller settles it if it is secret. */
export function hashFields(...fields: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = sha256.create()
  updateFields(hash, fields)
  return hash.digest()
}

/** @throws KeyAgreementError `bad-input` */
export function requireLength(what: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new KeyAgreementError("bad-input", `${what} must have ${length} bytes`)
}
