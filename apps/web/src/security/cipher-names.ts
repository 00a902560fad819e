import { type Cipher, type ConferenceHandle, isOwnModule } from "@keymoot/core"

/** Names of standards. They are the same in all languages. */
export const CIPHER_NAMES: Readonly<Record<Cipher, string>> = {
  "aes-256-gcm": "AES-256-GCM",
  "chacha20-poly1305": "ChaCha20-Poly1305",
  "aes-256-gcm-siv": "AES-256-GCM-SIV",
}

/** The app has no modules of its own. The name of one is shown as it is. */
export function cipherName(cipher: ConferenceHandle["cipher"]): string {
  return isOwnModule(cipher) ? cipher : CIPHER_NAMES[cipher]
}
