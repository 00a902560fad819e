import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { decodeDirect, type MemberId } from "@keymoot/transport"
import * as fc from "fast-check"
import { expect, test, vi } from "vitest"
import { FETCH_TURN_MS, FETCHES_AT_ONCE, FileExchange } from "../../src/files/exchange.ts"
import { createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { OfferedFile } from "../../src/files/offered-file.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS } from "../../src/files/layout.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage, WANTED_MAX } from "../../src/files/messages.ts"
import { REQUESTS_MAX, UNSENT_BLOCKS_BURST, UNSENT_BLOCKS_PER_SECOND } from "../../src/files/serving.ts"
import { formatTicket, parseTicket } from "../../src/files/ticket.ts"

const ADA = "a1".repeat(16) as MemberId
const BOB = "b0".repeat(16) as MemberId
const EVE = "e5".repeat(16) as MemberId
const MAL = "e6".repeat(16) as MemberId
const FILE = "0f".repeat(16)
const CONFERENCE = "c0".repeat(16)

/** Ada's end; `sent` is what leaves it. `full`: her link takes nothing at present. */
function exchange({ members = [ADA, EVE], full = (): boolean => false, blocks = createMemoryBlockStore() } = {}) {
  const sent: FileMessage[] = []
  let nowMs = 0
  const files = new FileExchange({
    conferenceId: CONFERENCE,
    cipher: aesGcm,
    shelf: "shelf",
    self: ADA,
    blocks,
    mesh: {
      send: (_, bytes) => {
        if (full()) return false
        sent.push(decodeFileMessage(decodeDirect(bytes)!)!)
        return true
      },
      bufferedBytes: () => 0,
      halfCongested: () => false,
    },
    links: { isLinked: () => true },
    driver: { view: { members: members.map((id) => ({ id, incarnation: 1 })) } },
    roster: { view: { status: "secured" } },
    clock: { now: () => nowMs },
    sink: { take: () => undefined },
  })
  const hear = (message: FileMessage, from = EVE): void => files.receive(from, encodeFileMessage(message))
  const pass = (ms: number) => (nowMs += ms)
  return { files, sent, hear, pass }
}
const want = (file: string, from = 0, count = 1): FileMessage => ({ kind: "want", file, part: "data", from, count })
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 20))
const offering = { content: new Blob([new Uint8Array(100_000)]), name: "x", type: "", watch: "" }

const never = new AbortController().signal
async function offer(files: FileExchange): Promise<string> {
  return parseTicket(await files.offer(offering, never), { conferenceId: CONFERENCE, owner: ADA }).file
}

test("a member that repeats a ticket cannot remove its owner's file", async () => {
  const { files, sent, hear } = exchange()
  const ticket = await files.offer(offering, never)
  const { file } = parseTicket(ticket, { conferenceId: CONFERENCE, owner: ADA })
  await files.remove({ ticket, owner: EVE })
  hear(want(file))
  await expect.poll(() => sent.map(({ kind }) => kind)).toEqual(["piece"])
  expect(await files.kept({ ticket, owner: ADA })).toBe(100_000)
})

test("takes a ticket that differs in anything as one of another file", async () => {
  const { files } = exchange()
  const text = await files.offer(offering, never)
  const source = { conferenceId: CONFERENCE, owner: ADA }
  const ticket = parseTicket(text, source)
  const changes = [{ root: new Uint8Array(32) }, { key: new Uint8Array(32) }, { sizeBytes: 1 }, { name: "y" }]
  const forged = [...changes, { type: "a/b" }].map((change) => formatTicket({ ...ticket, ...change }))
  const ids = forged.map((other) => parseTicket(other, source).file)
  const elsewhere = parseTicket(text, { ...source, conferenceId: "c1".repeat(16) }).file
  const evesIds = [text, ...forged].map((other) => parseTicket(other, { ...source, owner: EVE }).file)
  expect(new Set([ticket.file, ...ids, ...evesIds, elsewhere]).size).toBe(13)
  for (const other of forged) await files.remove({ ticket: other, owner: EVE })
  expect(await files.kept({ ticket: text, owner: ADA })).toBe(100_000)
})

test("bytes that are no message do nothing", () => {
  const { files } = exchange()
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => files.receive(EVE, bytes)))
})

test("refuses a file not offered or a piece that it lacks, at no cost", async () => {
  const { files, sent, hear } = exchange()
  hear(want(FILE))
  const file = await offer(files)
  hear(want(file, 4_000_000_000, 1))
  hear(want(file, 0, WANTED_MAX))
  await expect.poll(() => sent).toHaveLength(3)
  expect(sent.map(({ kind }) => kind)).toEqual(["refusal", "refusal", "refusal"])
})

test("answers nothing when a linked program is no member of the view", async () => {
  const { files, sent, hear } = exchange({ members: [ADA] })
  hear(want(await offer(files)))
  await settle()
  expect(sent).toEqual([])
})

test("a flood of requests by a member that takes nothing is dropped but for a few", async () => {
  let full = true
  const { files, sent, hear } = exchange({ full: () => full })
  const file = await offer(files)
  const chunks = 7
  for (let i = 0; i < 1000; i++) hear(want(file, 0, chunks))
  await settle()
  full = false
  files.acknowledged(EVE)
  await expect.poll(() => sent.length).toBe(REQUESTS_MAX * chunks)
  await settle()
  expect(sent).toHaveLength(REQUESTS_MAX * chunks)
})

/** Ada offers a file of two blocks. `reads`: how often a block of it was read since. */
async function counted() {
  const { files, sent, hear } = exchange()
  const content = new Blob([new Uint8Array(2 * BLOCK_BYTES)])
  const ticket = await files.offer({ ...offering, content }, never)
  const slice = content.slice.bind(content)
  let reads = 0
  Object.assign(content, { slice: (from: number, to: number) => (reads++, slice(from, to)) })
  const { file } = parseTicket(ticket, { conferenceId: CONFERENCE, owner: ADA })
  /** Resolves when the requests before are answered or dropped: they are served in sequence. */
  const answered = async (): Promise<void> => {
    const before = sent.length
    hear(want(FILE))
    await expect.poll(() => sent.slice(before).some(({ kind }) => kind === "refusal"), { interval: 1 }).toBe(true)
  }
  return { files, sent, hear, file, answered, reads: () => reads }
}

test("reads few blocks when Eve asks for single chunks of them", async () => {
  const { files, hear, file, answered, reads } = await counted()
  files.tick(0)
  for (let i = 0; i < 10 * UNSENT_BLOCKS_BURST; i++) {
    hear(want(file, (i % 2) * BLOCK_CHUNKS))
    await answered()
  }
  const inBurst = reads()
  expect(inBurst).toBeLessThanOrEqual(UNSENT_BLOCKS_BURST + 1)
  files.tick(4_000)
  for (let i = 0; i < 10; i++) hear(want(file))
  await answered()
  expect(reads() - inBurst).toBeGreaterThan(0)
  expect(reads() - inBurst).toBeLessThanOrEqual(4 * UNSENT_BLOCKS_PER_SECOND + 1)
})

test("drops the requests of Eve when she has stopped many whose blocks were read", async () => {
  let full = true
  const { files, sent, hear } = exchange({ full: () => full })
  const file = await offer(files)
  for (let i = 0; i < 2 * UNSENT_BLOCKS_BURST; i++) {
    hear(want(file))
    await settle()
    hear({ kind: "stop", file })
  }
  full = false
  hear(want(file))
  hear(want(FILE))
  await expect.poll(() => sent.map(({ kind }) => kind)).toEqual(["refusal"])
})

test("serves a member that takes whole blocks as often as it asks", async () => {
  const { sent, hear, file, answered } = await counted()
  for (let i = 0; i < 2 * UNSENT_BLOCKS_BURST; i++) {
    hear(want(file, (i % 2) * BLOCK_CHUNKS, BLOCK_CHUNKS))
    await answered()
  }
  expect(sent.filter(({ kind }) => kind === "piece")).toHaveLength(2 * UNSENT_BLOCKS_BURST * BLOCK_CHUNKS)
})

/** Ada fetches a file of this owner. The outcome follows in `outcomes`. */
function fetcher(files: FileExchange) {
  const outcomes: string[] = []
  const fetch = (root: number, owner: MemberId): string => {
    const about = { key: new Uint8Array(32), root: new Uint8Array(32).fill(root), sizeBytes: 1, name: "x", type: "" }
    const ticket = formatTicket(about)
    files.fetch({ ticket, owner }, never).catch((error: { code: string }) => outcomes.push(error.code))
    return parseTicket(ticket, { conferenceId: CONFERENCE, owner }).file
  }
  return { fetch, outcomes }
}
const asked = (file: string) => ({ kind: "want", file, part: "hashes", from: 0, count: 1 })

test("pieces and refusals that nobody asked for are ignored", async () => {
  const blocks = createMemoryBlockStore()
  const append = vi.spyOn(blocks, "append")
  const { files, sent, hear } = exchange({ members: [ADA, BOB, EVE], blocks })
  const { fetch, outcomes } = fetcher(files)
  const file = fetch(0, BOB)
  await expect.poll(() => sent).toEqual([asked(file)])
  const data = { kind: "piece", part: "data", index: 0, bytes: new Uint8Array(17) } as const
  const hashes = { kind: "piece", part: "hashes", index: 0, bytes: new Uint8Array(32) } as const
  for (const id of [FILE, file]) {
    for (const message of [data, hashes, { kind: "refusal", reason: "gone" } as const, { kind: "stop" } as const])
      hear({ ...message, file: id })
  }
  hear({ ...data, file }, BOB)
  await settle()
  expect(sent).toEqual([asked(file)])
  expect(append).not.toHaveBeenCalled()
  expect(outcomes).toEqual([])
  // Bob's answer still counts.
  hear({ kind: "refusal", file, reason: "gone" }, BOB)
  hear({ kind: "refusal", file, reason: "gone" })
  await expect.poll(() => outcomes).toEqual(["file-unavailable"])
})

test("fetches a file of Bob when Eve sends none of the many that she offered", async () => {
  const { files, sent } = exchange({ members: [ADA, BOB, EVE] })
  const { fetch } = fetcher(files)
  for (let i = 0; i < 2 * FETCHES_AT_ONCE; i++) fetch(i, EVE)
  const file = fetch(0, BOB)
  await settle()
  expect(sent).toContainEqual(asked(file))
  expect(sent).toHaveLength(FETCHES_AT_ONCE)
  await files.close()
})

test("fetches a file of Bob after a turn when Eve and Mal hold all places", async () => {
  const { files, sent, hear } = exchange({ members: [ADA, BOB, EVE, MAL] })
  const { fetch, outcomes } = fetcher(files)
  const [first] = [0, 1, 2, 3].map((root) => fetch(root, EVE))
  for (const root of [0, 1, 2]) fetch(root, MAL)
  const file = fetch(0, BOB)
  await settle()
  files.tick(FETCH_TURN_MS - 1)
  await settle()
  expect(sent).not.toContainEqual(asked(file))
  files.tick(FETCH_TURN_MS)
  await settle()
  expect(sent.slice(-2)).toEqual([{ kind: "stop", file: first }, asked(file)])
  expect(outcomes).toEqual([])
  hear({ kind: "refusal", file, reason: "gone" }, BOB)
  await settle()
  await files.close()
})

test("continues a file that left its place when the others have had theirs", async () => {
  const { files, sent, hear } = exchange({ members: [ADA, BOB, EVE, MAL] })
  const { fetch, outcomes } = fetcher(files)
  const [first] = [fetch(0, EVE), fetch(1, EVE), fetch(0, MAL)]
  const file = fetch(0, BOB)
  await settle()
  files.tick(FETCH_TURN_MS)
  await settle()
  for (const member of [BOB, EVE, MAL]) hear({ kind: "refusal", file, reason: "gone" }, member)
  await settle()
  expect(outcomes).toEqual(["file-unavailable"])
  expect(sent.at(-1)).toEqual(asked(first))
  await files.close()
  await settle()
  expect(outcomes).toEqual(["file-unavailable", "closed", "closed", "closed"])
})

test("gives a place to the file of each owner in turn when all feed slowly", async () => {
  const owners = Array.from({ length: 7 }, (_, i) => (0xb0 + i).toString(16).repeat(16) as MemberId)
  const { files, sent, pass } = exchange({ members: [ADA, ...owners] })
  const { fetch } = fetcher(files)
  const firsts = owners.map((owner) => [0, 1, 2].map((root) => fetch(root, owner))[0]!)
  await settle()
  for (let turn = 1; turn <= Math.ceil(owners.length / FETCHES_AT_ONCE); turn++) {
    pass(FETCH_TURN_MS)
    for (let i = 0; i < FETCHES_AT_ONCE; i++) {
      files.tick(turn * FETCH_TURN_MS)
      await settle()
    }
  }
  for (const file of firsts) expect(sent).toContainEqual(asked(file))
  await files.close()
})

test("reads a kept file once for its hashes when Eve asks for many in turn", async () => {
  const store = createMemoryBlockStore()
  let reads = 0
  const read = (...of: [string, string, number]) => (reads++, store.read(...of))
  const { files, sent, hear } = exchange({ blocks: { ...store, read } })
  const kept: string[] = []
  for (let i = 0; i < 20; i++) {
    let bytes = new Uint8Array(0)
    const about = { name: "x", type: "", owner: BOB, conferenceId: CONFERENCE, cipher: aesGcm }
    const { ticket } = await OfferedFile.make(new Blob([Uint8Array.of(i)]), about, async ({ sealed }) => {
      bytes = Uint8Array.from(sealed)
    })
    await store.append("shelf", ticket.file, 0, bytes)
    await files.kept({ ticket: formatTicket(ticket), owner: BOB })
    kept.push(ticket.file)
  }
  for (let round = 0; round < 3; round++) {
    for (const file of kept) {
      const before = sent.length
      hear({ kind: "want", file, part: "hashes", from: 0, count: 1 })
      await expect.poll(() => sent.length, { interval: 1 }).toBe(before + 1)
    }
  }
  expect(sent.every(({ kind }) => kind === "piece")).toBe(true)
  expect(reads).toBe(kept.length)
})
