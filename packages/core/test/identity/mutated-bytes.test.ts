/**
 * The readers of this package for input from strangers and files: for any bytes they give a result or their own error.
 */
import "reflect-metadata/lite" // required by the library below
import { mutated, Random } from "@keymoot/transport/testing"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { PemConverter } from "@peculiar/x509"
import { expect, test, vi } from "vitest"
import { KeymootError } from "../../src/api/index.ts"
import { open, seal } from "../../src/ciphers/sealing.ts"
import { readAuthority } from "../../src/identity/certificates/authority.ts"
import { openBackup, sealBackup } from "../../src/identity/backup.ts"
import { createCertificate } from "../../src/identity/certificates/certificate.ts"
import { requireAuthority } from "../../src/identity/certification.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { formatCard, parseCard } from "../../src/identity/card.ts"
import { exportSeed, importKeyPair, rawPublicKey } from "../../src/identity/key-pair.ts"
import { P256, TestAuthority } from "./authorities.ts"
import { newKeyPair } from "./people.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 10_000 : 1_000

const KEY_BYTES = 32
// 0.4 s and 128 MiB a time, and all that it reads of a file is the salt.
vi.mock("libsodium-wrappers-sumo", () => {
  const HEAPU8 = new Uint8Array(1024)
  const _crypto_pwhash = (at: number): number => (HEAPU8.fill(1, at, at + KEY_BYTES), 0)
  const libsodium = { HEAPU8, _malloc: () => 0, _free: () => undefined, _crypto_pwhash }
  return { default: { ready: Promise.resolve(), libsodium, crypto_pwhash_ALG_ARGON2ID13: 2 } }
})

const random = new Random(10)
const nowMs = Date.now()
const keys = await newKeyPair()
const own = await createCertificate("Ada", keys, nowMs)
const acme = await TestAuthority.create("Acme")
const root = await readAuthority(acme.certificate)
if (typeof root === "string") throw new Error(`refused: ${root}`)
const [onP256, issued] = await Promise.all([TestAuthority.create("Other", {}, P256), acme.issue("Ada")])
const pem = PemConverter.encode(acme.certificate.slice().buffer, "CERTIFICATE")

const passphrase = "four words nobody guesses"
const backup = await sealBackup(
  { seed: await exportSeed(keys), publicKey: await rawPublicKey(keys), name: "Ada" },
  passphrase,
)
const [HEADER_BYTES, CHECKSUM_BYTES] = [33, 8]
const header = backup.subarray(0, HEADER_BYTES)
const backupKey = new Uint8Array(KEY_BYTES).fill(1)
const content = (await open(backupKey, header, backup.subarray(HEADER_BYTES, -CHECKSUM_BYTES)))!

type Sign = (bytes: Uint8Array) => Promise<Uint8Array>

const signAsAuthority: Sign = (bytes) => acme.sign(bytes)
const signAsOwner: Sign = async (bytes) =>
  new Uint8Array(await crypto.subtle.sign("Ed25519", keys.privateKey, bytes.slice()))

/** As a whole; or what the first of them says, under a signature that fits. */
async function changed(certificates: readonly [Uint8Array, ...Uint8Array[]], sign: Sign): Promise<Uint8Array> {
  return random.chance(0.5) ? mutated(random, certificates) : signedAnew(certificates[0], sign)
}

async function signedAnew(der: Uint8Array, sign: Sign): Promise<Uint8Array> {
  const algorithm = Uint8Array.of(0x30, 5, 6, 3, 0x2b, 0x65, 0x70)
  const bitString = Uint8Array.of(3, 65, 0)
  const signatureBytes = 64
  const said = der.subarray(der[1] === 0x81 ? 3 : 4, -algorithm.length - bitString.length - signatureBytes)
  const content = mutated(random, [said])
  const parts = concatBytes(content, algorithm, bitString, await sign(content))
  const { length } = parts
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concatBytes(Uint8Array.of(0x30, ...bytes), parts)
}

function withChecksum(bytes: Uint8Array): Uint8Array {
  return concatBytes(bytes, sha256(bytes).subarray(0, CHECKSUM_BYTES))
}

/** Changed as a whole; with a checksum that fits; and in what only the passphrase's owner can have written. */
async function changedBackup(): Promise<Uint8Array> {
  if (random.chance(0.3)) return mutated(random, [backup])
  if (random.chance(0.3)) return withChecksum(mutated(random, [backup.subarray(0, -CHECKSUM_BYTES)]))
  return withChecksum(concatBytes(header, await seal(backupKey, header, mutated(random, [content]))))
}

async function readBackup(file: Uint8Array): Promise<string> {
  const { seed, publicKey } = await openBackup(file, passphrase)
  return (await importKeyPair(seed, publicKey, false)) ? "taken" : "keys that do not fit"
}

const checker = createCredentialChecker(() => nowMs)
const nobody = { ...checker, check: async () => null }
const asText = (text: string) => async () => new TextDecoder().decode(mutated(random, [utf8ToBytes(text)]))
const taken = (value: unknown): string => (typeof value === "string" ? value : value === null ? "refused" : "taken")

/**
 * How an input is made, what its reader makes of it, and which results must occur among so many, all its own errors
 * included.
 */
type Reader<T = never> = readonly [
  make: () => Promise<T>,
  read: (input: T) => Promise<unknown>,
  seen: readonly string[],
]

function reader<T>(...reader: Reader<T>): Reader {
  return reader as unknown as Reader
}

const readers: Readonly<Record<string, Reader>> = {
  "a member's certificate": reader(() => changed([own], signAsOwner), checker.check, ["refused", "taken"]),
  "an authority's certificate": reader(
    () => changed([acme.certificate, onP256.certificate], signAsAuthority),
    readAuthority,
    ["malformed", "not-an-authority", "bad-signature", "taken"],
  ),
  "a certificate that an authority issued": reader(
    () => changed([issued, acme.certificate], signAsAuthority),
    (der) => root.read(der),
    ["malformed", "wrong-authority", "bad-signature", "wrong-usage", "bad-key", "bad-name", "taken"],
  ),
  "an authority's certificate in PEM": reader(asText(pem), (text) => requireAuthority(text, nowMs), [
    "bad-certificate",
  ]),
  "a card": reader(asText(formatCard(own)), (text) => parseCard(text, nobody), ["invalid-card"]),
  "a backup": reader(changedBackup, readBackup, [
    "damaged-backup",
    "newer-backup",
    "wrong-passphrase",
    "keys that do not fit",
    "taken",
  ]),
}

test.each(Object.entries(readers))(
  `${INPUTS} random and mutated inputs cause no foreign exception in a reader: %s`,
  COMPUTED,
  async (_, [make, read, seen]) => {
    const outcomes = new Map<string, number>()
    for (let i = 0; i < INPUTS; i++) {
      const outcome = await read(await make()).then(taken, (error: unknown) => {
        if (error instanceof KeymootError && seen.includes(error.code)) return error.code
        throw error
      })
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    // Or nothing but the first check of all would have been tried.
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining([...seen]))
  },
)
