/**
 * A data cipher from parts that WebCrypto has: AES-256-CTR, then HMAC-SHA-256 over everything (encrypt-then-MAC).
 * It shows the interface. Take a cipher that others have reviewed.
 */
const TAG_BYTES = 16

/** @type {import("@keymoot/core/engine").DataCipher} */
export const aesCtrHmac = {
  name: "own:aes-256-ctr-hmac",
  create: (key) => {
    // A copy: the caller overwrites its array.
    const bytes = key.slice()
    const keys = deriveKeys(bytes)
    return {
      seal: async (nonce, associatedData, plaintext) => {
        const { encrypting, authenticating } = await keys
        const ciphertext = new Uint8Array(await crypto.subtle.encrypt(counterOf(nonce), encrypting, plaintext))
        const authenticated = framed(nonce, associatedData, ciphertext)
        const tag = new Uint8Array(await crypto.subtle.sign("HMAC", authenticating, authenticated))
        return joined(ciphertext, tag.subarray(0, TAG_BYTES))
      },
      open: async (nonce, associatedData, sealed) => {
        const length = sealed.length - TAG_BYTES
        if (length < 0) return null
        const { encrypting, authenticating } = await keys
        const ciphertext = sealed.slice(0, length)
        const authenticated = framed(nonce, associatedData, ciphertext)
        const expected = new Uint8Array(await crypto.subtle.sign("HMAC", authenticating, authenticated))
        if (!isEqual(expected.subarray(0, TAG_BYTES), sealed.subarray(length))) return null
        return new Uint8Array(await crypto.subtle.decrypt(counterOf(nonce), encrypting, ciphertext))
      },
      // The browser owns its own copy, which no script can read.
      erase: () => void bytes.fill(0),
    }
  },
}

/** Two keys, because one key must not serve two algorithms. */
async function deriveKeys(bytes) {
  const secret = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"])
  const derive = (info, type, uses) => {
    const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(info) }
    return crypto.subtle.deriveKey(parameters, secret, type, false, uses)
  }
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 }
  const [encrypting, authenticating] = await Promise.all([
    derive("own-modules encrypt", { name: "AES-CTR", length: 256 }, ["encrypt", "decrypt"]),
    derive("own-modules authenticate", hmac, ["sign"]),
  ])
  return { encrypting, authenticating }
}

/** The nonce in front of a counter of 32 bits. */
function counterOf(nonce) {
  const counter = new Uint8Array(16)
  counter.set(nonce)
  return { name: "AES-CTR", counter, length: 32 }
}

/** The length of the associated data comes first, so no byte can move between it and the ciphertext. */
function framed(nonce, associatedData, ciphertext) {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, associatedData.length)
  return joined(nonce, length, associatedData, ciphertext)
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Its time does not depend on the place of a difference. */
function isEqual(a, b) {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i]
  return difference === 0
}
