/** Characters. An honest index grows by a character for about six insertions at one place. */
const INDEX_LENGTH_MAX = 200

const DIGITS = /^[0-9A-Za-z]+$/
/** The one integer part that has no predecessor; `generateKeyBetween` refuses it. */
const SMALLEST_INTEGER = `A${"0".repeat(26)}`

/**
 * Validates a key of the package `fractional-indexing`: base 62, case-sensitive. The first letter gives the length of
 * the integer part, and the fraction after it does not end in zero. Excalidraw throws on any other key while it orders
 * elements, and then nobody can draw. Returns null for an invalid or too long key: the element is then put on top.
 */
export function readFractionalIndex(value: unknown): string | null {
  if (typeof value !== "string" || value.length > INDEX_LENGTH_MAX || !DIGITS.test(value)) return null
  const integerLength = integerPartLength(value.charCodeAt(0))
  if (integerLength === null || value.length < integerLength) return null
  if (value === SMALLEST_INTEGER) return null
  return value.length > integerLength && value.endsWith("0") ? null : value
}

/** a has 2 characters … z 27, Z 2 … A 27. */
function integerPartLength(head: number): number | null {
  const isLower = head >= 97 && head <= 122
  const isUpper = head >= 65 && head <= 90
  if (isLower) return head - 97 + 2
  return isUpper ? 90 - head + 2 : null
}
