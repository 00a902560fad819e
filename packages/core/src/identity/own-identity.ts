import type { MemberId, Signer } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"

import { KeymootError } from "../api/index.ts"
import { createCertificate, fingerprintOf, memberIdOf, parseCertificate } from "./certificates/certificate.ts"
import type { Certification } from "./certification.ts"
import type { MemberCredential } from "./certificates/credential-checker.ts"
import { generateKeyPair, rawPublicKey } from "./key-pair.ts"
import { normalizeName } from "./certificates/name.ts"
import { signWith } from "./certificates/signatures.ts"
import { createIdentityId, FORMER_CERTIFICATES_MAX, type IdentityRecord, type IdentityStore } from "./store.ts"

/** Remaining validity below which a certificate is renewed. It must outlast every conference (30 days at most). */
const RENEWED_BEFORE_END_MS = 90 * 24 * 60 * 60 * 1000

/** This participant: its public identity, and its signer. */
export type OwnIdentity = {
  /** Id of its record in the store. */
  readonly id: string
  readonly name: string
  readonly member: MemberId
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** DER. */
  readonly certificate: Uint8Array
  /** Raw Ed25519, 32 bytes; equal under every name. */
  readonly publicKey: Uint8Array
  readonly signer: Signer
  /** Certificates that authorities issued for this key. */
  readonly certifications: readonly Certification[]
  /** Certificates of this key from before, latest last. Some may have expired. */
  readonly former: readonly Uint8Array[]
}

export type OpenIdentityOptions = {
  /** By default the record's. Without either there must be a record. */
  readonly name?: string
  /** By default the chosen one. */
  readonly id?: string
  readonly store: IdentityStore
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Loads the stored identity, or creates one. Another name than the stored one is another certificate of the same key,
 * and so another member id. A former name takes its former certificate, see `renamed`. People that verified this identity recognise it, because verification concerns the key.
 * @throws KeymootError `invalid-argument` (the name or the id), `storage-unavailable`, `unsupported-browser` (no
 * Ed25519).
 */
export async function openIdentity({ name, id, store, now = Date.now }: OpenIdentityOptions): Promise<OwnIdentity> {
  // Exclusive: otherwise two tabs that open at once would each generate a key, and one would continue with a key that
  // is not stored.
  const record = await store.exclusively(async () => {
    const stored = await store.load(id)
    if (!stored && id !== undefined) throw new KeymootError("invalid-argument", "This device has no such identity.")
    const wanted = normalizeName(name ?? stored?.name ?? "")
    if (stored && (await isCurrent(stored.certificate, wanted, now()))) return stored
    const made = stored ? await renamed(stored, wanted, now()) : await newRecord(wanted, store, now())
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
    former: record.former ?? [],
  }
}

async function newRecord(name: string, store: IdentityStore, nowMs: number): Promise<IdentityRecord> {
  const keyPair = await generateKeyPair(store.needsExtractableKeys)
  return { id: createIdentityId(), name, keyPair, certificate: await createCertificate(name, keyPair, nowMs) }
}

/**
 * Returns the record with another certificate of its key. The one before becomes a former one. A current former
 * certificate of the name is used again. So a person who returns to a conference under its name is the same member.
 */
export async function renamed(record: IdentityRecord, name: string, nowMs: number): Promise<IdentityRecord> {
  const before = record.former ?? []
  const current = await Promise.all(before.map((each) => isCurrent(each, name, nowMs)))
  const used = before.findLast((_, index) => current[index])
  const certificate = used ?? (await createCertificate(name, record.keyPair, nowMs))
  const former = [...before.filter((each) => each !== used), record.certificate].slice(-FORMER_CERTIFICATES_MAX)
  return { ...record, name, certificate, former }
}

/**
 * Returns a signer with the identity's key. Callers pass the full bytes with a domain prefix, so that a signature for
 * one purpose is invalid for another.
 */
async function createSigner({ certificate, keyPair }: IdentityRecord): Promise<Signer> {
  return { member: memberIdOf(certificate), certificate, sign: await signWith(keyPair.privateKey) }
}

/** Returns the same person with another certificate of its key, as a conference's roster or an authority has it. */
export function appearAs(identity: OwnIdentity, { name, member, certificate }: MemberCredential): OwnIdentity {
  const signer = { ...identity.signer, member, certificate }
  return { ...identity, name, member, certificate, signer, fingerprint: bytesToHex(fingerprintOf(certificate)) }
}

async function isCurrent(certificate: Uint8Array, wanted: string, nowMs: number): Promise<boolean> {
  const parsed = await parseCertificate(certificate)
  if (parsed === null) return false
  const { name, notBeforeMs, notAfterMs } = parsed.fields
  return name === wanted && notBeforeMs <= nowMs && nowMs < notAfterMs - RENEWED_BEFORE_END_MS
}
