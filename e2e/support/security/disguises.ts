/** Shorter than this, base64 of a text's middle would be found by chance. */
const PATTERN_CHARACTERS_MIN = 6

export type Disguise = { readonly how: string; readonly pattern: Buffer }

/** The ways in which a text could stand in a stream of bytes without being encrypted. */
export function disguisesOfText(text: string): Disguise[] {
  const littleEndian = Buffer.from(text, "utf16le")
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[^\x20-\x7e]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
  return [
    ...disguisesOfBytes(Buffer.from(text)),
    ...disguisesOfBytes(littleEndian).map(({ how, pattern }) => ({ how: `UTF-16LE ${how}`, pattern })),
    { how: "UTF-16BE", pattern: Buffer.from(littleEndian).swap16() },
    { how: "percent-encoded", pattern: Buffer.from(encodeURIComponent(text)) },
    { how: "escaped", pattern: Buffer.from(escaped) },
  ]
}

/** Plain, hexadecimal, and base64 at each offset that the bytes can have in the three-byte groups of a longer text. */
export function disguisesOfBytes(bytes: Buffer): Disguise[] {
  const hex = bytes.toString("hex")
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replaceAll("=", "")
    // Characters that also hold bits of neighbours are left out.
    const begin = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    return encoded.slice(begin, end)
  })
  return [
    { how: "plain", pattern: bytes },
    { how: "hex", pattern: Buffer.from(hex) },
    { how: "HEX", pattern: Buffer.from(hex.toUpperCase()) },
    ...base64.flatMap((pattern) => [
      { how: "base64", pattern: Buffer.from(pattern) },
      { how: "base64url", pattern: Buffer.from(pattern.replaceAll("+", "-").replaceAll("/", "_")) },
    ]),
  ].filter(({ pattern }) => pattern.length >= PATTERN_CHARACTERS_MIN)
}

/** Which disguises stand somewhere in the streams. */
export function findDisguises(streams: readonly Buffer[], disguises: readonly Disguise[]): string[] {
  const found = disguises.filter(({ pattern }) => streams.some((stream) => stream.includes(pattern)))
  return [...new Set(found.map(({ how }) => how))]
}
