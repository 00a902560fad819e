/** Keys of authorities, with signatures that are the same at each run. */
import { id_ecdsaWithSHA256, id_ecdsaWithSHA384, id_ecdsaWithSHA512 } from "@peculiar/asn1-ecc"
import { id_sha256WithRSAEncryption } from "@peculiar/asn1-rsa"
import { AlgorithmIdentifier } from "@peculiar/asn1-x509"
import { ed25519 } from "@noble/curves/ed25519.js"
import { p256, p384, p521 } from "@noble/curves/nist.js"
import { invert, pow } from "@noble/curves/abstract/modular.js"
import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { ED25519 } from "../../../src/identity/certificates/x509.ts"
import { fixedBytes } from "../fixed-randomness.ts"
import { bitString, integer, sequence } from "./der-encoder.ts"

export type IssuingKey = {
  readonly algorithm: AlgorithmIdentifier
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}

export function ed25519Key(name: string): IssuingKey {
  const seed = fixedBytes(name)
  const spki = sequence(hexToBytes("300506032b6570"), bitString(ed25519.getPublicKey(seed)))
  return { algorithm: ED25519, spki, sign: (bytes) => ed25519.sign(bytes, seed) }
}

const CURVES = {
  "P-256": { curve: p256, signature: id_ecdsaWithSHA256, parameters: "06082a8648ce3d030107" },
  "P-384": { curve: p384, signature: id_ecdsaWithSHA384, parameters: "06052b81040022" },
  "P-521": { curve: p521, signature: id_ecdsaWithSHA512, parameters: "06052b81040023" },
} as const
const EC_PUBLIC_KEY = "06072a8648ce3d0201"

/** r and s. */
export type Halves = readonly [r: bigint, s: bigint]
/** Encodes r and s; `derOf` does it as RFC 3279 says. */
export type SignatureForm = (halves: Halves) => Uint8Array

export const derOf: SignatureForm = ([r, s]) => sequence(integer(r), integer(s))

/** RFC 6979: without randomness. */
export function ecdsaKey(
  named: keyof typeof CURVES,
  { form = derOf, isCompressed = false }: { readonly form?: SignatureForm; readonly isCompressed?: boolean } = {},
): IssuingKey {
  const { curve, signature, parameters } = CURVES[named]
  const secret = numberToBytesBE(bytesToNumberBE(fixedBytes(`authority on ${named}`)), curve.lengths.secretKey!)
  const spki = sequence(
    sequence(hexToBytes(EC_PUBLIC_KEY), hexToBytes(parameters)),
    bitString(curve.getPublicKey(secret, isCompressed)),
  )
  const sign = (bytes: Uint8Array): Uint8Array => {
    const both = curve.sign(bytes, secret, { lowS: false })
    const half = both.length / 2
    return form([bytesToNumberBE(both.subarray(0, half)), bytesToNumberBE(both.subarray(half))])
  }
  return { algorithm: new AlgorithmIdentifier({ algorithm: signature }), spki, sign }
}

/** The first primes of 1024 bits behind two fixed numbers. */
const PRIMES = [numberBehind("RSA p", 766n), numberBehind("RSA q", 1790n)] as const
const RSA_BYTES = 256
const EXPONENT = 65537n
const MODULUS = PRIMES[0] * PRIMES[1]
const RSA_ENCRYPTION = "06092a864886f70d0101010500"
/** DigestInfo of SHA-256 (RFC 8017, section 9.2, note 1): this, then the hash. */
const DIGEST_INFO = hexToBytes("3031300d060960864801650304020105000420")

function numberBehind(name: string, distance: bigint): bigint {
  const blocks = Array.from({ length: 4 }, (_, i) => fixedBytes(`${name} ${i}`))
  return (bytesToNumberBE(concatBytes(...blocks)) | (3n << 1022n) | 1n) + distance
}

/** PKCS #1 version 1.5 with SHA-256. `form`: changes the number that is the signature. */
export function rsaKey(form: (signature: bigint, modulus: bigint) => bigint = (signature) => signature): IssuingKey {
  const key = sequence(integer(MODULUS), integer(EXPONENT))
  const d = invert(EXPONENT, (PRIMES[0] - 1n) * (PRIMES[1] - 1n))
  const sign = (bytes: Uint8Array): Uint8Array => {
    const padding = new Uint8Array(RSA_BYTES - 3 - DIGEST_INFO.length - 32).fill(0xff)
    const padded = concatBytes(Uint8Array.of(0, 1), padding, Uint8Array.of(0), DIGEST_INFO, sha256(bytes))
    return numberToBytesBE(form(pow(bytesToNumberBE(padded), d, MODULUS), MODULUS), RSA_BYTES)
  }
  const spki = sequence(sequence(hexToBytes(RSA_ENCRYPTION)), bitString(key))
  const algorithm = new AlgorithmIdentifier({
    algorithm: id_sha256WithRSAEncryption,
    parameters: hexToBytes("0500").buffer,
  })
  return { algorithm, spki, sign }
}
