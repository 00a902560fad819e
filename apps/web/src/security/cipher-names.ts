import type { Cipher } from "@keymoot/core"

/** Names of standards. They are the same in all languages. */
export const CIPHER_NAMES: Readonly<Record<Cipher, string>> = {
  "aes-256-gcm": "AES-256-GCM",
  "chacha20-poly1305": "ChaCha20-Poly1305",
  "aes-256-gcm-siv": "AES-256-GCM-SIV",
}
