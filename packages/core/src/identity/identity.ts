import type { MemberId, Signer } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"

import { KeymootError } from "../api.ts"
import { createCertificate, fingerprintOf, memberIdOf, parseCertificate } from "./certificate.ts"
import type { Certification } from "./certification.ts"
import type { MemberCredential } from "./credential-checker.ts"
import { generateKeyPair, rawPublicKey } from "./key-pair.ts"
import { normalizeName } from "./name.ts"
import { signWith } from "./signatures.ts"
import { createIdentityId, type IdentityRecord, type IdentityStore } from "./store.ts"

/** A certificate nearer to its end is made anew: one must outlast every conference that it enters (30 days at most). */
const RENEWED_BEFORE_END_MS = 90 * 24 * 60 * 60 * 1000

/** This participant: what it shows of itself, and the means to sign. */
export type OwnIdentity = {
  /** Of its record in the store. */
  readonly id: string
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** DER. */
  readonly certificate: Uint8Array
  /** Raw Ed25519, 32 bytes: the same under every name. */
  readonly publicKey: Uint8Array
  readonly signer: Signer
  /** What authorities issued on this key. */
  readonly certifications: readonly Certification[]
}

export type OpenIdentityOptions = {
  /** That of the record unless given; without both there must be a record. */
  readonly name?: string
  /** The chosen one unless given. */
  readonly id?: string
  readonly store: IdentityStore
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Loads the stored identity, or makes one. Another name than the stored one makes another certificate, and so another
 * member id, on the same key; people who verified this one recognize it, since verification is about the key.
 * @throws KeymootError `invalid-argument` (the name or the id), `storage-unavailable`, `unsupported-browser` (no Ed25519).
 */
export async function openIdentity({ name, id, store, now = Date.now }: OpenIdentityOptions): Promise<OwnIdentity> {
  // Exclusively: two tabs opened at once would each make a key, and one of them go on with a key that is not stored.
  const record = await store.exclusively(async () => {
    const stored = await store.load(id)
    if (!stored && id !== undefined) throw new KeymootError("invalid-argument", "There is no such identity here.")
    const wanted = normalizeName(name ?? stored?.name ?? "")
    if (stored !== null && stored.name === wanted && (await isCurrent(stored, now()))) return stored
    const keyPair = stored?.keyPair ?? (await generateKeyPair(store.needsExtractableKeys))
    const certificate = await createCertificate(wanted, keyPair, now())
    const made = { ...stored, id: stored?.id ?? createIdentityId(), name: wanted, keyPair, certificate }
    await store.save(made)
    return made
  })
  return {
    id: record.id,
    name: record.name,
    member: memberIdOf(record.certificate),
    fingerprint: bytesToHex(fingerprintOf(record.certificate)),
    certificate: record.certificate,
    publicKey: await rawPublicKey(record.keyPair),
    signer: await createSigner(record),
    certifications: record.certifications ?? [],
  }
}

/**
 * Signs with the identity's key. Callers pass the full bytes, with their own domain in front: a signature made for one
 * purpose must mean nothing for another.
 */
async function createSigner({ certificate, keyPair }: IdentityRecord): Promise<Signer> {
  return { member: memberIdOf(certificate), certificate, sign: await signWith(keyPair.privateKey) }
}

/**
 * The same person under another certificate of the same key, as a conference's roster or an authority has it.
 */
export function appearAs(identity: OwnIdentity, { name, member, certificate }: MemberCredential): OwnIdentity {
  const signer = { ...identity.signer, member, certificate }
  return { ...identity, name, member, certificate, signer, fingerprint: bytesToHex(fingerprintOf(certificate)) }
}

async function isCurrent(record: IdentityRecord, nowMs: number): Promise<boolean> {
  const parsed = await parseCertificate(record.certificate)
  if (parsed === null) return false
  const { notBeforeMs, notAfterMs } = parsed.fields
  return notBeforeMs <= nowMs && nowMs < notAfterMs - RENEWED_BEFORE_END_MS
}
