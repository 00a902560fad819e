import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { type EvidenceDocument, KeymootError } from "../api/index.ts"
import type { LogItem } from "../history/log-item.ts"
import type { LogSnapshot } from "../history/log-snapshot.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { archiveSigningBytes, behindTheirPredecessors, encodeArchive } from "./archive.ts"

/** Everything that a member needs to write an archive. */
export type Exporting = {
  readonly descriptor: Uint8Array
  readonly blobKey: Uint8Array
  readonly log: LogSnapshot
  readonly documents: readonly EvidenceDocument[]
  readonly exportedAtMs: number
}

/** Returns a signed archive. @throws KeymootError `too-large` */
export async function exportEvidence(
  { log, documents, ...rest }: Exporting,
  { signer }: Pick<OwnIdentity, "signer">,
): Promise<Uint8Array> {
  const items = behindTheirPredecessors(log.items).map((item: LogItem) => {
    return { item, passedOn: item.transferredBy !== undefined }
  })
  const texts = documents.map(({ name, text }) => ({ name, text: utf8ToBytes(text) }))
  let signed: Uint8Array
  try {
    const { certificates } = log
    signed = encodeArchive({ ...rest, items, certificates, documents: texts, exporter: signer.certificate })
  } catch (cause) {
    const message = "The documents are too large for an archive: 16 of them, and 24 MiB in all, fit."
    throw new KeymootError("too-large", message, { cause })
  }
  return concatBytes(signed, await signer.sign(archiveSigningBytes(signed)))
}
