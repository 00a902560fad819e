import type { Credential, CredentialChecker, MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"

import { type Authority, type CertificateRefusal, refusalByTime } from "./authority.ts"
import { CERTIFICATE_BYTES_MAX, fingerprintOf, memberIdOf, parseCertificate } from "./certificate.ts"
import { LruMap } from "../wire/index.ts"
import { isValidName } from "./name.ts"
import { type Verify, verifyUnder } from "./signatures.ts"
import { isSmallOrder } from "./small-order.ts"

/** Checked certificates, by fingerprint; the least recently used one goes, and would be checked again. */
export const CREDENTIALS_CACHED_MAX = 1024
/**
 * Fingerprints of certificates that are bad in themselves, for so long; the longest unseen goes. An attacker gains one more
 * check by filling it, or by waiting.
 */
export const BAD_CREDENTIALS_CACHED_MAX = 1024
export const BAD_CREDENTIAL_MS = 10 * 60_000
/** Imported public keys; one is about as dear to import as to use. */
const PUBLIC_KEYS_CACHED_MAX = 512

/** A certificate that passed every check, with the name it binds. */
export type MemberCredential = Credential & { readonly name: string }

export interface MemberCredentialChecker extends CredentialChecker {
  check(certificate: Uint8Array): Promise<MemberCredential | null>
}

/** Certificates of this authority, and no others; `refused` hears why one was not taken, by the member id it would have. */
export type Demands = {
  readonly authority: Authority
  readonly refused: (member: MemberId, why: CertificateRefusal) => void
}

/** A certificate right in itself; whether its time is now is another question each time it is asked. */
type CheckedCertificate = {
  readonly credential: MemberCredential
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

/**
 * Checks self-signed certificates of the one profile (certificate.ts), or those that one authority issued (authority.ts),
 * and Ed25519 signatures.
 *
 * Both caches of FAIN's credential option are here. Only what is bad in itself enters the bad one: neither a certificate
 * out of its time (clocks move), nor one under which some packet failed to verify (else a relay silences an honest member
 * by spoiling its packets).
 * @param now milliseconds since 1970.
 */
export function createCredentialChecker(now: () => number = Date.now, demands?: Demands): MemberCredentialChecker {
  const good = new LruMap<string, CheckedCertificate>(CREDENTIALS_CACHED_MAX)
  /** Until when each is refused unseen. */
  const bad = new LruMap<string, number>(BAD_CREDENTIALS_CACHED_MAX)
  /** Checks under way, no more than its callers' lanes let be: what comes many times at once is checked once. */
  const checking = new Map<string, Promise<CheckedCertificate | null>>()
  const keys = new LruMap<string, Promise<Verify | null>>(PUBLIC_KEYS_CACHED_MAX)

  function publicKeyOf(raw: Uint8Array): Promise<Verify | null> {
    const id = bytesToHex(raw)
    let key = keys.get(id)
    if (key === undefined) {
      key = verifyUnder(raw)
      keys.set(id, key)
    }
    return key
  }

  async function verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
    if (publicKey.length !== 32 || signature.length !== 64) return false
    const isSignature = await publicKeyOf(publicKey)
    if (isSignature === null) return false
    return isSignature(bytes, signature).catch(() => false)
  }

  async function checkInItself(der: Uint8Array): Promise<CheckedCertificate | null> {
    if (demands) return checkIssued(demands, der)
    const parsed = await parseCertificate(der)
    if (parsed === null) return null
    const { name, publicKey, notBeforeMs, notAfterMs } = parsed.fields
    if (!isValidName(name) || notBeforeMs >= notAfterMs || isSmallOrder(publicKey)) return null
    if (!(await parsed.verifySelfSignature().catch(() => false))) return null
    return { credential: { member: memberIdOf(der), certificate: der, publicKey, name }, notBeforeMs, notAfterMs }
  }

  function checkOnce(fingerprint: string, der: Uint8Array): Promise<CheckedCertificate | null> {
    const underWay = checking.get(fingerprint)
    if (underWay) return underWay
    const begun = checkInItself(der).finally(() => checking.delete(fingerprint))
    checking.set(fingerprint, begun)
    return begun
  }

  async function check(certificate: Uint8Array): Promise<MemberCredential | null> {
    // Before anything is hashed, copied or kept.
    if (certificate.length > CERTIFICATE_BYTES_MAX) return null
    // The caller may use its buffer again while we wait, and the cache would then hold other bytes than were checked.
    const der = certificate.slice()
    const fingerprint = bytesToHex(fingerprintOf(der))
    const refusedUntilMs = bad.get(fingerprint)
    if (refusedUntilMs !== undefined && now() < refusedUntilMs) return null
    const checked = good.get(fingerprint) ?? (await checkOnce(fingerprint, der))
    if (checked === null) {
      bad.set(fingerprint, now() + BAD_CREDENTIAL_MS)
      return null
    }
    good.set(fingerprint, checked)
    const nowMs = now()
    const refusal = refusalByTime(checked, nowMs) ?? (demands ? refusalByTime(demands.authority, nowMs) : null)
    if (refusal !== null) demands?.refused(checked.credential.member, refusal)
    return refusal === null ? checked.credential : null
  }

  return { check, verify }
}

async function checkIssued({ authority, refused }: Demands, der: Uint8Array): Promise<CheckedCertificate | null> {
  const issued = await authority.read(der)
  if (typeof issued !== "string") return issued
  refused(memberIdOf(der), issued)
  return null
}
