export { type Aead, AEAD_KEY_BYTES, AEAD_NONCE_BYTES, AEAD_TAG_BYTES, type DataCipher } from "./aead.ts"
export { aesGcm, aesGcmUnder } from "./aes-gcm.ts"
export { loadCipher } from "./load-cipher.ts"
