import type { HopCipher } from "@keymoot/transport"
import type { Cipher } from "../api/index.ts"
import type { DataCipher } from "./aead.ts"
import { aesGcm } from "./aes-gcm.ts"
import { chacha20Poly1305 } from "./chacha20-poly1305.ts"

/** @param chacha implementation of ChaCha20-Poly1305 */
export async function loadCipher(name: Cipher, chacha: HopCipher): Promise<DataCipher> {
  switch (name) {
    case "aes-256-gcm":
      return aesGcm
    case "chacha20-poly1305":
      return chacha20Poly1305(chacha)
    case "aes-256-gcm-siv":
      return (await import("./aes-gcm-siv.ts")).aesGcmSiv
  }
}
