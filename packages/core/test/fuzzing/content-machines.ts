/** Machines of one member that take messages of others: documents, transfers of history, and files. Inputs are scripts. */
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { hexToBytes } from "@noble/hashes/utils.js"
import { decodeDirect, type MemberId } from "@keymoot/transport"
import * as Y from "yjs"
import { type CheckedUpdate, checkUpdate } from "../../src/documents/checked-update.ts"
import { contentDigest } from "../../src/documents/content-digest.ts"
import { exclude } from "../../src/documents/excluding.ts"
import { WaitingUpdates } from "../../src/documents/waiting-updates.ts"
import { decodeWish, encodeWish } from "../../src/documents/document-messages.ts"
import { FileExchange } from "../../src/files/exchange.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage } from "../../src/files/messages.ts"
import { parseTicket } from "../../src/files/ticket.ts"
import { createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { Arrivals, transferIn } from "../../src/history/arrivals.ts"
import { IncomingTransfers } from "../../src/history/incoming-transfers.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { messagesIn, scriptOf } from "./scripts.ts"

const [ada, eve, bob] = ["a1", "e5", "b2"].map((byte) => byte.repeat(16)) as [MemberId, MemberId, MemberId]
const CONFERENCE = "c0".repeat(16)
const BYTES_MAX = 1_000_000
/** Much more than an answer takes, also on a busy machine. */
const ANSWERS_WITHIN_MS = 30_000

const viewId = (view: number): string => `${view}`.padStart(32, "0").padEnd(64, "0")
export const chunksOf = (view: number, content: Uint8Array): Uint8Array[] =>
  splitIntoChunks(content, transferIn(viewId(view)))

/** Yjs clients: the document's first author, who has left, and the members that are present. */
const [FIRST, HOSTILE, HONEST, VICTIM] = [1, 2, 3, 4] as const

function drawingAt(client: number): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = FIRST
  doc.getMap("board").set("a", new Y.Map([["x", 3]]))
  doc.getText("notes").insert(0, "Hello ✓")
  doc.getArray("list").push([1, "two", null, Uint8Array.of(3)])
  doc.clientID = client
  return doc
}

/** Writes into each type, next to what is there. */
function write(doc: Y.Doc): Uint8Array {
  const before = Y.encodeStateVector(doc)
  doc.getMap("board").set("b", new Y.Map([["x", doc.clientID]]))
  doc.getText("notes").insert(doc.getText("notes").length >> 1, `${doc.clientID}`)
  doc.getArray("list").insert(doc.getArray("list").length >> 1, [doc.clientID, { y: 0.5 }])
  return Y.encodeStateAsUpdate(doc, before)
}

const hostile = drawingAt(HOSTILE)
const [first, second] = [write(hostile), write(hostile)]
hostile.getText("notes").delete(0, 4)
export const documentSeeds = [
  scriptOf([], [first, second]),
  scriptOf([], [Y.encodeStateAsUpdate(hostile), encodeWish({ turn: 1, doc: hostile })]),
]

/**
 * Parts of a document from one member, to two honest ones. Afterwards one of those writes, and the other has to have the
 * same document. It does not write at the same time: Yjs places an item with contradictory neighbours by the order of
 * arrival. The comparison of digests detects that.
 */
export async function runDocuments(script: Uint8Array): Promise<void> {
  const received = messagesIn(script).flatMap((bytes) => {
    decodeWish(bytes)
    const checked = checkUpdate(bytes)
    return (checked && exclude(checked, new Set([HONEST, VICTIM]))) ?? []
  })
  const [author, victim] = [drawingAt(HONEST), drawingAt(VICTIM)]
  const waiting = take(author, received)
  const honest = checkUpdate(write(author))
  waiting.retry()
  if (!honest) throw new Error("an honest change is refused")
  take(victim, [...received, honest])
  if (String(await contentDigest(victim)) !== String(await contentDigest(author)))
    throw new Error("an honest change does not arrive")
}

/** As a document takes them. Each has a sender of its own, since the order of one sender's changes is kept. */
function take(doc: Y.Doc, updates: readonly CheckedUpdate[]): WaitingUpdates {
  const apply = (update: Uint8Array): void => {
    Y.applyUpdate(doc, update)
    doc.store.pendingStructs = null
    doc.store.pendingDs = null
  }
  const waiting = new WaitingUpdates({ doc, updates: { take: apply }, refused: { take: () => undefined } })
  for (const [i, update] of updates.entries()) waiting.takeChange(`${i}` as MemberId, update)
  return waiting
}

/** Chunks of a member that has just come: a new view when a message is empty. Then a newcomer's transfer has to arrive. */
export function runTransfers(script: Uint8Array): void {
  const arrivals = new Arrivals()
  const transfers = new IncomingTransfers(arrivals, { bytesMax: BYTES_MAX, beginsWithinMs: 1000 })
  let views = 0
  const change = (newcomers: readonly MemberId[]): void => {
    const view = { id: viewId(++views), epoch: views }
    arrivals.onView({ view, present: [ada, eve, bob], newcomers, transitional: [], awaited: newcomers }, 0)
    transfers.onView()
  }
  change([eve])
  for (const chunk of messagesIn(script)) {
    if (chunk.length === 0) change([eve])
    const taken = transfers.accept(eve, chunk, 0)
    if (taken.type === "complete" && taken.bytes.length > BYTES_MAX) throw new Error("a transfer beyond its bound")
  }
  change([bob])
  const content = new Uint8Array(100_000).fill(7)
  const last = chunksOf(views, content)
    .map((chunk) => transfers.accept(bob, chunk, 0))
    .at(-1)
  if (last?.type !== "complete" || String(last.bytes) !== String(content)) throw new Error("a good transfer is lost")
}

/** Messages about files from one member, the first of them about a file that is offered. Then another one has to get it. */
export async function runFiles(script: Uint8Array): Promise<void> {
  const sent: { readonly to: MemberId; readonly message: FileMessage }[] = []
  const files = new FileExchange({
    conferenceId: CONFERENCE,
    cipher: aesGcm,
    shelf: "shelf",
    self: ada,
    blocks: createMemoryBlockStore(),
    mesh: {
      send: (to, bytes) => sent.push({ to, message: decodeFileMessage(decodeDirect(bytes)!)! }) > 0,
      bufferedBytes: () => 0,
      halfCongested: () => false,
    },
    links: { isLinked: () => true },
    driver: { view: { members: [ada, eve, bob].map((id) => ({ id, incarnation: 1 })) } },
    roster: { view: { status: "secured" } },
    clock: { now: () => 0 },
    sink: { take: () => undefined },
  })
  const offering = { content: new Blob([new Uint8Array(40_000)]), name: "x", type: "", watch: "" }
  const ticket = await files.offer(offering, new AbortController().signal)
  const { file } = parseTicket(ticket, { conferenceId: CONFERENCE, owner: ada })
  for (const bytes of messagesIn(script)) {
    // Most mutants of a random id name no file.
    files.receive(eve, bytes)
    files.receive(eve, withFile(bytes, file))
  }
  files.receive(bob, encodeFileMessage({ kind: "want", file, part: "data", from: 0, count: 1 }))
  const endMs = performance.now() + ANSWERS_WITHIN_MS
  while (performance.now() < endMs && !sent.some(({ to }) => to === bob))
    await new Promise((done) => setImmediate(done))
  const kinds = sent.filter(({ to }) => to === bob).map(({ message }) => message.kind)
  if (kinds[0] !== "piece") throw new Error(`another member gets ${kinds[0] ?? "nothing"} instead of a piece`)
}

/** The same message about this file: its id stands behind version and tag. */
function withFile(bytes: Uint8Array, file: string): Uint8Array {
  const same = Uint8Array.from(bytes)
  if (same.length >= 18) same.set(hexToBytes(file), 2)
  return same
}
