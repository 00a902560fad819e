/**
 * Hand-written wire formats, for those that are encoded or decoded hundreds of times in a view. Declared with
 * micro-packed, as the others are, they take several times as long.
 */
import { unreachable } from "./errors.ts"
import { MEMBER_ID_BYTES, type MemberId } from "./member-id.ts"

/** Fills a buffer of known length from front to back. */
export class ByteFiller {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(length: number) {
    this.#bytes = new Uint8Array(length)
  }

  u8(value: number): this {
    this.#bytes[this.#at++] = value
    return this
  }

  u16(value: number): this {
    return this.u8(value >>> 8).u8(value)
  }

  u32(value: number): this {
    const at = this.#at
    this.#bytes[at] = value >>> 24
    this.#bytes[at + 1] = value >>> 16
    this.#bytes[at + 2] = value >>> 8
    this.#bytes[at + 3] = value
    this.#at = at + 4
    return this
  }

  /** `value`: a non-negative safe integer. */
  u64(value: number): this {
    return this.u32(Math.floor(value / 2 ** 32)).u32(value)
  }

  memberId(id: MemberId): this {
    const at = this.#at
    for (let i = 0; i < MEMBER_ID_BYTES; i++) {
      this.#bytes[at + i] = (hexDigit(id.charCodeAt(2 * i)) << 4) | hexDigit(id.charCodeAt(2 * i + 1))
    }
    this.#at = at + MEMBER_ID_BYTES
    return this
  }

  put(bytes: Uint8Array): this {
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.length
    return this
  }

  /** The buffer, which must be full. */
  done(): Uint8Array {
    return this.#at === this.#bytes.length ? this.#bytes : unreachable("a buffer is as long as what it holds")
  }
}

/** The value of a lower-case digit. */
function hexDigit(charCode: number): number {
  return charCode <= 0x39 ? charCode - 0x30 : charCode - 0x57
}

/** Reads a peer's bytes from front to back. Throws where there are too few or too many: to be used inside `attempt`. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** @throws RangeError */
  u8(): number {
    return this.#bytes[this.#take(1)]!
  }

  /** @throws RangeError */
  u16(): number {
    return this.u8() * 0x100 + this.u8()
  }

  /** @throws RangeError */
  u32(): number {
    return this.u16() * 0x10000 + this.u16()
  }

  /** @throws RangeError also on what is no safe integer */
  u64(): number {
    const value = this.u32() * 2 ** 32 + this.u32()
    if (!Number.isSafeInteger(value)) throw new RangeError("number too large")
    return value
  }

  /** A view of them, no copy. @throws RangeError */
  bytes(length: number): Uint8Array {
    const at = this.#take(length)
    return this.#bytes.subarray(at, at + length)
  }

  /** @throws RangeError if anything is left */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new RangeError("bytes left over")
  }

  #take(count: number): number {
    const at = this.#at
    if (at + count > this.#bytes.length) throw new RangeError("too few bytes")
    this.#at = at + count
    return at
  }
}
