import { bytesToHex } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import { CERTIFICATE_BYTES_MAX, fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { boundedBytes, boundedList, decodeOrNull, versionByte } from "../wire/index.ts"
import { LOG_BYTES_MAX, LOG_ITEMS_MAX } from "./conference-log.ts"
import { type LogItem, logItemCoder, verifyItem } from "./log-item.ts"

/** Log that a member transfers to a newcomer. */
export type LogSnapshot = {
  readonly items: readonly LogItem[]
  /** DER, of authors that are not in the view. The newcomer has the others'. */
  readonly certificates: readonly Uint8Array[]
}

/** Bound on absent authors. Items of further ones are omitted. */
const SNAPSHOT_CERTIFICATES_MAX = 256
/** Size of a full log and all certificates. Inflation of a snapshot stops here. */
export const SNAPSHOT_BYTES_MAX = LOG_BYTES_MAX + SNAPSHOT_CERTIFICATES_MAX * CERTIFICATE_BYTES_MAX

const SNAPSHOT_VERSION = 2

const logSnapshot = P.struct({
  version: versionByte(SNAPSHOT_VERSION),
  certificates: boundedList(boundedBytes(P.U16BE, CERTIFICATE_BYTES_MAX), SNAPSHOT_CERTIFICATES_MAX),
  items: boundedList(logItemCoder, LOG_ITEMS_MAX),
})

/**
 * Omits items of authors that are neither in the view nor among the certificates, because nobody could verify them.
 * @param present fingerprints (hex) of the members whose certificates the newcomer has.
 * @param certificateOf the certificate (DER) of an author, by its fingerprint, if it is still known.
 */
export function takeSnapshot(
  items: Iterable<LogItem>,
  present: ReadonlySet<string>,
  certificateOf: (fingerprint: string) => Uint8Array | undefined,
): LogSnapshot {
  const absent = new Map<string, Uint8Array>()
  const transferred: LogItem[] = []
  // Newest first, so that the certificates of the oldest authors are omitted.
  for (const item of [...items].toReversed()) {
    if (!present.has(item.fingerprint) && !absent.has(item.fingerprint)) {
      const certificate = certificateOf(item.fingerprint)
      if (certificate === undefined || absent.size === SNAPSHOT_CERTIFICATES_MAX) continue
      absent.set(item.fingerprint, certificate)
    }
    transferred.push(item)
  }
  return { items: transferred.toReversed(), certificates: [...absent.values()] }
}

export function encodeSnapshot({ items, certificates }: LogSnapshot): Uint8Array {
  return logSnapshot.encode({ items: [...items], certificates: [...certificates] })
}

/** Returns `null` unless the snapshot is well-formed. Nothing in it is verified yet. */
export function decodeSnapshot(bytes: Uint8Array): LogSnapshot | null {
  if (bytes.length > SNAPSHOT_BYTES_MAX) return null
  return decodeOrNull(logSnapshot, bytes)
}

/**
 * Returns the items that their authors verifiably signed in this conference, with the known authors, and the count of
 * the rest. Only bad items are rejected, because the transferring member may have been deceived itself.
 * @param members credentials of the view.
 */
export async function verifySnapshot(
  snapshot: LogSnapshot,
  conferenceId: string,
  members: Iterable<MemberCredential>,
  checker: MemberCredentialChecker,
): Promise<{ items: LogItem[]; authors: Map<string, MemberCredential>; rejected: number }> {
  const authors = new Map<string, MemberCredential>()
  for (const member of members) authors.set(fingerprintHex(member.certificate), member)
  for (const certificate of snapshot.certificates) {
    const author = await checker.check(certificate)
    if (author !== null) authors.set(fingerprintHex(certificate), author)
  }
  const verdicts = await Promise.all(
    snapshot.items.map((item) => {
      const author = authors.get(item.fingerprint)
      return author === undefined ? false : verifyItem(item, conferenceId, author, checker)
    }),
  )
  const verified = snapshot.items.filter((_, index) => verdicts[index])
  const items = verified.map((item) => ({ ...item, author: authors.get(item.fingerprint)!.member }))
  return { items, authors, rejected: snapshot.items.length - items.length }
}

function fingerprintHex(certificate: Uint8Array): string {
  return bytesToHex(fingerprintOf(certificate))
}
