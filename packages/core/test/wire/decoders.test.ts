/** Everything that this package reads of other members: no decoder throws, and none takes two forms of one thing. */
import type { MemberId } from "@keymoot/transport"
import { decoder, type Decoder, Random, tryDecoders } from "@keymoot/transport/testing"
import { base64urlnopad } from "@scure/base"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { CoderType } from "micro-packed"
import { expect, test } from "vitest"
import { cutIntoPieces, decodePiece } from "../../src/addressed/piece.ts"
import { decodeNotice, encodeNotice, type Notice } from "../../src/admission/notice.ts"
import { decodeStatements, encodeStatements } from "../../src/admission/statement-set.ts"
import { decodeStatement, NO_STATEMENT, signStatement, type StatementBody } from "../../src/admission/statement.ts"
import {
  descriptorBlob,
  descriptorBody,
  ROOM_KEY_BYTES,
  signedDescriptor,
  type DescriptorBody,
} from "../../src/conference/descriptor-codec.ts"
import { formatInvitation, parseInvitation } from "../../src/conference/index.ts"
import { SEAL_OVERHEAD_BYTES } from "../../src/conference/sealing.ts"
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
import { decodeSessionAttachment, encodeSessionAttachment } from "../../src/secure-group/session-attachment.ts"
import { decodeOrNull } from "../../src/wire/index.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
const INPUTS = 150_000

const random = new Random(8)
const [ada, bob] = ["a1", "b2"].map((byte) => byte.repeat(16)) as [MemberId, MemberId]
const hash = "5c".repeat(32)
const scope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
const signer = { member: ada, certificate: new Uint8Array(1), sign: async () => random.bytes(64) }

const bodies: readonly StatementBody[] = [
  { type: "role", subject: hash, role: "editor" },
  { type: "removal", subject: hash },
  { type: "generation", generation: 2, commitment: hash, removals: hash, staying: [hash, hash] },
  { type: "ticket", fingerprint: hash, role: "viewer", generation: NO_STATEMENT, expiresAtMs: 1_700_000_000_000 },
]
const statements = await Promise.all(
  bodies.map((body) => {
    const statement = { issuer: hash, number: 1, previous: NO_STATEMENT, heard: NO_STATEMENT, body }
    return signStatement(signer, scope, statement)
  }),
)
const stated = statements.map(({ bytes }) => bytes)
const notices: readonly Notice[] = [
  { type: "statements", statements: stated, vouch: random.bytes(136) },
  { type: "statements", statements: [], vouch: null },
  { type: "invitation", secret: random.bytes(16) },
  { type: "refusal" },
]
const file = "0f".repeat(16)
const fileMessages: readonly FileMessage[] = [
  { kind: "want", file, part: "data", from: 3, count: 2 },
  { kind: "piece", file, part: "hashes", index: 1, bytes: random.bytes(9) },
  { kind: "refusal", file, reason: "gone" },
  { kind: "stop", file },
]
const ticket = {
  file,
  owner: ada,
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
  channel: "chat",
  payload: utf8ToBytes("Hello"),
  sentAtMs: 1_700_000_000_000,
  signature: random.bytes(64),
}
const position = { epoch: 3, view: hash, sequence: 8 }
const agreements: readonly AgreementBody[] = [
  { type: "message", bytes: random.bytes(9) },
  { type: "confirmation", tag: random.bytes(32) },
  { type: "unicast", to: bob, bytes: random.bytes(9) },
]
const rosterBodies: readonly RosterBody[] = (["unicast", "multicast"] as const).map((via) => ({
  via,
  statement: random.bytes(9),
  signature: random.bytes(64),
}))
const invitation = { server: "https://meet.example", conferenceId: file, secret: random.bytes(16) }
const links = [null, random.bytes(32)].map((roomKey) =>
  utf8ToBytes(formatInvitation({ ...invitation, descriptorHash: random.bytes(32), roomKey })),
)
const fingerprints = [random.bytes(32).fill(1, 0, 1), random.bytes(32).fill(2, 0, 1)]
const body = {
  conferenceId: file,
  creatorPublicKey: random.bytes(32),
  startsAtMs: 1_700_000_000_000,
  endsAtMs: 1_700_000_100_000,
  expiresAtMs: 1_700_000_100_000,
  keyAgreement: "tgdh",
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
  { ...body, hosts: fingerprints, admission: { policy: "roster", fingerprints } },
]
const TICKET_PREFIX = "keymoot-file:"

/** Of what is kept as it came there is no other encoding. */
function reader(samples: readonly Uint8Array[], read: (bytes: Uint8Array) => boolean): Decoder {
  return [samples, (bytes) => (read(bytes) ? bytes : null)]
}

const decoders: Readonly<Record<string, Decoder>> = {
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
}

function coded<T>(samples: readonly T[], coder: CoderType<T>): Decoder {
  return decoder(
    samples,
    (value) => coder.encode(value),
    (bytes) => decodeOrNull(coder, bytes),
  )
}

/** Whitespace, a query and the like do not count in what people paste: there are many forms of one link. */
function isInvitation(link: string): boolean {
  try {
    parseInvitation(link)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-link" })
    return false
  }
}

/** Throws, as does what reads a link: this is what a person is told. */
function readTicket(bytes: Uint8Array): typeof ticket | null {
  try {
    return parseTicket(TICKET_PREFIX + base64urlnopad.encode(bytes))
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-argument" })
    return null
  }
}

test.each(Object.entries(decoders))("%s: what was made here is read as it is", (_, [samples, again]) => {
  for (const sample of samples) expect(again(sample)).toEqual(sample)
})

test(
  `random and mutated inputs never get past the decoders of this package by an exception, nor as a second encoding`,
  COMPUTED,
  () => {
    const taken = tryDecoders(random, decoders, INPUTS)
    // Or nothing but the first check of all would have been tried.
    for (const [name, count] of taken) expect(count, name).toBeGreaterThan(INPUTS / taken.size / 100)
  },
)
