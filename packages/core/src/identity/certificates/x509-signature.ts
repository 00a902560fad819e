/** Maps signatures of authorities (RFC 3279, 4055, 5758, 8410) to WebCrypto. */
import { ECDSASigValue, id_ecdsaWithSHA256, id_ecdsaWithSHA384, id_ecdsaWithSHA512 } from "@peculiar/asn1-ecc"
import {
  id_rsaEncryption,
  id_RSASSA_PSS,
  id_sha256,
  id_sha256WithRSAEncryption,
  id_sha384,
  id_sha384WithRSAEncryption,
  id_sha512,
  id_sha512WithRSAEncryption,
  RSAPublicKey,
  RsaSaPssParams,
} from "@peculiar/asn1-rsa"
import { AsnConvert } from "@peculiar/asn1-schema"
import { AlgorithmIdentifier, SubjectPublicKeyInfo } from "@peculiar/asn1-x509"
import { isStrictKey, isStrictSignature } from "@keymoot/gke"
import { bytesToHex } from "@noble/hashes/utils.js"

import { bufferSource } from "../../wire/index.ts"
import { ED25519, toDer, type X509 } from "./x509.ts"

const RSA_BITS_MIN = 2048

type Hash = "SHA-256" | "SHA-384" | "SHA-512"
export type SignatureAlgorithm =
  | { readonly name: "Ed25519" }
  | { readonly name: "ECDSA" | "RSASSA-PKCS1-v1_5"; readonly hash: Hash }
  | { readonly name: "RSA-PSS"; readonly hash: Hash; readonly saltLength: number }

/** Without SHA-1, whose collisions have been used to forge certificates. */
const ALGORITHMS = new Map<string, SignatureAlgorithm>([
  [ED25519.algorithm, { name: "Ed25519" }],
  [id_ecdsaWithSHA256, { name: "ECDSA", hash: "SHA-256" }],
  [id_ecdsaWithSHA384, { name: "ECDSA", hash: "SHA-384" }],
  [id_ecdsaWithSHA512, { name: "ECDSA", hash: "SHA-512" }],
  [id_sha256WithRSAEncryption, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  [id_sha384WithRSAEncryption, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" }],
  [id_sha512WithRSAEncryption, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
])
const PSS_HASHES = new Map<string, Hash>([
  [id_sha256, "SHA-256"],
  [id_sha384, "SHA-384"],
  [id_sha512, "SHA-512"],
])

/** By the key's parameters: the curve's object identifier, DER in hex. `bytes`: length of each half of a signature. */
const CURVES = new Map([
  ["06082a8648ce3d030107", { namedCurve: "P-256", bytes: 32 }],
  ["06052b81040022", { namedCurve: "P-384", bytes: 48 }],
  ["06052b81040023", { namedCurve: "P-521", bytes: 66 }],
])

/** Null if the algorithm, or the certificate's own RSA key, is too weak or unknown. @throws for malformed parameters */
export function strongAlgorithmOf({ signatureAlgorithm, subjectKey }: X509): SignatureAlgorithm | null {
  const bits = rsaBitsOf(subjectKey)
  if (bits !== null && bits < RSA_BITS_MIN) return null
  const { algorithm, parameters } = signatureAlgorithm
  if (algorithm !== id_RSASSA_PSS) return ALGORITHMS.get(algorithm) ?? null
  const { hashAlgorithm, saltLength } = AsnConvert.parse(parameters ?? new ArrayBuffer(0), RsaSaPssParams)
  const hash = PSS_HASHES.get(hashAlgorithm.algorithm)
  return hash === undefined ? null : { name: "RSA-PSS", hash, saltLength }
}

/** Returns false also for a key of another algorithm, and where WebCrypto lacks the algorithm. */
export async function isSignedBy(
  { signed, signature }: X509,
  algorithm: SignatureAlgorithm,
  issuerKey: SubjectPublicKeyInfo,
): Promise<boolean> {
  if (algorithm.name === "Ed25519" && !isStrict(issuerKey, signature)) return false
  try {
    const curve = algorithm.name === "ECDSA" ? curveOf(issuerKey) : null
    const spki = bufferSource(toDer(importable(issuerKey)))
    const key = await crypto.subtle.importKey("spki", spki, { ...algorithm, ...curve }, false, ["verify"])
    const bytes = curve === null ? signature : ecdsaSignature(signature, curve.bytes)
    return await crypto.subtle.verify(algorithm, key, bufferSource(bytes), bufferSource(signed))
  } catch {
    return false
  }
}

/** See `isStrictSignature`. */
function isStrict({ subjectPublicKey }: SubjectPublicKeyInfo, signature: Uint8Array): boolean {
  return isStrictKey(new Uint8Array(subjectPublicKey)) && isStrictSignature(signature)
}

function rsaBitsOf({ algorithm, subjectPublicKey }: SubjectPublicKeyInfo): number | null {
  if (algorithm.algorithm !== id_rsaEncryption) return null
  const modulus = new Uint8Array(AsnConvert.parse(subjectPublicKey, RSAPublicKey).modulus)
  return 8 * (modulus[0] === 0 ? modulus.length - 1 : modulus.length)
}

/** @throws for a curve that WebCrypto does not support */
function curveOf({ algorithm: { parameters } }: SubjectPublicKeyInfo) {
  const curve = CURVES.get(bytesToHex(new Uint8Array(parameters ?? [])))
  if (!curve) throw new Error("unknown curve")
  return curve
}

/** WebCrypto imports RSA keys for PSS only under the general identifier. */
function importable(key: SubjectPublicKeyInfo): SubjectPublicKeyInfo {
  if (key.algorithm.algorithm !== id_RSASSA_PSS) return key
  const algorithm = new AlgorithmIdentifier({ algorithm: id_rsaEncryption, parameters: null })
  return new SubjectPublicKeyInfo({ algorithm, subjectPublicKey: key.subjectPublicKey })
}

/** Converts two INTEGERs in DER to WebCrypto's two halves of fixed length. @throws if one is too long */
function ecdsaSignature(der: Uint8Array, halfBytes: number): Uint8Array {
  const { r, s } = AsnConvert.parse(der, ECDSASigValue)
  const signature = new Uint8Array(2 * halfBytes)
  for (const [i, integer] of [new Uint8Array(r), new Uint8Array(s)].entries()) {
    const half = integer.subarray(integer.findIndex((byte) => byte !== 0))
    if (half.length > halfBytes) throw new Error("half of the signature is too long")
    signature.set(half, (i + 1) * halfBytes - half.length)
  }
  return signature
}
