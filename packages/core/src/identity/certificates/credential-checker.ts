import { isStrictKey } from "@keymoot/gke"
import type { Credential, CredentialChecker, MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"

import { type Authority, type CertificateRefusal, type CheckedCertificate, refusalByTime } from "./authority.ts"
import { CERTIFICATE_BYTES_MAX, fingerprintOf, memberIdOf, parseCertificate } from "./certificate.ts"
import { LruMap } from "../../wire/index.ts"
import { isValidName } from "./name.ts"
import { type Verify, verifyUnder } from "./signatures.ts"

/** Cache size of checked certificates by fingerprint (LRU). An evicted one is checked again. */
export const CREDENTIALS_CACHED_MAX = 1024
/**
 * Cache size of invalid certificates by fingerprint (LRU). An attacker gains one more check by filling it, or by
 * waiting.
 */
export const BAD_CREDENTIALS_CACHED_MAX = 1024
export const BAD_CREDENTIAL_MS = 10 * 60_000
/** Cache size of imported public keys. Importing a key costs about as much as using it. */
const PUBLIC_KEYS_CACHED_MAX = 512

/** A certificate that passed every check, with the name it binds. */
export type MemberCredential = Credential & { readonly name: string }

export interface MemberCredentialChecker extends CredentialChecker {
  check(certificate: Uint8Array): Promise<MemberCredential | null>
}

/**
 * Accepts certificates of this authority only. `refused` gets the reason of a refusal and the member id that the
 * certificate would have.
 */
export type Demands = {
  readonly authority: Authority
  readonly refused: (member: MemberId, why: CertificateRefusal) => void
}

/**
 * Checks certificates and Ed25519 signatures. Certificates are self-signed ones of the profile (certificate.ts), or
 * those that one authority issued (authority.ts).
 *
 * Both caches of FAIN's credential option are here. The cache of invalid certificates holds only certificates that are
 * invalid in themselves. An expired one is not cached, because clocks change. Neither is one under which a packet
 * failed to verify, because a relay could silence an honest member by corrupting its packets.
 * @param now milliseconds since 1970.
 * @param since accepts certificates that were valid at some time from then until now. By default they are valid now.
 */
export function createCredentialChecker(
  now: () => number = Date.now,
  demands?: Demands,
  since = now,
): MemberCredentialChecker {
  const good = new LruMap<string, CheckedCertificate>(CREDENTIALS_CACHED_MAX)
  /** Time until which each certificate is refused without a check. */
  const bad = new LruMap<string, number>(BAD_CREDENTIALS_CACHED_MAX)
  /**
   * Checks in progress, bounded by the callers' lanes. A certificate that arrives several times at once is checked
   * once.
   */
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
    if (demands) return readDemanded(demands, der)
    const parsed = await parseCertificate(der)
    if (parsed === null) return null
    const { name, publicKey, notBeforeMs, notAfterMs } = parsed.fields
    if (!isValidName(name) || notBeforeMs >= notAfterMs || !isStrictKey(publicKey)) return null
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
    // Precedes hashing, copying and caching.
    if (certificate.length > CERTIFICATE_BYTES_MAX) return null
    // Copied, because the caller may reuse its buffer during the check. The cache would then hold other bytes than were
    // checked.
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
    const [nowMs, sinceMs] = [now(), since()]
    const ofAuthority = demands ? refusalByTime(demands.authority, nowMs, sinceMs) : null
    const refusal = refusalByTime(checked, nowMs, sinceMs) ?? ofAuthority
    if (refusal !== null) demands?.refused(checked.credential.member, refusal)
    return refusal === null ? checked.credential : null
  }

  return { check, verify }
}

async function readDemanded({ authority, refused }: Demands, der: Uint8Array): Promise<CheckedCertificate | null> {
  const issued = await authority.read(der)
  if (typeof issued !== "string") return issued
  refused(memberIdOf(der), issued)
  return null
}
