import { bufferSource } from "../wire/index.ts"

const ALGORITHM = { name: "HMAC", hash: "SHA-512" } as const
/** Length of key and tag. The tag has the length of the signature that it replaces. */
export const GROUP_TAG_BYTES = 64

/**
 * Authenticates frames in the mode `group`, in place of the sender's signature. A tag proves that some member of the
 * view made the frame.
 */
export class GroupAuthenticator {
  readonly #key: Promise<CryptoKey>

  /** @param key 64 bytes, of one view. Overwritten. */
  constructor(key: Uint8Array) {
    // WebCrypto copies its input before it returns the promise.
    this.#key = crypto.subtle.importKey("raw", bufferSource(key), ALGORITHM, false, ["sign", "verify"])
    key.fill(0)
  }

  async tag(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(ALGORITHM, await this.#key, bufferSource(bytes)))
  }

  async isTag(bytes: Uint8Array, tag: Uint8Array): Promise<boolean> {
    return crypto.subtle.verify(ALGORITHM, await this.#key, bufferSource(tag), bufferSource(bytes))
  }
}
