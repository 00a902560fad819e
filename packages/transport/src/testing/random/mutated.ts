import { bytesToHex } from "@noble/hashes/utils.js"
import type { Random } from "./random.ts"

/**
 * Fuzzing input for decoders: noise, or one of `samples` (none empty) with bits or bytes changed, truncated, or with
 * the end of another.
 */
export function mutated(random: Random, samples: readonly Uint8Array[]): Uint8Array {
  if (random.chance(0.1)) return random.bytes(random.integer(120))
  const bytes = Uint8Array.from(random.pick(samples))
  switch (random.integer(4)) {
    case 0:
      bytes[random.integer(bytes.length)]! ^= 1 << random.integer(8)
      return bytes
    case 1:
      for (let i = random.integer(4); i >= 0; i--) bytes[random.integer(bytes.length)] = random.integer(256)
      return bytes
    case 2:
      return bytes.subarray(0, random.integer(bytes.length))
    default: {
      const at = random.integer(bytes.length)
      const other = random.pick(samples)
      return Uint8Array.of(...bytes.subarray(0, at), ...other.subarray(random.integer(other.length)))
    }
  }
}

/**
 * A decoder under test: its samples, and a function that decodes bytes and encodes the result again, or returns null if
 * it refuses them.
 */
export type Decoder = readonly [samples: readonly Uint8Array[], again: (bytes: Uint8Array) => Uint8Array | null]

export function decoder<T>(
  samples: readonly T[],
  encode: (value: T) => Uint8Array,
  decode: (bytes: Uint8Array) => T | null,
): Decoder {
  const again = (bytes: Uint8Array): Uint8Array | null => {
    const value = decode(bytes)
    return value === null ? null : encode(value)
  }
  return [samples.map(encode), again]
}

/**
 * @returns how many of `inputs` random and mutated inputs each decoder accepted.
 * @throws Error for one that it accepts and encodes differently, and any error of a decoder.
 */
export function tryDecoders(
  random: Random,
  decoders: Readonly<Record<string, Decoder>>,
  inputs: number,
): ReadonlyMap<string, number> {
  const names = Object.keys(decoders)
  const all = Object.values(decoders).flatMap(([samples]) => samples)
  const taken = new Map(names.map((name) => [name, 0]))
  for (let i = 0; i < inputs; i++) {
    const name = names[i % names.length]!
    const [samples, again] = decoders[name]!
    const input = mutated(random, random.chance(0.8) ? samples : all)
    const encoded = again(input)
    if (encoded === null) continue
    taken.set(name, taken.get(name)! + 1)
    if (bytesToHex(encoded) !== bytesToHex(input)) throw new Error(`${name}: two encodings of ${bytesToHex(input)}`)
  }
  return taken
}
