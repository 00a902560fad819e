import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { blobKeyOf, openDescriptor } from "../../src/conference/descriptor.ts"
import { createDescriptor } from "../../src/conference/create-descriptor.ts"
import { type Archive, archiveSigningBytes, decodeArchive, encodeArchive } from "../../src/evidence/archive.ts"
import { exportEvidence } from "../../src/evidence/export.ts"
import { type EvidenceFault, verifyEvidence } from "../../src/evidence/verify.ts"
import { itemHash, type LogItem, signItem } from "../../src/history/log-item.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { NOW_MS, type Person } from "./people.ts"
import type { Shown, VectorFile } from "./vector-file.ts"

/** Before any certificate was valid. Such a time counts only behind no message of a later one. */
const LONG_AGO_MS = Date.UTC(2024, 0, 1)

/** Archives of one conversation with one fault each. */
export async function archiveFile([ada, bob, eve]: readonly [Person, Person, Person]): Promise<VectorFile> {
  const creator = { ...ada, id: "", certifications: [], former: [], fingerprint: bytesToHex(ada.fingerprint) }
  const made = await createDescriptor({
    server: "https://meet.example",
    creator,
    title: "Figures ✓",
    keyAgreement: "tgdh",
    admission: { policy: "roster", others: [bob] },
    history: "everything",
    startsAtMs: NOW_MS,
    durationMs: 3_600_000,
  })
  const opened = await openDescriptor(
    made.bytes,
    made.invitation,
    createCredentialChecker(() => NOW_MS),
    NOW_MS,
  )
  const items: LogItem[] = []
  const say = async (person: Person, text: string, sentAtMs: number): Promise<void> => {
    const message = { channel: "chat", payload: utf8ToBytes(text), sentAtMs }
    const last = items.at(-1)
    const item = await signItem(person.signer, opened.conferenceId, message, last && itemHash(last))
    items.push({ ...item, position: { epoch: 3, view: "ab".repeat(32), sequence: items.length + 1 } })
  }
  await say(ada, "Three apples", LONG_AGO_MS)
  await say(bob, "Four ✓", NOW_MS + 1000)
  await say(ada, "Agreed", LONG_AGO_MS)
  const valid = await exportEvidence(
    {
      descriptor: made.bytes,
      blobKey: blobKeyOf(made.bytes, opened.roomKey),
      log: {
        items: [items[0]!, { ...items[1]!, transferredBy: { id: ada.member, name: ada.name } }, items[2]!],
        certificates: [ada.certificate, bob.certificate],
      },
      documents: [{ name: "board", text: "[1,2]" }],
      exportedAtMs: NOW_MS + 60_000,
    },
    bob,
  )
  const { archive } = decodeArchive(valid)!
  /** Signed again by this person, as a liar would. */
  const forged = async (change: Partial<Archive>, by = bob): Promise<Uint8Array> => {
    const signed = encodeArchive({ ...archive, exporter: by.certificate, ...change })
    return concatBytes(signed, await by.signer.sign(archiveSigningBytes(signed)))
  }
  const [first, second, third] = archive.items
  const other = { ...first!, item: { ...first!.item, payload: utf8ToBytes("Nine apples!") } }
  const certificates = [...archive.certificates, eve.certificate]
  const cases: readonly (readonly [string, Uint8Array, EvidenceFault | null])[] = [
    ["a byte behind it", concatBytes(valid, Uint8Array.of(0)), { part: "format", number: null }],
    ["another version", valid.map((byte, at) => (at === 16 ? 2 : byte)), { part: "format", number: null }],
    ["another key of the blob", await forged({ blobKey: ada.seed }), { part: "conference", number: null }],
    [
      "a certificate twice",
      await forged({ certificates: [ada.certificate, ada.certificate] }),
      { part: "certificate", number: 2 },
    ],
    ["a certificate of nobody here", await forged({ certificates }), { part: "certificate", number: 3 }],
    ["a certificate without a message", await forged({ items: [first!] }), { part: "certificate", number: 2 }],
    ["another text", await forged({ items: [other, second!, third!] }), { part: "message", number: 1 }],
    ["a message twice", await forged({ items: [first!, second!, second!] }), { part: "message", number: 3 }],
    [
      "a message before its predecessor",
      await forged({ items: [second!, first!, third!] }),
      { part: "order", number: 1 },
    ],
    ["an exporter that is not named", await forged({}, eve), { part: "exporter", number: null }],
    ["another document", await changedDocument(), { part: "exporter", number: null }],
    ["a missing message", await forged({ items: [first!, third!], certificates: [ada.certificate] }), null],
    ["all of it", valid, null],
  ]
  function changedDocument(): Uint8Array {
    const changed = valid.slice()
    changed[Buffer.from(valid).lastIndexOf("[1,2]") + 1]! ^= 1
    return changed
  }
  return {
    name: "archive",
    about: "Archives of one conversation: the part that fails, or what the archive says",
    see: "Evidence archive",
    vectors: await Promise.all(
      cases.map(async ([name, bytes, fault]): Promise<Shown> => ({
        name,
        archive: bytes,
        fault,
        evidence: await shown(bytes),
      })),
    ),
  }
}

/** Null for an archive that is not valid. */
async function shown(bytes: Uint8Array): Promise<Shown> {
  const verdict = await verifyEvidence(bytes)
  if (!verdict.valid) return null
  const { conference, messages, documents, exporter, exportedAtMs } = verdict.evidence
  const said = messages.map(({ author, channel, data, sentAtMs, passedOn, after, certified }) => {
    return { author: author.name, channel, data, sentAtMs, passedOn, after, certified }
  })
  const texts = documents.map(({ name, text }) => ({ name, text }))
  return {
    id: conference.id,
    title: conference.title,
    messages: said,
    documents: texts,
    exporter: exporter.name,
    exportedAtMs,
  }
}
