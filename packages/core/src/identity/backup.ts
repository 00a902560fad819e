/**
 * Identity backup: a file encrypted with a passphrase: magic ‖ version ‖ salt ‖ sealed ‖ checksum.
 *
 * The version also determines the cipher and the cost of the passphrase hash. So a modified file can neither weaken the
 * hash nor make an import use all memory. The checksum tells a damaged file from a wrong passphrase, which a cipher
 * cannot. It protects nothing.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { KeymootError } from "../api/index.ts"
import { open, seal, SEAL_OVERHEAD_BYTES } from "../ciphers/sealing.ts"
import { decodeOrNull, equalBytes } from "../wire/index.ts"
import { isValidName, NAME_CODE_POINTS_MAX } from "./certificates/name.ts"

const MAGIC = utf8ToBytes("keymoot identity")
const VERSION = 1
const SALT_BYTES = 16
const CHECKSUM_BYTES = 8
const KEY_BYTES = 32
/**
 * Argon2id (RFC 9106), 1 lane: 3 passes over 128 MiB, twice the memory of the second recommended choice. It takes 0.4 s
 * on a laptop and fits into the WebAssembly memory of a phone's browser.
 */
const ARGON2ID = { passes: 3, memoryBytes: 128 * 1024 * 1024 }
/** Minimum in code points. A finder of the file may try passphrases for years. */
export const PASSPHRASE_LENGTH_MIN = 12

const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES
const CONTENT_BYTES_MAX = 2 * KEY_BYTES + 1 + 4 * NAME_CODE_POINTS_MAX
/** Larger files are rejected unread. */
export const BACKUP_BYTES_MAX = HEADER_BYTES + SEAL_OVERHEAD_BYTES + CONTENT_BYTES_MAX + CHECKSUM_BYTES

/** `seed`: the private key of RFC 8032, 32 bytes. `publicKey`: raw, 32 bytes. */
export type BackupContent = { readonly seed: Uint8Array; readonly publicKey: Uint8Array; readonly name: string }

const content: P.CoderType<BackupContent> = P.struct({
  seed: P.bytes(KEY_BYTES),
  publicKey: P.bytes(KEY_BYTES),
  name: P.string(P.U8),
})

/** @throws KeymootError `invalid-argument` (a passphrase below 12 characters) */
export async function sealBackup(backup: BackupContent, passphrase: string): Promise<Uint8Array> {
  if ([...normalized(passphrase)].length < PASSPHRASE_LENGTH_MIN) {
    const message = `Choose a passphrase of at least ${PASSPHRASE_LENGTH_MIN} characters, such as four words that nobody would guess.`
    throw new KeymootError("invalid-argument", message)
  }
  const header = concatBytes(MAGIC, Uint8Array.of(VERSION), randomBytes(SALT_BYTES))
  const plaintext = content.encode(backup)
  const key = await keyOf(passphrase, header)
  const bytes = concatBytes(header, await seal(key, header, plaintext))
  key.fill(0)
  plaintext.fill(0)
  return concatBytes(bytes, checksumOf(bytes))
}

/** @throws KeymootError `damaged-backup`, `newer-backup`, `wrong-passphrase` */
export async function openBackup(file: Uint8Array, passphrase: string): Promise<BackupContent> {
  if (file.length <= HEADER_BYTES || !equalBytes(file.subarray(0, MAGIC.length), MAGIC)) throw damaged()
  if (file[MAGIC.length]! > VERSION) {
    throw new KeymootError("newer-backup", "This backup was made by a newer version. Update Keymoot and try again.")
  }
  const bytes = file.subarray(0, -CHECKSUM_BYTES)
  const isWhole = file.length <= BACKUP_BYTES_MAX && file[MAGIC.length] === VERSION
  if (!isWhole || !equalBytes(file.subarray(-CHECKSUM_BYTES), checksumOf(bytes))) throw damaged()
  const header = bytes.subarray(0, HEADER_BYTES)
  const key = await keyOf(passphrase, header)
  const plaintext = await open(key, header, bytes.subarray(HEADER_BYTES))
  key.fill(0)
  if (!plaintext) {
    throw new KeymootError("wrong-passphrase", "This is not the passphrase of this backup. Try another one.")
  }
  const decoded = decodeOrNull(content, plaintext)
  if (!decoded || !isValidName(decoded.name)) throw damaged()
  return decoded
}

async function keyOf(passphrase: string, header: Uint8Array): Promise<Uint8Array> {
  // Loaded on demand: it is as large as all other code together. The engine has it already for the key agreement.
  const { default: sodium } = await import("libsodium-wrappers-sumo")
  await sodium.ready
  const { libsodium: compiled } = sodium as unknown as { readonly libsodium: CompiledSodium }
  const secret = utf8ToBytes(normalized(passphrase))
  const inputs = concatBytes(secret, header.subarray(-SALT_BYTES))
  // libsodium's wrapper would free its copies of passphrase and key without overwriting them.
  const at = compiled._malloc(KEY_BYTES + inputs.length)
  const [secretAt, end] = [at + KEY_BYTES, at + KEY_BYTES + inputs.length]
  compiled.HEAPU8.set(inputs, secretAt)
  const { passes, memoryBytes } = ARGON2ID
  const algorithm = sodium.crypto_pwhash_ALG_ARGON2ID13
  const saltAt = end - SALT_BYTES
  const sizes = [secretAt, secret.length, 0, saltAt, passes, 0, memoryBytes, algorithm] as const
  const failed = compiled._crypto_pwhash(at, KEY_BYTES, 0, ...sizes) !== 0
  const key = compiled.HEAPU8.slice(at, secretAt)
  compiled.HEAPU8.fill(0, at, end)
  compiled._free(at)
  for (const bytes of [secret, inputs]) bytes.fill(0)
  if (failed) throw new Error("There is not enough memory to derive a key from a passphrase.")
  return key
}

/** Type of the compiled libsodium, which the wrapper does not export. Arguments are addresses and lengths. */
type CompiledSodium = {
  /** A new array after the memory has grown. */
  readonly HEAPU8: Uint8Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
  readonly _crypto_pwhash: (...input: number[]) => number
}

/** Normalizes a passphrase, because keyboards compose letters differently. */
function normalized(passphrase: string): string {
  return passphrase.normalize("NFKC")
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).subarray(0, CHECKSUM_BYTES)
}

function damaged(): KeymootError {
  return new KeymootError(
    "damaged-backup",
    "This file is no identity backup, or it is damaged. Use another copy of it.",
  )
}
