import type { MemberId, Signer } from "@keymoot/transport"
import { ed25519 } from "@noble/curves/ed25519.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { createCertificate, fingerprintOf, memberIdOf } from "../../src/identity/certificates/certificate.ts"
import { fixedBytes } from "./fixed-randomness.ts"

/** Time of all vectors: 2026-01-01. */
export const NOW_MS = Date.UTC(2026, 0, 1)

/** PKCS #8 of an Ed25519 seed (RFC 8410): this, then the 32 bytes. */
const PKCS8_PREFIX = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32)

export type Person = {
  readonly name: string
  readonly seed: Uint8Array
  readonly member: MemberId
  readonly publicKey: Uint8Array
  readonly certificate: Uint8Array
  readonly fingerprint: Uint8Array
  readonly signer: Signer
}

/** A person whose key belongs to its name. Draws the serial of its certificate. */
export async function personNamed(name: string): Promise<Person> {
  const seed = fixedBytes(`identity of ${name}`)
  const publicKey = ed25519.getPublicKey(seed)
  const pkcs8 = concatBytes(PKCS8_PREFIX, seed)
  const keyPair = {
    privateKey: await crypto.subtle.importKey("pkcs8", pkcs8 as BufferSource, "Ed25519", false, ["sign"]),
    publicKey: await crypto.subtle.importKey("raw", publicKey as BufferSource, "Ed25519", true, ["verify"]),
  }
  const certificate = await createCertificate(name, keyPair, NOW_MS)
  const member = memberIdOf(certificate)
  const sign = (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(ed25519.sign(bytes, seed))
  return {
    name,
    seed,
    member,
    publicKey,
    certificate,
    fingerprint: fingerprintOf(certificate),
    signer: { member, certificate, sign },
  }
}
