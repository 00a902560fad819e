import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { DESCRIPTOR_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import * as P from "micro-packed"
import { itemHash, type LogItem, logItemCoder } from "../history/log-item.ts"
import { LOG_ITEMS_MAX } from "../history/conference-log.ts"
import { CERTIFICATE_BYTES_MAX } from "../identity/certificates/certificate.ts"
import { boundedBytes, boundedList, decodeOrNull, domainSeparated, timestampMs, versionByte } from "../wire/index.ts"

/** Bound on an archive. A verifier reads no larger file. */
export const EVIDENCE_BYTES_MAX = 32 * 1024 * 1024
export const EVIDENCE_DOCUMENTS_MAX = 16
/** Bound on the bytes of all documents, so that a full log fits beside them. */
export const EVIDENCE_DOCUMENT_BYTES_MAX = 24 * 1024 * 1024
/** A document of this name states what the exporter left out, a line each. */
export const OMITTED_DOCUMENT = "omitted"
/** Bounds on what a verifier reports of that document. Otherwise a forged file could fill the screen. */
export const OMITTED_LINES_MAX = 16
export const OMITTED_LINE_CHARACTERS_MAX = 200
export const EVIDENCE_CERTIFICATES_MAX = 256
const SIGNATURE_BYTES = 64

/** Evidence of a conversation, as its exporter signs it. */
export type Archive = {
  /** As its creator signed it. */
  readonly descriptor: Uint8Array
  /** Decrypts title and certificates in the descriptor, and nothing else. */
  readonly blobKey: Uint8Array
  /** DER, of the authors. */
  readonly certificates: readonly Uint8Array[]
  /** In the order of the exporter, and none before an item that it names in `after`. */
  readonly items: readonly { readonly item: LogItem; readonly passedOn: boolean }[]
  /** Signed by the exporter only. */
  readonly documents: readonly { readonly name: string; readonly text: Uint8Array }[]
  readonly exportedAtMs: number
  /** DER. */
  readonly exporter: Uint8Array
}

const fields = P.struct({
  name: P.magic(P.bytes(16), utf8ToBytes("keymoot evidence")),
  version: versionByte(1),
  descriptor: boundedBytes(P.U16BE, DESCRIPTOR_BYTES_MAX),
  blobKey: P.bytes(32),
  certificates: boundedList(boundedBytes(P.U16BE, CERTIFICATE_BYTES_MAX), EVIDENCE_CERTIFICATES_MAX),
  items: boundedList(P.struct({ item: logItemCoder, passedOn: P.bool }), LOG_ITEMS_MAX),
  documents: boundedList(
    P.struct({ name: P.string(P.U8), text: boundedBytes(P.U32BE, EVIDENCE_DOCUMENT_BYTES_MAX) }),
    EVIDENCE_DOCUMENTS_MAX,
  ),
  exportedAtMs: timestampMs,
  exporter: boundedBytes(P.U16BE, CERTIFICATE_BYTES_MAX),
})

/** Returns the archive without its signature. @throws RangeError if it exceeds a bound */
export function encodeArchive(archive: Archive): Uint8Array {
  const { certificates, items, documents, ...rest } = archive
  const sizeBytes = documents.reduce((sum, { text }) => sum + text.length, 0)
  if (sizeBytes > EVIDENCE_DOCUMENT_BYTES_MAX)
    throw new RangeError(`documents of more than ${EVIDENCE_DOCUMENT_BYTES_MAX} bytes`)
  return fields.encode({ ...rest, certificates: [...certificates], items: [...items], documents: [...documents] })
}

/** Returns null unless the bytes are an archive and a signature. Nothing in it is verified yet. */
export function decodeArchive(
  bytes: Uint8Array,
): { archive: Archive; signed: Uint8Array; signature: Uint8Array } | null {
  if (bytes.length > EVIDENCE_BYTES_MAX || bytes.length < SIGNATURE_BYTES) return null
  const signed = bytes.subarray(0, -SIGNATURE_BYTES)
  const archive = decodeOrNull(fields, signed)
  return archive && { archive, signed, signature: bytes.subarray(-SIGNATURE_BYTES) }
}

/** Bytes that the exporter signs: a digest, so that a signature of a large archive needs no copy. */
export function archiveSigningBytes(signed: Uint8Array): Uint8Array {
  return domainSeparated("keymoot v1 evidence", sha256(signed))
}

/**
 * Returns the items in their order, each behind the one that it names in `after`. A member that transferred history can
 * have given positions that contradict this.
 */
export function behindTheirPredecessors(items: Iterable<LogItem>): LogItem[] {
  const byHash = new Map([...items].map((item) => [itemHash(item), item]))
  const ordered = new Set<LogItem>()
  for (const item of byHash.values()) {
    const chain: LogItem[] = []
    // A hash cannot be in its own past, so this ends.
    for (let at: LogItem | undefined = item; at && !ordered.has(at); at = byHash.get(at.after)) chain.push(at)
    for (const next of chain.toReversed()) ordered.add(next)
  }
  return [...ordered]
}

export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes))
}
