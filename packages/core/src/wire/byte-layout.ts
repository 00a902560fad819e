/**
 * Formats that a page reads and writes itself. They are laid out by hand, since micro-packed, which declares the other
 * formats, is a tenth of what a page loads.
 */
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"

const HEX = /^(?:[0-9a-f]{2})*$/u

/** Writes a format from front to back. Numbers are big-endian. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = []

  /** `value`: an integer below 2^(8 * length), at most 2^53 - 1. @throws RangeError */
  uint(value: number, length: number): this {
    if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** (8 * length))
      throw new RangeError("the integer is out of range")
    const bytes = new Uint8Array(length)
    for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256
    return this.bytes(bytes)
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes)
    return this
  }

  /** `digits`: 2 * length lower-case hex digits. @throws RangeError */
  hex(digits: string, length: number): this {
    if (digits.length !== 2 * length || !HEX.test(digits)) throw new RangeError(`expected ${2 * length} hex digits`)
    return this.bytes(hexToBytes(digits))
  }

  /** UTF-8 with its length in one byte. @throws RangeError */
  text(text: string): this {
    const bytes = utf8ToBytes(text)
    return this.uint(bytes.length, 1).bytes(bytes)
  }

  done(): Uint8Array {
    return concatBytes(...this.#parts)
  }
}

/** Reads a peer's bytes from front to back. Every method throws a RangeError or TypeError for bytes that do not fit. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** At most 2^53 - 1. */
  uint(length: number): number {
    const value = this.bytes(length).reduce((sum, byte) => sum * 256 + byte, 0)
    if (!Number.isSafeInteger(value)) throw new RangeError("an integer above 2^53 - 1")
    return value
  }

  /** Aliases the input. */
  bytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new RangeError("too few bytes")
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  hex(length: number): string {
    return bytesToHex(this.bytes(length))
  }

  text(): string {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.bytes(this.uint(1)))
  }

  /** All bytes that are left; they alias the input. */
  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#at)
  }

  end(): void {
    if (this.#at < this.#bytes.length) throw new RangeError("too many bytes")
  }
}

/** A format with both directions; `decode` may throw for a peer's bytes. */
export type Layout<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T }

/** One byte that must have this value; another value is an unknown version. @throws RangeError */
export function expectVersion(reader: ByteReader, version: number): void {
  if (reader.uint(1) !== version) throw new RangeError("the version of the format is unknown")
}

/**
 * The boundary where a peer's bytes or text stop being able to throw: `null` for whatever the coder refuses, trailing
 * bytes included. Byte fields of the result may alias the input.
 */
export function decodeOrNull<T, I = Uint8Array>(coder: { decode(input: I): T }, input: I): T | null {
  try {
    return coder.decode(input)
  } catch {
    return null
  }
}
