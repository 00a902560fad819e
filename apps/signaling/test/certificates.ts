import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { possessionBytes, type ProofPurpose } from "@keymoot/transport/signaling-protocol"
import type { Client } from "./clients.ts"

const HOUR_MS = 3_600_000

/** Somebody with a key, an identity by it, and a certificate. */
export interface Person {
  readonly name: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly certificate: Uint8Array
  readonly fingerprint: string
}

interface Wishes {
  readonly curve?: "ed25519" | "P-256"
  /** Somebody's key, for another certificate. */
  readonly key?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
  readonly authority?: Person
  /** Its name in the certificate, if it is to be another. */
  readonly issuerName?: string
  readonly isAuthority?: boolean
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
}

/** A person with a certificate: self-signed unless an authority is given. Written by hand, so that it can be wrong in any way. */
export function person(name: string, wishes: Wishes = {}): Person {
  const { privateKey, publicKey } = wishes.key ?? freshKey(wishes.curve)
  const { authority } = wishes
  const now = Date.now()
  const signer = authority?.privateKey ?? privateKey
  const algorithm = ALGORITHMS[signer.asymmetricKeyType === "ed25519" ? "ed25519" : "P-256"]
  const body = sequence(
    tagged(0xa0, integer(Uint8Array.of(2))),
    integer(Uint8Array.of(0x40, ...randomBytes(15))),
    algorithm,
    nameOf(wishes.issuerName ?? authority?.name ?? name),
    sequence(time(wishes.notBeforeMs ?? now - HOUR_MS), time(wishes.notAfterMs ?? now + HOUR_MS)),
    nameOf(name),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, extensions(wishes.isAuthority ?? false)),
  )
  const hash = signer.asymmetricKeyType === "ed25519" ? null : "sha256"
  const certificate = new Uint8Array(
    sequence(body, algorithm, tagged(0x03, Uint8Array.of(0), sign(hash, body, signer))),
  )
  const fingerprint = createHash("sha256").update(certificate).digest("hex")
  return { name, privateKey, publicKey, certificate, fingerprint }
}

/** Proof of possession for a server with this origin. */
export function proofOf(
  who: Person,
  purpose: ProofPurpose,
  origin: string,
  challenge: Uint8Array,
): { readonly certificate: Uint8Array; readonly origin: string; readonly signature: Uint8Array } {
  const fingerprint = Buffer.from(who.fingerprint, "hex")
  const message = possessionBytes(purpose, origin, new Uint8Array(challenge), fingerprint)
  const signature =
    who.privateKey.asymmetricKeyType === "ed25519"
      ? sign(null, message, who.privateKey)
      : sign("sha256", message, { key: who.privateKey, dsaEncoding: "ieee-p1363" })
  return { certificate: who.certificate, origin, signature: new Uint8Array(signature) }
}

/** Asks for a challenge and answers it. */
export async function prove(
  client: Client,
  who: Person,
  origin: string,
  purpose: ProofPurpose = "participant:prove",
  issuer?: Uint8Array,
) {
  const challenged = await client.ask("participant:challenge", {})
  if (!challenged.ok) return challenged
  const proof = proofOf(who, purpose, origin, challenged.challenge)
  return client.ask(purpose, issuer === undefined ? proof : { ...proof, issuer })
}

export function freshKey(curve: "ed25519" | "P-256" = "ed25519") {
  return curve === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" })
}

function tagged(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...size), content])
}
const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts)
const integer = (bytes: Uint8Array) => tagged(0x02, bytes)
const oid = (...bytes: readonly number[]) => tagged(0x06, Uint8Array.of(...bytes))

const ALGORITHMS = {
  ed25519: sequence(oid(0x2b, 0x65, 0x70)),
  "P-256": sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)),
}

function nameOf(commonName: string): Uint8Array {
  return sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))))
}

function time(atMs: number): Uint8Array {
  const digits = new Date(atMs).toISOString().replaceAll(/\.\d+|[-:T]/gu, "")
  return tagged(0x18, Buffer.from(digits))
}

function extensions(isAuthority: boolean): Uint8Array {
  const yes = tagged(0x01, Uint8Array.of(0xff))
  const constraints = isAuthority ? sequence(yes) : sequence()
  const usage = tagged(0x03, isAuthority ? Uint8Array.of(2, 0x04) : Uint8Array.of(7, 0x80))
  return sequence(
    sequence(oid(0x55, 0x1d, 0x13), yes, tagged(0x04, constraints)),
    sequence(oid(0x55, 0x1d, 0x0f), yes, tagged(0x04, usage)),
  )
}
