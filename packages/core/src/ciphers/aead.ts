/** Bytes of the key, nonce and tag of every data cipher. The wire format fixes them. */
export const AEAD_KEY_BYTES = 32
export const AEAD_NONCE_BYTES = 12
export const AEAD_TAG_BYTES = 16

/** Authenticated encryption under one key. Nonces have 12 bytes. */
export type Aead = {
  /** Returns ciphertext and tag: 16 bytes more than `plaintext`. Never throws on inputs of any length. */
  seal(nonce: Uint8Array, associatedData: Uint8Array, plaintext: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Returns null unless it was sealed with these inputs, also for input of any length. Never throws on peers' bytes. */
  open(
    nonce: Uint8Array,
    associatedData: Uint8Array,
    ciphertext: Uint8Array,
  ): Uint8Array | null | Promise<Uint8Array | null>
  /** Overwrites the key. Neither function is called afterwards. */
  erase(): void
}

/**
 * Cipher of a conference's messages and files. The descriptor pins it.
 *
 * One key must stay secure for 2^33 messages of 256 KiB, each with a random nonce. It must also stay secure for a file
 * of 512 MiB in chunks of 16,320 bytes, whose nonces count from 0.
 */
export type DataCipher = {
  /** Goes into the session id of the key agreement, so members with different ciphers agree on no key. */
  readonly name: string
  /** Copies `key`, which has 32 bytes. The caller overwrites it afterwards. */
  create(key: Uint8Array): Aead
}
