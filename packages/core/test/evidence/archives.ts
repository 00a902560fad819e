import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { blobKeyOf, openDescriptor } from "../../src/conference/descriptor.ts"
import { createDescriptor, type CreateDescriptorOptions } from "../../src/conference/create-descriptor.ts"
import { type Archive, archiveSigningBytes, decodeArchive, encodeArchive } from "../../src/evidence/archive.ts"
import { exportEvidence } from "../../src/evidence/export.ts"
import { type AuthoredItem, itemHash, type LogItem, signItem } from "../../src/history/log-item.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"

export const NOW_MS = Date.UTC(2026, 0, 15, 12)
const checker = createCredentialChecker(() => NOW_MS)

/** A conference of these people without a network. */
export class PaperConference {
  readonly descriptor: Uint8Array
  readonly id: string
  readonly blobKey: Uint8Array
  readonly items: LogItem[] = []
  readonly #certificates = new Map<string, Uint8Array>()

  private constructor(descriptor: Uint8Array, id: string, blobKey: Uint8Array) {
    this.descriptor = descriptor
    this.id = id
    this.blobKey = blobKey
  }

  static async of(creator: OwnIdentity, admission: CreateDescriptorOptions["admission"] = { policy: "link" }) {
    const { bytes, invitation } = await createDescriptor({
      server: "https://meet.example",
      creator,
      title: "Quarterly figures",
      keyAgreement: "tgdh",
      admission,
      history: "everything",
      startsAtMs: NOW_MS,
      durationMs: 3_600_000,
    })
    const { conferenceId, roomKey } = await openDescriptor(bytes, invitation, checker, NOW_MS)
    return new PaperConference(bytes, conferenceId, blobKeyOf(bytes, roomKey))
  }

  /** `after`: the last message unless given. */
  async say(by: OwnIdentity, text: string, after?: AuthoredItem, sentAtMs?: number): Promise<LogItem> {
    const sequence = this.items.length + 1
    const last = after ?? this.items.at(-1)
    const message = { channel: "chat", payload: utf8ToBytes(text), sentAtMs: sentAtMs ?? NOW_MS + sequence }
    const signed = await signItem(by.signer, this.id, message, last && itemHash(last))
    const item = { ...signed, position: { epoch: 3, view: "ab".repeat(32), sequence } }
    this.items.push(item)
    this.#certificates.set(by.fingerprint, by.certificate)
    return item
  }

  export(by: OwnIdentity, documents = [{ name: "board", text: "[]" }]): Promise<Uint8Array> {
    const { descriptor, blobKey, items } = this
    const log = { items, certificates: [...this.#certificates.values()] }
    return exportEvidence({ descriptor, blobKey, log, documents, exportedAtMs: NOW_MS + 60_000 }, by)
  }
}

/** An archive that a member forges: changed, and signed again with its own key. */
export async function forged(
  bytes: Uint8Array,
  by: OwnIdentity,
  change: (archive: Archive) => Partial<Archive>,
): Promise<Uint8Array> {
  const { archive } = decodeArchive(bytes)!
  const signed = encodeArchive({ ...archive, exporter: by.certificate, ...change(archive) })
  return concatBytes(signed, await by.signer.sign(archiveSigningBytes(signed)))
}
