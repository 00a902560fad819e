import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { bufferSource, domainSeparated, equalBytes } from "../wire/index.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS, CHUNK_BYTES, chunksOf, HASH_BYTES } from "./layout.ts"
import type { Ticket } from "./ticket.ts"

const NONCE_BYTES = 12
const SIZE_BYTES = 8

/**
 * Encrypts and decrypts one file: AES-256-GCM per chunk. The key is for this one file, whose content is fixed before
 * encryption, so a chunk's number is its nonce. The same chunk gets the same ciphertext, and no nonce is used for
 * another plaintext. (`OfferedFile` rejects a file that changes on the disk.)
 */
export class FileCipher {
  readonly #key: Promise<CryptoKey>
  readonly #context: Uint8Array

  constructor({ key }: Pick<Ticket, "key">, conferenceId: string) {
    this.#key = crypto.subtle.importKey("raw", bufferSource(key), "AES-GCM", false, ["encrypt", "decrypt"])
    this.#context = domainSeparated("keymoot v1 file", hexToBytes(conferenceId))
  }

  /** @param content of a whole block, or of the last one */
  async seal(block: number, content: Uint8Array): Promise<Uint8Array> {
    const key = await this.#key
    const count = Math.ceil(content.length / CHUNK_BYTES)
    const sealed = Array.from({ length: count }, (_, i) => {
      const chunk = content.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES)
      return crypto.subtle.encrypt(this.#parameters(block * BLOCK_CHUNKS + i), key, bufferSource(chunk))
    })
    return concatBytes(...(await Promise.all(sealed)).map((chunk) => new Uint8Array(chunk)))
  }

  /** Returns `null` if a chunk is not what was sealed at this position. */
  async open(block: number, sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> {
    const key = await this.#key
    const opened = chunksOf(sealed).map((chunk, i) =>
      crypto.subtle.decrypt(this.#parameters(block * BLOCK_CHUNKS + i), key, bufferSource(chunk)),
    )
    const content = new Uint8Array(Math.min(BLOCK_BYTES, sealed.length))
    let length = 0
    try {
      for (const chunk of await Promise.all(opened)) {
        content.set(new Uint8Array(chunk), length)
        length += chunk.byteLength
      }
    } catch {
      return null
    }
    return content.slice(0, length)
  }

  #parameters(chunk: number): AesGcmParams {
    const nonce = new Uint8Array(NONCE_BYTES)
    new DataView(nonce.buffer).setUint32(NONCE_BYTES - 4, chunk)
    return { name: "AES-GCM", iv: nonce, additionalData: bufferSource(this.#context) }
  }
}

/** SHA-256 of each chunk of a sealed block, concatenated. */
export async function hashesOf(sealedBlock: Uint8Array): Promise<Uint8Array> {
  const hashes = chunksOf(sealedBlock).map((chunk) => sha256(chunk))
  return concatBytes(...(await Promise.all(hashes)))
}

/** Whether a sealed block matches the list of hashes. */
export async function isBlockOf(list: Uint8Array, block: number, sealed: Uint8Array): Promise<boolean> {
  const hashes = await hashesOf(sealed)
  const start = block * BLOCK_CHUNKS * HASH_BYTES
  return equalBytes(hashes, list.subarray(start, start + hashes.length))
}

/**
 * Root hash in a ticket. It commits to the file's size and, through the list of hashes, to every sealed chunk at its
 * position.
 */
export function rootOf(sizeBytes: number, list: Uint8Array): Promise<Uint8Array> {
  const size = new Uint8Array(SIZE_BYTES)
  new DataView(size.buffer).setBigUint64(0, BigInt(sizeBytes))
  return sha256(domainSeparated("keymoot v1 file root", size, list))
}

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bufferSource(bytes)))
}
