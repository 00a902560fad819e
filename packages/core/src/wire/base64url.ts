/**
 * Base64url (RFC 4648, section 5) without padding, of at most a few kilobytes. The page uses it, and `@scure/base`
 * would be more than a kilobyte of its download.
 */

export function toBase64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** The only bytes with this encoding; null if there are none. */
export function fromBase64url(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0))
    // `atob` also accepts white space, padding, the other alphabet and spare bits.
    return toBase64url(bytes) === text ? bytes : null
  } catch {
    return null
  }
}
