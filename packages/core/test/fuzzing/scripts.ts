import { concatBytes } from "@noble/hashes/utils.js"

/** Length in front of each message of a script. */
const LENGTH_BYTES = 2

/** The messages of a script: each is a length (2) and so many bytes, or fewer at the end. */
export function messagesIn(script: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at + LENGTH_BYTES <= script.length;) {
    const length = script[at]! * 0x100 + script[at + 1]!
    messages.push(script.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length))
    at += LENGTH_BYTES + length
  }
  return messages
}

export function scriptOf(head: readonly number[], messages: readonly Uint8Array[]): Uint8Array {
  const parts = messages.flatMap((bytes) => [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes])
  return concatBytes(Uint8Array.from(head), ...parts)
}
