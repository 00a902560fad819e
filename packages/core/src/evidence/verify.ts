import { bytesToHex } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import { type Descriptor, readDescriptor } from "../conference/descriptor.ts"
import { itemHash, NO_ITEM, type Position, verifyItem } from "../history/log-item.ts"
import { createCredentialChecker, type MemberCredential } from "../identity/certificates/credential-checker.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import {
  type Archive,
  archiveSigningBytes,
  decodeArchive,
  EVIDENCE_BYTES_MAX,
  OMITTED_DOCUMENT,
  OMITTED_LINE_CHARACTERS_MAX,
  OMITTED_LINES_MAX,
  sha256Hex,
} from "./archive.ts"

/**
 * The name is the one in the certificate. In a conference without an authority its owner chose it. `fingerprint`:
 * SHA-256 of the certificate. `publicKey`: raw Ed25519 key, which the person's app shows too. Both in hex.
 */
export type EvidencePerson = { readonly name: string; readonly fingerprint: string; readonly publicKey: string }

export type EvidenceMessage = {
  readonly author: EvidencePerson
  readonly id: string
  readonly channel: string
  readonly data: Uint8Array
  readonly text: string
  /** The author's clock, milliseconds since 1970. */
  readonly sentAtMs: number
  /** As the exporter says. */
  readonly position: Position
  /** The exporter received it from a member that is not its author, as the exporter says. */
  readonly passedOn: boolean
  /** Place in the archive of the message that its author had seen last; null if that is not in the archive. */
  readonly after: number | "none" | null
  /**
   * False if the author's certificate was not valid at the message's time, which is no earlier than that of the
   * messages before it. A thief of the key of an expired certificate can still claim an earlier time and build on
   * nothing later.
   */
  readonly certified: boolean
}

export type Evidence = {
  readonly conference: {
    readonly id: string
    readonly title: string
    readonly creator: EvidencePerson
    readonly admission: Descriptor["admission"]["policy"]
    readonly startsAtMs: number
    readonly endsAtMs: number
  }
  readonly messages: readonly EvidenceMessage[]
  /** Signed by the exporter only. */
  readonly documents: readonly { readonly name: string; readonly text: string; readonly sha256: string }[]
  /** Left out of the documents, as the exporter says; the app writes `pictures` and `board`. */
  readonly omitted: readonly string[]
  readonly exporter: EvidencePerson
  /** The exporter's clock. */
  readonly exportedAtMs: number
}

/** Part of an archive that failed. `number` counts certificates and messages from 1; null for the other parts. */
export type EvidenceFault = {
  readonly part: "size" | "format" | "conference" | "certificate" | "message" | "order" | "exporter"
  readonly number: number | null
}

export type EvidenceVerdict =
  { readonly valid: true; readonly evidence: Evidence } | { readonly valid: false; readonly fault: EvidenceFault }

class Fault extends Error {
  readonly fault: EvidenceFault
  constructor(part: EvidenceFault["part"], number: number | null = null) {
    super(part)
    this.fault = { part, number }
  }
}

/**
 * Verifies an archive of `ConferenceHandle.evidence` without a server.
 * @throws KeymootError `invalid-argument` for anything but bytes, because that is no verdict about an archive
 */
export async function verifyEvidence(bytes: Uint8Array): Promise<EvidenceVerdict> {
  // Accepts arrays of other realms too.
  if (Object.prototype.toString.call(bytes) !== "[object Uint8Array]") {
    throw new KeymootError("invalid-argument", "Pass the archive as a Uint8Array, such as new Uint8Array(arrayBuffer).")
  }
  try {
    return { valid: true, evidence: await verified(bytes) }
  } catch (error) {
    if (error instanceof Fault) return { valid: false, fault: error.fault }
    throw error
  }
}

async function verified(bytes: Uint8Array): Promise<Evidence> {
  if (bytes.length > EVIDENCE_BYTES_MAX) throw new Fault("size")
  // Copied: a Buffer of Node shares memory where an Uint8Array copies, and the caller may reuse its own.
  const decoded = decodeArchive(new Uint8Array(bytes))
  if (!decoded) throw new Fault("format")
  const { archive, signed, signature } = decoded
  const now = (): number => archive.exportedAtMs
  const conference = await readDescriptor(archive.descriptor, archive.blobKey, now()).catch(() => {
    throw new Fault("conference")
  })
  const { admission, startsAtMs, endsAtMs } = conference
  const demands = admission.policy === "ca" ? { authority: admission.authority, refused: () => undefined } : undefined
  const checker = createCredentialChecker(now, demands)
  // Otherwise an author could make every archive invalid with a certificate that expires soon.
  const authorChecker = createCredentialChecker(now, demands, () => startsAtMs)
  const admitted = async (certificate: Uint8Array, by = checker): Promise<MemberCredential | null> => {
    const person = await by.check(certificate)
    return person && isNamed(person, conference) ? person : null
  }
  const authors = new Map<string, MemberCredential>()
  for (const [index, certificate] of archive.certificates.entries()) {
    const author = await admitted(certificate, authorChecker)
    const fingerprint = author && printOf(author)
    if (!fingerprint || authors.has(fingerprint)) throw new Fault("certificate", index + 1)
    authors.set(fingerprint, author)
  }
  const isSigned: IsSigned = (item, author) =>
    verifyItem({ ...item, author: author.member }, conference.conferenceId, author, checker)
  let atMs = 0
  const checkerThen = createCredentialChecker(() => atMs, demands)
  const wasValid: WasValid = async ({ certificate }, thenMs) => {
    atMs = thenMs
    return (await checkerThen.check(certificate)) !== null
  }
  const messages = await verifiedMessages(archive, authors, isSigned, wasValid)
  const exporter = await admitted(archive.exporter)
  if (!exporter || !(await checker.verify(exporter.publicKey, archiveSigningBytes(signed), signature))) {
    throw new Fault("exporter")
  }
  const { conferenceId: id, title, creator } = conference
  return {
    conference: { id, title, creator: personOf(creator), admission: admission.policy, startsAtMs, endsAtMs },
    messages,
    ...documentsOf(archive),
    exporter: personOf(exporter),
    exportedAtMs: archive.exportedAtMs,
  }
}

function documentsOf({ documents }: Archive): Pick<Evidence, "documents" | "omitted"> {
  const all = documents.map(({ name, text }) => {
    return { name, text: textOf(text), sha256: sha256Hex(text) }
  })
  const statements = all.filter(({ name }) => name === OMITTED_DOCUMENT)
  return {
    documents: all.filter(({ name }) => name !== OMITTED_DOCUMENT),
    omitted: statements
      .flatMap(({ text }) => text.split("\n", OMITTED_LINES_MAX))
      .filter((line) => line !== "")
      .slice(0, OMITTED_LINES_MAX)
      .map((line) => line.slice(0, OMITTED_LINE_CHARACTERS_MAX)),
  }
}

/** Keeps a byte order mark: a document that is saved from its text must have its hash. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
}

type IsSigned = (item: Archive["items"][number]["item"], author: MemberCredential) => Promise<boolean>
type WasValid = (author: MemberCredential, thenMs: number) => Promise<boolean>

async function verifiedMessages(
  { items, exportedAtMs }: Archive,
  authors: ReadonlyMap<string, MemberCredential>,
  isSigned: IsSigned,
  wasValid: WasValid,
): Promise<EvidenceMessage[]> {
  const unused = new Set(authors.keys())
  const places = new Map<string, number>()
  for (const [index, { item }] of items.entries()) {
    const author = authors.get(item.fingerprint)
    if (!author || !(await isSigned(item, author))) throw new Fault("message", index + 1)
    const hash = itemHash(item)
    if (places.has(hash)) throw new Fault("message", index + 1)
    places.set(hash, index)
    unused.delete(item.fingerprint)
  }
  if (unused.size > 0) throw new Fault("certificate", [...authors.keys()].indexOf([...unused][0]!) + 1)
  const messages: EvidenceMessage[] = []
  const timesMs: number[] = []
  for (const [index, { item, passedOn }] of items.entries()) {
    const after = item.after === NO_ITEM ? "none" : (places.get(item.after) ?? null)
    if (typeof after === "number" && after >= index) throw new Fault("order", index + 1)
    const { id, channel, payload: data, sentAtMs, position } = item
    const author = authors.get(item.fingerprint)!
    // Up to the export: a wrong clock of one author must not make the messages after it look uncertified.
    const thenMs = Math.min(exportedAtMs, Math.max(sentAtMs, typeof after === "number" ? timesMs[after]! : 0))
    timesMs.push(thenMs)
    const certified = await wasValid(author, thenMs)
    const text = textOf(data)
    messages.push({ author: personOf(author), id, channel, data, text, sentAtMs, position, passedOn, after, certified })
  }
  return messages
}

function isNamed(person: MemberCredential, { admission }: Pick<Descriptor, "admission">): boolean {
  return admission.policy !== "roster" || admission.roster.some((named) => printOf(named) === printOf(person))
}

function printOf({ certificate }: MemberCredential): string {
  return bytesToHex(fingerprintOf(certificate))
}

function personOf(credential: MemberCredential): EvidencePerson {
  const { name, publicKey } = credential
  return { name, fingerprint: printOf(credential), publicKey: bytesToHex(publicKey) }
}
