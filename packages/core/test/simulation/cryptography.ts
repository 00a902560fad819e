import { createPrivateKey, createPublicKey, sign as signNatively, type KeyObject } from "node:crypto"
import {
  type Kem,
  loadKem,
  loadSodiumGroup,
  loadVerifier,
  loadX25519,
  type PrimeOrderGroup,
  type SignatureVerifier,
  type X25519,
} from "@keymoot/gke"
import { createToyGroup, toyX25519 } from "@keymoot/gke/testing"
import type { MemberId } from "@keymoot/transport"
import type { SimulatedSigner } from "@keymoot/transport/testing"
import { sha256, sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** The primitives of a simulated conference. */
export type Cryptography = {
  readonly group: PrimeOrderGroup
  readonly x25519: X25519
  /** ML-KEM-768, also beside the toy group: a member of a hybrid conference checks encodings of keys. */
  readonly kem: Kem
  /** Signs the statements of a roster's members. */
  readonly publicKeyOf: (member: MemberId) => Uint8Array
  readonly sign: (member: MemberId, bytes: Uint8Array) => Uint8Array
  readonly verifier: SignatureVerifier
  /** Signs frames; null: they carry no signature. */
  readonly frameSigner: SimulatedSigner | null
}

const kem = await loadKem()

/** Keys in a group of 61 bits and signatures that anybody could make: nobody in a simulation forges. */
export function toyCryptography(): Cryptography {
  const group = createToyGroup()
  const sign = (publicKey: Uint8Array, bytes: Uint8Array): Uint8Array => sha512(concatBytes(publicKey, bytes))
  const publicKeyOf = (member: MemberId): Uint8Array => sha256(utf8ToBytes(`identity key of ${member}`))
  return {
    group,
    x25519: toyX25519(group),
    kem,
    publicKeyOf,
    sign: (member, bytes) => sign(publicKeyOf(member), bytes),
    verifier: {
      verify: (publicKey, bytes, signature) => bytesToHex(sign(publicKey, bytes)) === bytesToHex(signature),
    },
    frameSigner: null,
  }
}

/** RFC 8410, section 7: what stands before the 32 bytes of a private key in PKCS #8. */
const PKCS8_PREFIX = hexToBytes("302e020100300506032b657004220420")

/**
 * Signs by Node's own Ed25519, as members in Node do. The bytes equal any other implementation's, because RFC 8032 is
 * deterministic. It takes a twentieth of the time of the one in JavaScript.
 */
function signingKey(seed: Uint8Array): { readonly secret: KeyObject; readonly publicKey: Uint8Array } {
  const pkcs8 = Buffer.from(concatBytes(PKCS8_PREFIX, seed))
  const secret = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" })
  const { x } = createPublicKey(secret).export({ format: "jwk" })
  return { secret, publicKey: new Uint8Array(Buffer.from(x!, "base64url")) }
}

/** As conferences have it: ristretto255, X25519, and Ed25519 under keys that follow from the members' ids. */
export async function realCryptography(): Promise<Cryptography> {
  const [group, x25519, verifier] = await Promise.all([loadSodiumGroup(), loadX25519(), loadVerifier()])
  const keys = new Map<MemberId, ReturnType<typeof signingKey>>()
  const keyOf = (member: MemberId) => {
    let key = keys.get(member)
    if (!key) keys.set(member, (key = signingKey(sha256(utf8ToBytes(`simulated key of ${member}`)))))
    return key
  }
  const publicKeyOf = (member: MemberId): Uint8Array => keyOf(member).publicKey
  const sign = (member: MemberId, bytes: Uint8Array): Uint8Array =>
    new Uint8Array(signNatively(null, bytes, keyOf(member).secret))
  return {
    group,
    x25519,
    kem,
    publicKeyOf,
    sign,
    verifier,
    frameSigner: { sign, verify: (member, bytes, signature) => verifier.verify(publicKeyOf(member), bytes, signature) },
  }
}
