import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { type Aead, AEAD_NONCE_BYTES, type DataCipher } from "../ciphers/aead.ts"
import { bufferSource, domainSeparated, equalBytes } from "../wire/index.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS, CHUNK_BYTES, chunksOf, HASH_BYTES } from "./layout.ts"
import type { Ticket } from "./ticket.ts"

const SIZE_BYTES = 8

/** `conferenceId`: hex. `cipher`: of the conference. */
export type FileScope = { readonly conferenceId: string; readonly cipher: DataCipher }

/**
 * Encrypts and decrypts one file, chunk by chunk. The key is for this one file, whose content is fixed before
 * encryption, so a chunk's number is its nonce. The same chunk gets the same ciphertext, and no nonce is used for
 * another plaintext. (`OfferedFile` rejects a file that changes on the disk.)
 */
export class FileCipher {
  readonly #aead: Aead
  readonly #context: Uint8Array

  constructor({ key }: Pick<Ticket, "key">, { conferenceId, cipher }: FileScope) {
    this.#aead = cipher.create(key)
    this.#context = domainSeparated("keymoot v1 file", hexToBytes(conferenceId))
  }

  /** @param content of a whole block, or of the last one */
  async seal(block: number, content: Uint8Array): Promise<Uint8Array> {
    const count = Math.ceil(content.length / CHUNK_BYTES)
    const sealed = Array.from({ length: count }, (_, i) => {
      const chunk = content.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES)
      return this.#aead.seal(nonceOf(block * BLOCK_CHUNKS + i), this.#context, chunk)
    })
    return concatBytes(...(await Promise.all(sealed)))
  }

  /** Returns `null` if a chunk is not what was sealed at this position. */
  async open(block: number, sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> {
    const opened = chunksOf(sealed).map((chunk, i) =>
      this.#aead.open(nonceOf(block * BLOCK_CHUNKS + i), this.#context, chunk),
    )
    const content = new Uint8Array(Math.min(BLOCK_BYTES, sealed.length))
    let length = 0
    for (const chunk of await Promise.all(opened)) {
      if (chunk === null) return null
      content.set(chunk, length)
      length += chunk.length
    }
    return content.slice(0, length)
  }
}

function nonceOf(chunk: number): Uint8Array {
  const nonce = new Uint8Array(AEAD_NONCE_BYTES)
  new DataView(nonce.buffer).setUint32(AEAD_NONCE_BYTES - 4, chunk)
  return nonce
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
