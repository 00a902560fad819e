/** All decoders of this package for what other members send, with samples. */
import type { MemberId } from "@keymoot/transport"
import { conferenceIdOf, decodeAnnouncedEnd, encodeAnnouncedEnd } from "@keymoot/transport/signaling-protocol"
import { decoder, type Decoder, Random } from "@keymoot/transport/testing"
import { base64urlnopad } from "@scure/base"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { CoderType } from "micro-packed"
import { KeymootError } from "../../src/api/index.ts"
import { cutIntoPieces, decodePiece } from "../../src/addressed/piece.ts"
import { decodeNotice, encodeNotice, type Notice } from "../../src/admission/statements/notice.ts"
import { decodeStatements, encodeStatements } from "../../src/admission/statements/statement-set.ts"
import {
  decodeStatement,
  NO_STATEMENT,
  signStatement,
  type StatementBody,
} from "../../src/admission/statements/statement.ts"
import {
  descriptorBlob,
  descriptorBody,
  ROOM_KEY_BYTES,
  signedDescriptor,
  type DescriptorBody,
} from "../../src/conference/descriptor-codec.ts"
import { formatInvitation, parseInvitation } from "../../src/conference/invitation.ts"
import { outsideBody } from "../../src/outside/outside-codec.ts"
import { SEAL_OVERHEAD_BYTES } from "../../src/ciphers/sealing.ts"
import { decodeTransfer, encodeTransfer, type Transfer } from "../../src/documents/document-messages.ts"
import { decodeArchive, encodeArchive } from "../../src/evidence/archive.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage } from "../../src/files/messages.ts"
import { formatTicket, parseTicket } from "../../src/files/ticket.ts"
import { ChunkAssembler, splitIntoChunks } from "../../src/history/chunks.ts"
import { decodeErasure, encodeErasure } from "../../src/history/erasure.ts"
import { decodeAuthoredItem, encodeAuthoredItem, type AuthoredItem } from "../../src/history/log-item.ts"
import { decodeSnapshot, encodeSnapshot } from "../../src/history/log-snapshot.ts"
import { decodeBatch, encodeBatch } from "../../src/multicast/batch.ts"
import {
  type AgreementBody,
  decodeAgreementBody,
  decodeRosterBody,
  encodeAgreementBody,
  encodeRosterBody,
  type RosterBody,
} from "../../src/secure-group/agreement-body.ts"
import {
  joinAttachments,
  splitAttachment,
  decodeSessionAttachment,
  encodeSessionAttachment,
} from "../../src/secure-group/attachments.ts"
import { decodeOrNull } from "../../src/wire/index.ts"

const random = new Random(8)
const [ada, bob] = ["a1", "b2"].map((byte) => byte.repeat(16)) as [MemberId, MemberId]
const hash = "5c".repeat(32)
const scope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
const signer = { member: ada, certificate: new Uint8Array(1), sign: async () => random.bytes(64) }

const bodies: readonly StatementBody[] = [
  { type: "role", subject: hash, role: "editor" },
  { type: "removal", subject: hash },
  { type: "generation", generation: 2, commitment: hash, removals: hash, staying: [hash, hash] },
  { type: "end", endsAtMs: 1_700_000_000_000 },
  {
    type: "ticket",
    subject: hash,
    fingerprint: hash,
    role: "viewer",
    generation: NO_STATEMENT,
    expiresAtMs: 1_700_000_000_000,
  },
]
const statements = await Promise.all(
  bodies.map((body) => {
    const statement = { issuer: hash, office: hash, number: 1, previous: NO_STATEMENT, heard: NO_STATEMENT, body }
    return signStatement(signer, scope, statement)
  }),
)
const stated = statements.map(({ bytes }) => bytes)
const notices: readonly Notice[] = [
  { type: "statements", statements: stated, vouch: random.bytes(136) },
  { type: "statements", statements: [], vouch: null },
  { type: "invitation", secret: random.bytes(16) },
  { type: "refusal" },
  { type: "outsideKey", key: random.bytes(32) },
  ...(["outsideMessage", "outsideAnswer"] as const).map((type) => ({
    type,
    sealed: { key: random.bytes(32), enc: random.bytes(32), ciphertext: random.bytes(50) },
  })),
]
const file = "0f".repeat(16)
const fileMessages: readonly FileMessage[] = [
  { kind: "want", file, part: "data", from: 3, count: 2 },
  { kind: "piece", file, part: "hashes", index: 1, bytes: random.bytes(9) },
  { kind: "refusal", file, reason: "gone" },
  { kind: "stop", file },
]
const ticket = {
  key: random.bytes(32),
  root: random.bytes(32),
  sizeBytes: 12_345,
  name: "Übersicht.pdf",
  type: "application/pdf",
}
const item: AuthoredItem = {
  id: file,
  fingerprint: hash,
  author: hash.slice(0, 32) as MemberId,
  after: hash,
  channel: "chat",
  payload: utf8ToBytes("Hello"),
  sentAtMs: 1_700_000_000_000,
  signature: random.bytes(64),
}
const position = { epoch: 3, view: hash, sequence: 8 }
const archive = {
  descriptor: random.bytes(30),
  blobKey: random.bytes(32),
  certificates: [random.bytes(9)],
  items: [{ item: { ...item, position }, passedOn: true }],
  documents: [{ name: "board", text: utf8ToBytes("{}") }],
  exportedAtMs: 1_700_000_000_000,
  exporter: random.bytes(9),
}
const agreements: readonly AgreementBody[] = [
  { type: "message", bytes: random.bytes(9) },
  { type: "confirmation", tag: random.bytes(32) },
  { type: "unicast", to: bob, bytes: random.bytes(9) },
  { type: "postQuantum", bytes: random.bytes(9) },
]
const rosterBodies: readonly RosterBody[] = (["unicast", "multicast"] as const).map((via) => ({
  via,
  statement: random.bytes(9),
  signature: random.bytes(64),
}))
const descriptorHash = random.bytes(32)
const links = [null, random.bytes(32)].map((roomKey) => {
  const link = { server: "https://meet.example", conferenceId: conferenceIdOf(descriptorHash), descriptorHash, roomKey }
  return utf8ToBytes(formatInvitation({ ...link, secret: random.bytes(16) }))
})
const fingerprints = [random.bytes(32).fill(1, 0, 1), random.bytes(32).fill(2, 0, 1)]
const body = {
  salt: random.bytes(16),
  creatorPublicKey: random.bytes(32),
  startsAtMs: 1_700_000_000_000,
  endsAtMs: 1_700_000_100_000,
  expiresAtMs: 1_700_000_100_000,
  keyAgreement: "tgdh",
  cipher: "aes-256-gcm",
  postQuantum: "hybrid",
  authenticity: "signature",
  history: "everything",
  hosts: [random.bytes(32)],
  generation: 1,
  sealedRoomKey: random.bytes(ROOM_KEY_BYTES + SEAL_OVERHEAD_BYTES),
  // Empty: nearly all changes would fall into the two kilobytes of a whole one.
  sealedBlob: random.bytes(SEAL_OVERHEAD_BYTES),
} as const
const descriptors: readonly DescriptorBody[] = [
  { ...body, hosts: [...body.hosts], admission: { policy: "link" } },
  { ...body, postQuantum: "off", hosts: fingerprints, admission: { policy: "roster", fingerprints } },
]
const TICKET_PREFIX = "keymoot-file:"

/** Values kept as raw bytes have no second encoding. */
function reader(samples: readonly Uint8Array[], read: (bytes: Uint8Array) => boolean): Decoder {
  return [samples, (bytes) => (read(bytes) ? bytes : null)]
}

export const decoders: Readonly<Record<string, Decoder>> = {
  batch: decoder(
    [
      [{ channel: "chat", kind: 1, sentAtMs: 5, payload: random.bytes(40) }],
      [{ channel: "Ü", kind: 0, sentAtMs: 0, payload: new Uint8Array() }],
    ],
    encodeBatch,
    decodeBatch,
  ),
  notice: decoder(notices, encodeNotice, decodeNotice),
  "list of statements": decoder<readonly Uint8Array[]>([stated, []], encodeStatements, decodeStatements),
  statement: reader(stated, (bytes) => decodeStatement(bytes) !== null),
  "session attachment": decoder(
    [
      { held: null, renews: true },
      { held: { epoch: 7, viewId: random.bytes(32) }, renews: false },
    ],
    encodeSessionAttachment,
    decodeSessionAttachment,
  ),
  piece: reader(
    [cutIntoPieces(random.bytes(30), [ada, bob], file), cutIntoPieces(random.bytes(9), [], file)].flat(),
    (bytes) => decodePiece(bytes) !== null,
  ),
  chunk: reader(
    splitIntoChunks(random.bytes(50)),
    (bytes) => new ChunkAssembler(1000).accept(bytes).type !== "rejected",
  ),
  "file message": decoder(fileMessages, encodeFileMessage, decodeFileMessage),
  erasure: decoder([{ channel: "chat", ids: [file, file] }], encodeErasure, decodeErasure),
  "log item": decoder([item], encodeAuthoredItem, decodeAuthoredItem),
  snapshot: decoder(
    [
      { items: [{ ...item, position }], certificates: [random.bytes(70)] },
      { items: [], certificates: [] },
    ],
    encodeSnapshot,
    decodeSnapshot,
  ),
  "body of an agreement frame": decoder(agreements, encodeAgreementBody, decodeAgreementBody),
  "body of a roster frame": decoder(rosterBodies, encodeRosterBody, decodeRosterBody),
  "signed descriptor": coded([{ body: random.bytes(30), signature: random.bytes(64) }], signedDescriptor),
  "descriptor's body": coded(descriptors, descriptorBody),
  "descriptor's sealed part": coded(
    [
      { title: "Übersicht", creatorCertificate: random.bytes(20), certificates: [], padding: new Uint8Array(9) },
      { title: "", creatorCertificate: random.bytes(20), certificates: [random.bytes(9)], padding: new Uint8Array() },
    ],
    descriptorBlob,
  ),
  "invitation link": reader(links, (bytes) => isInvitation(new TextDecoder().decode(bytes))),
  ticket: decoder(
    [ticket],
    (value) => base64urlnopad.decode(formatTicket(value).slice(TICKET_PREFIX.length)),
    readTicket,
  ),
  "hybrid attachment": reader(
    [joinAttachments(random.bytes(20), random.bytes(30)), joinAttachments(new Uint8Array(), random.bytes(4))],
    isHybridAttachment,
  ),
  "transfer of a document": decoder<Transfer>(
    [
      { kind: "own", update: random.bytes(9) },
      { kind: "whole", update: new Uint8Array() },
    ],
    encodeTransfer,
    decodeTransfer,
  ),
  "message of a waiting person": coded(
    ["Who are you?", ""].map((text) => ({ number: 3, replyKey: random.bytes(32), text, signature: random.bytes(64) })),
    outsideBody,
  ),
  "announced end": decoder(
    [{ times: { endsAtMs: 1_700_000_100_000, saidAtMs: 1_700_000_000_000 }, signature: random.bytes(64) }],
    ({ times, signature }) => encodeAnnouncedEnd(times, signature),
    decodeAnnouncedEnd,
  ),
  evidence: reader([concatBytes(encodeArchive(archive), random.bytes(64))], (bytes) => decodeArchive(bytes) !== null),
}

function coded<T>(samples: readonly T[], coder: CoderType<T>): Decoder {
  return decoder(
    samples,
    (value) => coder.encode(value),
    (bytes) => decodeOrNull(coder, bytes),
  )
}

/** Both parts are empty if the bytes are no such attachment. */
function isHybridAttachment(bytes: Uint8Array): boolean {
  const { classical, postQuantum } = splitAttachment(bytes)
  return classical.length + postQuantum.length > 0
}

/** Whitespace, a query and the like do not count in what people paste: there are many forms of one link. */
function isInvitation(link: string): boolean {
  try {
    parseInvitation(link)
    return true
  } catch (error) {
    requireCode(error, "invalid-link")
    return false
  }
}

/** It throws, as the reader of links does, because a person sees the message. */
function readTicket(bytes: Uint8Array): typeof ticket | null {
  try {
    const source = { conferenceId: "c0".repeat(16), owner: ada }
    const { file: _, owner: __, ...description } = parseTicket(TICKET_PREFIX + base64urlnopad.encode(bytes), source)
    return description
  } catch (error) {
    requireCode(error, "invalid-argument")
    return null
  }
}

/** @throws the error itself if it is another one */
function requireCode(error: unknown, code: string): void {
  if (!(error instanceof KeymootError) || error.code !== code) throw error
}
