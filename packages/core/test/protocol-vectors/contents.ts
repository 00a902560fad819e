import { nobleHopCipher } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import { commitmentOf, NO_STATEMENT, removalsDigest, signStatement } from "../../src/admission/statements/statement.ts"
import { digestOf, type Statement } from "../../src/admission/statements/statement.ts"
import { signVouch } from "../../src/admission/statements/vouch.ts"
import { createDescriptor } from "../../src/conference/create-descriptor.ts"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { loadCipher } from "../../src/ciphers/load-cipher.ts"
import { FileCipher, hashesOf, rootOf } from "../../src/files/cipher.ts"
import { chunksOf } from "../../src/files/layout.ts"
import { formatTicket, ticketOf } from "../../src/files/ticket.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { encodeAuthoredItem, signItem } from "../../src/history/log-item.ts"
import { batchNumber, encodeBatch, type BatchMessage } from "../../src/multicast/batch.ts"
import { encodeAssociatedData, EpochCipher } from "../../src/multicast/epoch.ts"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Cipher, OwnModule } from "../../src/api/index.ts"
import { NOW_MS, type Person } from "./people.ts"
import type { VectorFile } from "./vector-file.ts"

const conferenceId = fixedBytes("conference", 16)
const scope = { conferenceId, descriptorHash: fixedBytes("descriptor") }
const CONFERENCE = bytesToHex(conferenceId)

/** Certificates, a descriptor and what leads from a link to the room key. */
export async function descriptorFile([ada, bob]: readonly [Person, Person]): Promise<VectorFile> {
  const of = async (
    policy: "link" | "roster",
    cipher: Cipher | OwnModule = "aes-256-gcm",
    keyAgreement: "tgdh" | OwnModule = "tgdh",
  ) => {
    const creator = { ...ada, id: "", certifications: [], former: [], fingerprint: bytesToHex(ada.fingerprint) }
    const admission = policy === "link" ? ({ policy } as const) : ({ policy, others: [bob] } as const)
    const times = { startsAtMs: NOW_MS, durationMs: 3_600_000 }
    const common = { server: "https://meet.example", creator, title: "Vectors ✓", ...times } as const
    const made = await createDescriptor({ ...common, keyAgreement, cipher, admission, history: "everything" })
    const { secret, descriptorHash, conferenceId: id } = made.invitation
    return {
      input: {
        policy,
        keyAgreement,
        cipher,
        creator: ada.certificate,
        others: policy === "link" ? [] : [bob.certificate],
      },
      output: { descriptor: made.bytes, linkSecret: secret, descriptorHash, conferenceId: id, verifier: made.verifier },
    }
  }
  return {
    name: "descriptor",
    about: "Signed descriptors, and the link that opens them",
    see: "Descriptor",
    vectors: [await of("link"), await of("roster"), await of("link", "own:example-1.0", "own:star-2")],
  }
}

export function identityFile(people: readonly Person[]): VectorFile {
  return {
    name: "identity",
    about: "Self-signed certificates of members, and what is derived from them",
    see: "Conventions",
    vectors: people.map(({ name, seed, publicKey, certificate, fingerprint, member }) => {
      return { name, seed, publicKey, certificate, fingerprint, member }
    }),
  }
}

/** Chained statements of two hosts, a vouch and the digests. */
export async function statementFile([ada, bob, eve]: readonly [Person, Person, Person]): Promise<VectorFile> {
  const key = (person: Person): string => bytesToHex(person.publicKey)
  const secret = fixedBytes("secret of generation 2", 16)
  const first = { issuer: key(ada), office: NO_STATEMENT, number: 1, previous: NO_STATEMENT, heard: NO_STATEMENT }
  const made: ({ by: string; id: string; bytes: Uint8Array } & Statement)[] = []
  const say = async (person: Person, statement: Statement): Promise<string> => {
    const { id, bytes } = await signStatement(person.signer, scope, statement)
    made.push({ by: person.name, id, ...statement, bytes })
    return id
  }
  const role = await say(ada, { ...first, body: { type: "role", subject: key(bob), role: "host" } })
  const removal = await say(ada, {
    ...first,
    number: 2,
    previous: role,
    body: { type: "removal", subject: key(eve) },
  })
  const generation = await say(ada, {
    ...first,
    number: 3,
    previous: removal,
    body: {
      type: "generation",
      generation: 2,
      commitment: commitmentOf(secret, scope),
      removals: removalsDigest([key(eve)]),
      staying: [key(bob)],
    },
  })
  const ticket = await say(bob, {
    issuer: key(bob),
    office: role,
    number: 1,
    previous: role,
    heard: NO_STATEMENT,
    body: {
      type: "ticket",
      subject: key(eve),
      fingerprint: bytesToHex(eve.fingerprint),
      role: "viewer",
      generation,
      expiresAtMs: NOW_MS + 60_000,
    },
  })
  const end = await say(ada, {
    ...first,
    number: 4,
    previous: generation,
    body: { type: "end", endsAtMs: NOW_MS + 1_800_000 },
  })
  await say(ada, {
    ...first,
    number: 5,
    previous: end,
    heard: ticket,
    body: { type: "role", subject: key(bob), role: "editor" },
  })
  const digest = digestOf(
    "keymoot v1 statements",
    made.map(({ id }) => id),
  )
  const vouch = await signVouch(ada.signer, scope, { issuer: key(ada), digest, saidAtMs: NOW_MS })
  return {
    name: "statements",
    about: "All five kinds of statements in their order with their fields, the digest of them all and a vouch",
    see: "Messages outside the group",
    vectors: [{ ...scope, generationSecret: secret, statements: made, digest, vouch: vouch.bytes }],
  }
}

/** A file of three chunks. */
export async function fileFile([ada]: readonly [Person]): Promise<VectorFile> {
  const content = concatBytes(...Array.from({ length: 1100 }, (_, i) => fixedBytes(`file ${i}`)))
  const key = fixedBytes("file key")
  const sealed = await new FileCipher({ key }, { conferenceId: CONFERENCE, cipher: aesGcm }).seal(0, content)
  const list = await hashesOf(sealed)
  const root = await rootOf(content.length, list)
  const description = { key, root, sizeBytes: content.length, name: "plan ✓.txt", type: "text/plain" }
  const source = { conferenceId: CONFERENCE, owner: ada.member }
  return {
    name: "files",
    about: "A file of three chunks: block i of the content is SHA-256 of the text `keymoot vectors: file i`",
    see: "Files",
    vectors: [
      {
        input: { conferenceId, owner: ada.member, ...description, blocks: 1100 },
        output: {
          hashes: list,
          lastChunk: chunksOf(sealed).at(-1)!,
          ticket: formatTicket(description),
          id: ticketOf(description, source).file,
        },
      },
    ],
  }
}

/** Batches, a log item, chunks. */
export async function contentFile([ada]: readonly [Person]): Promise<VectorFile> {
  const message = { channel: "chat", payload: utf8ToBytes("Hello ✓"), sentAtMs: NOW_MS }
  const item = await signItem(ada.signer, CONFERENCE, message)
  const bytes = encodeAuthoredItem(item)
  const small: BatchMessage[] = [{ ...message, kind: 0 }]
  const batches: BatchMessage[][] = [
    small,
    [
      { channel: "chat", kind: 1, payload: bytes, sentAtMs: NOW_MS },
      { channel: "chat", kind: 1, payload: new Uint8Array(0), sentAtMs: NOW_MS },
      { channel: "keymoot/key", kind: 6, payload: new Uint8Array(0), sentAtMs: NOW_MS + 1 },
      { channel: "board", kind: 0, payload: new Uint8Array(1100).fill(0x5a), sentAtMs: NOW_MS + 1 },
    ],
    small,
    small,
  ]
  const services = ["agreed", "unreliable", "agreed", "unreliable"] as const
  const names = ["aes-256-gcm", "aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"] as const
  const sealed = []
  for (const [i, messages] of batches.entries()) {
    const key = fixedBytes("sender key")
    const place = { conferenceId: CONFERENCE, viewId: bytesToHex(fixedBytes("view")), epoch: 5, sender: ada.member }
    const sequence = batchNumber(services[i]!, i + 1)
    const whole = { ...place, incarnation: 2, service: services[i]!, sequence }
    const dataCipher = await loadCipher(names[i]!, nobleHopCipher)
    const cipher = new EpochCipher(dataCipher, { member: ada.member, incarnation: 2, key: key.slice() }, [])
    const associatedData = encodeAssociatedData(whole)
    const plaintext = encodeBatch(messages)
    const body = (await cipher.seal(sequence, associatedData, plaintext))!
    sealed.push({ cipher: names[i]!, key, ...whole, messages, plaintext, associatedData, body })
  }
  return {
    name: "content",
    about: "A log item, batches sealed with each cipher, and a transfer in chunks",
    see: "Batch",
    vectors: [
      { logItem: { ...item, conferenceId, certificate: ada.certificate, bytes } },
      ...sealed.map((batch) => ({ batch: batch as never })),
      { chunks: { content: bytes, transfer: "00".repeat(16), bytes: splitIntoChunks(bytes, "00".repeat(16)) } },
    ],
  }
}
