import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { afterAll, beforeAll, expect, test } from "vitest"
import { deflateSodium } from "./deflated-wasm.ts"
import { trimSodium } from "./trimmed-sodium.ts"

type Bytes = Uint8Array
type Operation = "multiply" | "add" | "subtract" | "multiplyScalars" | "addScalars" | "subtractScalars"
type Group = Record<"randomScalar" | "multiplyBase" | "invert", (bytes: Bytes) => Bytes> &
  Record<Operation, (a: Bytes, b: Bytes) => Bytes> & { hashToScalar(domain: string, element: Bytes): Bytes }
type Cipher = {
  seal(key: Bytes, nonce: Bytes, header: Bytes, text: Bytes, sealed: Bytes): void
  open(key: Bytes, nonce: Bytes, header: Bytes, sealed: Bytes): Bytes | null
}
/** All that the engine uses of libsodium. */
type OfSodium = {
  loadSodiumGroup(): Promise<Group>
  sodiumHopCipher(): Promise<Cipher>
  sealBackup(backup: object, passphrase: string): Promise<Bytes>
  openBackup(file: Bytes, passphrase: string): Promise<object>
  loadVerifier(): Promise<{ verify(publicKey: Bytes, message: Bytes, signature: Bytes): boolean }>
  loadX25519(): Promise<{ publicKey(secret: Bytes): Bytes; shared(secret: Bytes, theirs: Bytes): Bytes | null }>
}

const PACKAGES = join(import.meta.dirname, "../../packages")
const SOURCES = [
  "core/src/identity/backup.ts",
  "core/src/platform/sodium-hop-cipher.ts",
  "gke/src/group/sodium.ts",
  "gke/src/hpke/x25519.ts",
  "gke/src/majority/verifier.ts",
]
const directory = mkdtempSync(join(tmpdir(), "keymoot-sodium-"))
let published: OfSodium
let trimmed: OfSodium
let code: string

async function bundled(name: string, plugins: readonly Plugin[]): Promise<{ code: string; loaded: OfSodium }> {
  const input = join(directory, "entry.mjs")
  writeFileSync(input, SOURCES.map((file) => `export * from ${JSON.stringify(join(PACKAGES, file))}\n`).join(""))
  const resolve = { conditionNames: ["keymoot-source", "import", "default"] }
  const bundle = await rolldown({ input, platform: "node", resolve, plugins: [...plugins] })
  const { output } = await bundle.write({ dir: directory, entryFileNames: name, codeSplitting: false, minify: true })
  await bundle.close()
  const loaded = (await import(pathToFileURL(join(directory, name)).href)) as OfSodium
  return { code: output[0].code, loaded }
}

beforeAll(async () => {
  published = (await bundled("published.mjs", [])).loaded
  ;({ code, loaded: trimmed } = await bundled("trimmed.mjs", [deflateSodium(), trimSodium()]))
})
afterAll(() => rmSync(directory, { recursive: true }))

test("drops the functions of libsodium that the engine does not call", () => {
  expect(code).toContain("deflate-raw")
  expect(code).toContain("_crypto_core_ristretto255_add=")
  expect(code).not.toContain("_crypto_aead_aegis128l_encrypt=")
  // Its short name has a dollar sign.
  expect(code).not.toContain("_crypto_box_detached")
})

test("drops the constants of libsodium that the engine does not read", () => {
  expect(code).toContain("crypto_pwhash_ALG_ARGON2ID13")
  expect(code).not.toMatch(/crypto_aead_aegis128l_keybytes/iu)
})

test("agrees on secrets and verifies signatures like libsodium as published", async () => {
  const [whole, part] = [await published.loadX25519(), await trimmed.loadX25519()]
  const [mine, theirs] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(5)]
  expect(part.publicKey(mine)).toEqual(whole.publicKey(mine))
  expect(part.shared(mine, whole.publicKey(theirs))).toEqual(whole.shared(theirs, whole.publicKey(mine)))

  const { publicKey, privateKey } = generateKeyPairSync("ed25519")
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url")
  const message = new TextEncoder().encode("hello")
  const signature = sign(null, message, privateKey)
  const verifier = await trimmed.loadVerifier()
  expect(verifier.verify(new Uint8Array(raw), message, new Uint8Array(signature))).toBe(true)
  expect(verifier.verify(new Uint8Array(raw), new TextEncoder().encode("hullo"), new Uint8Array(signature))).toBe(false)
})

// In a conference nobody would notice: without WebAssembly noble does the same work, more slowly.
test("computes the same in the group as libsodium as published", async () => {
  const [whole, part] = [await published.loadSodiumGroup(), await trimmed.loadSodiumGroup()]
  const random = (seed: number): Uint8Array => Uint8Array.from({ length: 64 }, (_, i) => (i * seed) % 251)
  const results = [whole, part].map((group) => {
    const [a, b] = [group.randomScalar(random(3)), group.randomScalar(random(5))]
    const [A, B] = [group.multiplyBase(a), group.multiplyBase(b)]
    return [A, B, group.multiply(B, a), group.add(A, B), group.subtract(A, B), group.invert(a)].concat(
      [group.multiplyScalars(a, b), group.addScalars(a, b), group.subtractScalars(a, b)],
      group.hashToScalar("test", A),
    )
  })
  expect(results[1]).toEqual(results[0])
})

test("opens what libsodium as published has sealed", async () => {
  const [key, nonce, header] = [new Uint8Array(32).fill(7), new Uint8Array(12).fill(9), Uint8Array.of(1, 2, 3)]
  const [text, sealed] = [new Uint8Array(1000).fill(4), new Uint8Array(1016)]
  const [whole, part] = [await published.sodiumHopCipher(), await trimmed.sodiumHopCipher()]
  whole.seal(key, nonce, header, text, sealed)
  expect(part.open(key, nonce, header, sealed)).toEqual(text)

  const backup = { seed: key, publicKey: key, name: "Ada" }
  const file = await published.sealBackup(backup, "four words nobody guesses")
  expect(await trimmed.openBackup(file, "four words nobody guesses")).toEqual(backup)
})
