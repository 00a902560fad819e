/** Maps signatures of authorities (RFC 3279, 4055, 5758, 8410) to WebCrypto. */
import { id_ecdsaWithSHA256, id_ecdsaWithSHA384, id_ecdsaWithSHA512 } from "@peculiar/asn1-ecc"
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
import { ecdsaHalves } from "./der.ts"
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

/** First byte of a point with both coordinates (SEC 1, section 2.3.3). */
const UNCOMPRESSED = 0x04
/** By the key's parameters: the curve's object identifier, DER in hex. `order`: of its base point (SEC 2). */
const CURVES = new Map([
  [
    "06082a8648ce3d030107",
    { namedCurve: "P-256", order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n },
  ],
  [
    "06052b81040022",
    {
      namedCurve: "P-384",
      order: 2n ** 384n - 0x389cb27e0bc8d220a7e5f24db74f58851313e695333ad68dn,
    },
  ],
  [
    "06052b81040023",
    {
      namedCurve: "P-521",
      order: 2n ** 521n - 0x5ae79787c40d069948033feb708f65a2fc44a36477663b851449048e16ec79bf7n,
    },
  ],
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
    const bytes = curve === null ? signature : ecdsaHalves(signature, curve.order)
    if (bytes === null) return false
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

/**
 * Platforms differ about keys with a compressed point, so those are refused.
 * @throws for a curve that WebCrypto does not support
 */
function curveOf({ algorithm: { parameters }, subjectPublicKey }: SubjectPublicKeyInfo) {
  const curve = CURVES.get(bytesToHex(new Uint8Array(parameters ?? [])))
  if (!curve || new Uint8Array(subjectPublicKey)[0] !== UNCOMPRESSED) throw new Error("unknown curve or form of a key")
  return curve
}

/** WebCrypto imports RSA keys for PSS only under the general identifier. */
function importable(key: SubjectPublicKeyInfo): SubjectPublicKeyInfo {
  if (key.algorithm.algorithm !== id_RSASSA_PSS) return key
  const algorithm = new AlgorithmIdentifier({ algorithm: id_rsaEncryption, parameters: null })
  return new SubjectPublicKeyInfo({ algorithm, subjectPublicKey: key.subjectPublicKey })
}
