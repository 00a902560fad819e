import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { decodeDirect, type MemberId } from "@keymoot/transport"
import { expect, test, vi } from "vitest"
import { FileExchange } from "../../src/files/exchange.ts"
import { AWAY_MS, STALL_MS, UNANSWERED_REQUESTS_MAX } from "../../src/files/fetch-core.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS } from "../../src/files/layout.ts"
import { createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { SMALL_BYTES_MAX } from "../../src/files/own-copy.ts"
import { parseTicket } from "../../src/files/ticket.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage } from "../../src/files/messages.ts"

const [ADA, BOB, EVE, TOM] = ["a1", "b0", "e5", "f0"].map((byte) => byte.repeat(16) as MemberId) as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]
const SILENT_SECONDS = (UNANSWERED_REQUESTS_MAX * STALL_MS) / 1000
const SIZE = 3 * BLOCK_BYTES + 17

type Spoil = (message: FileMessage) => FileMessage | readonly FileMessage[]

/** The ends of the members, over links that lose nothing. `spoil`: what Eve sends in place of her messages, at once. */
function company(spoil: Spoil, onSend: (from: MemberId, message: FileMessage) => void) {
  const present = new Set<MemberId>([ADA, EVE, TOM])
  /** Members without a link to each other. */
  const apart = new Set<MemberId>()
  const asked: MemberId[] = []
  const ends = new Map<MemberId, FileExchange>()
  for (const self of [ADA, EVE, TOM, BOB]) {
    const send = (to: MemberId, bytes: Uint8Array): boolean => {
      const file = decodeDirect(bytes)!
      const message = decodeFileMessage(file)!
      if (self === BOB && message.kind === "want" && asked.at(-1) !== to) asked.push(to)
      onSend(self, message)
      const sent = self === EVE ? [spoil(message)].flat().map(encodeFileMessage) : [file]
      setImmediate(async () => {
        for (const bytes of sent) {
          ends.get(to)!.receive(self, bytes)
          // The check of what arrived begins, and does not end.
          await Promise.resolve()
        }
      })
      return true
    }
    ends.set(
      self,
      new FileExchange({
        conferenceId: "c0".repeat(16),
        cipher: aesGcm,
        shelf: "shelf",
        self,
        blocks: createMemoryBlockStore(),
        mesh: { send, bufferedBytes: () => 0, halfCongested: () => false },
        links: { isLinked: (member) => present.has(member) && !(apart.has(self) && apart.has(member)) },
        driver: {
          get view() {
            return { members: [...present].map((id) => ({ id, incarnation: 1 })) }
          },
        },
        roster: { view: { status: "secured" } },
        clock: { now: () => 0 },
        sink: { take: () => undefined },
      }),
    )
  }
  const end = (id: MemberId): FileExchange => ends.get(id)!
  return { end, present, apart, asked }
}
const nothing = (): void => undefined
const never = new AbortController().signal
const honest = (message: FileMessage): FileMessage => message
const spoilt = (part: "hashes" | "data", from: number) => (message: FileMessage) =>
  message.kind === "piece" && message.part === part && message.index >= from
    ? { ...message, bytes: message.bytes.map((byte) => byte ^ 1) }
    : message

/** Operations of WebCrypto, which take real time. */
let underWay = 0
for (const name of ["digest", "encrypt", "decrypt"] as const) {
  const compute = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<ArrayBuffer>
  vi.spyOn(crypto.subtle, name).mockImplementation(async (...args: unknown[]) => {
    underWay++
    return compute(...args).finally(() => underWay--)
  })
}
const turn = (): Promise<void> => new Promise((done) => setImmediate(done))
/** Bob's seconds pass, each when nothing is computed any more. */
async function pass(bob: FileExchange, from: number, to: number): Promise<void> {
  for (let second = from; second <= to; second++) {
    bob.tick(second * 1000)
    for (let calm = 0; calm < 20; calm = underWay > 0 ? 0 : calm + 1) await turn()
  }
}

/** Ada offers, Eve and those named have it, Ada goes, and Bob comes. */
async function fetched(spoil: Spoil, honestHolder = true, seconds = 0) {
  let honestly = true
  const { end, present, asked } = company((message) => (honestly ? honest : spoil)(message), nothing)
  const content = crypto.getRandomValues(new Uint8Array(60_000))
  const blob = new Blob(Array.from({ length: Math.ceil(SIZE / content.length) }, () => content)).slice(0, SIZE)
  const text = await end(ADA).offer({ content: blob, name: "x", type: "", watch: "" }, never)
  const ticket = { ticket: text, owner: ADA }
  for (const holder of honestHolder ? [EVE, TOM] : [EVE]) await end(holder).fetch(ticket, never)
  honestly = false
  present.delete(ADA)
  if (!honestHolder) present.delete(TOM)
  present.add(BOB)
  const fetching = end(BOB)
    .fetch(ticket, never)
    .then(
      () => "whole",
      (error: { code: string }) => error.code,
    )
  // Ciphers take real time.
  if (!honestHolder && seconds > 0) await expect.poll(() => end(BOB).kept(ticket)).toBe(BLOCK_BYTES)
  await pass(end(BOB), 0, seconds)
  const outcome = await fetching
  const kept = await end(BOB).kept(ticket)
  if (outcome === "whole") {
    for (let block = 0; block * BLOCK_BYTES < SIZE; block++) {
      const slice = await blob.slice(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES).arrayBuffer()
      expect(Buffer.from(await end(BOB).read(ticket, block)).equals(Buffer.from(slice))).toBe(true)
    }
  }
  return { outcome, kept, asked }
}

test.each([
  ["list of hashes", spoilt("hashes", 0)],
  ["first block", spoilt("data", 0)],
  ["third block", spoilt("data", 140)],
])("a member that gives an altered %s is left for the next that has the file", async (_, spoil) => {
  expect(await fetched(spoil)).toEqual({ outcome: "whole", kept: SIZE, asked: [EVE, TOM] })
})

/** Sends pieces of no bytes from this one on. */
const emptied = (part: "hashes" | "data", from: number) => (message: FileMessage) =>
  message.kind === "piece" && message.part === part && message.index >= from
    ? { ...message, bytes: new Uint8Array(0) }
    : message

test.each([
  ["the list of hashes", emptied("hashes", 0)],
  ["a whole block", emptied("data", 0)],
  ["the end of a block", emptied("data", 2 * BLOCK_CHUNKS - 1)],
  ["the last chunk", emptied("data", 3 * BLOCK_CHUNKS)],
])("asks the next holder when Eve leaves out %s", async (_, spoil) => {
  expect(await fetched(spoil)).toEqual({ outcome: "whole", kept: SIZE, asked: [EVE, TOM] })
})

test.each([
  ["list of hashes", "hashes", 0],
  ["block", "data", BLOCK_CHUNKS - 1],
] as const)("keeps the next source when Eve refuses after an altered %s", async (_, part, last) => {
  const spoil: Spoil = (message) => {
    const sent = spoilt(part, 0)(message)
    const isLast = message.kind === "piece" && message.part === part && message.index === last
    return isLast ? [sent, { kind: "refusal", file: message.file, reason: "gone" }] : sent
  }
  expect(await fetched(spoil)).toEqual({ outcome: "whole", kept: SIZE, asked: [EVE, TOM] })
})

const silent = (part: "hashes" | "data", from: number) => (message: FileMessage) =>
  message.kind === "piece" && message.part === part && message.index >= from ? [] : message

test.each([
  ["nothing", silent("hashes", 0)],
  ["the hashes only", silent("data", 0)],
  ["no third block", silent("data", 2 * BLOCK_CHUNKS)],
])("asks the next holder when Eve sends %s and stays linked", async (_, spoil) => {
  const seconds = SILENT_SECONDS + 10
  expect(await fetched(spoil, true, seconds)).toEqual({ outcome: "whole", kept: SIZE, asked: [EVE, TOM] })
})

test("ends a fetch for a later try when its only source stays silent", async () => {
  const only = await fetched(silent("data", BLOCK_CHUNKS), false, SILENT_SECONDS + 10)
  expect(only).toEqual({ outcome: "file-unavailable", kept: BLOCK_BYTES, asked: [EVE] })
})

test("waits for a silent owner only while it sends another file", async () => {
  let slow = ""
  let sent = 0
  let allowed = 0
  const { end, present } = company((message) => {
    if (message.kind !== "piece" || (message.part === "hashes" && message.file === slow)) return message
    if (message.file !== slow || message.index !== sent || sent >= allowed) return []
    sent++
    return message
  }, nothing)
  for (const member of [ADA, TOM]) present.delete(member)
  present.add(BOB)
  const errors: string[] = []
  for (const name of ["slow", "unsent"]) {
    const content = new Blob([new Uint8Array(SIZE)])
    const ticket = await end(EVE).offer({ content, name, type: "", watch: "" }, never)
    if (name === "slow") slow = parseTicket(ticket, { conferenceId: "c0".repeat(16), owner: EVE }).file
    end(BOB)
      .fetch({ ticket, owner: EVE }, never)
      .catch((error: { code: string }) => errors.push(error.code))
  }
  for (let second = 0; second < 3 * SILENT_SECONDS; second++) {
    allowed = 1 + Math.floor(second / 10)
    await pass(end(BOB), second, second)
    if (second % 10 === 9) await expect.poll(() => sent).toBe(allowed)
  }
  expect(errors).toEqual([])
  await pass(end(BOB), 3 * SILENT_SECONDS, 5 * SILENT_SECONDS + 100)
  expect(errors).toEqual(["file-unavailable", "file-unavailable"])
})

test("refuses the file as altered without another holder, and keeps the right pieces", async () => {
  const only = await fetched(spoilt("data", 140), false)
  expect(only).toEqual({ outcome: "file-altered", kept: 2 * BLOCK_BYTES, asked: [EVE] })
})

test("as long as they are honest nobody else is asked", async () => {
  expect(await fetched(honest)).toEqual({ outcome: "whole", kept: SIZE, asked: [EVE] })
})

test.each([
  ["goes on from the next that has the file", "whole", [EVE, TOM]],
  ["can be tried later if no other has the file", "cannot be reached", [EVE]],
])("a fetch whose source crashes in the middle %s", async (_, expected, nearby) => {
  const { end, present, asked } = company(honest, (from, message) => {
    if (from === ADA && present.has(BOB) && message.kind === "piece" && message.index >= 140) present.delete(ADA)
  })
  const content = new Blob([new Uint8Array(SIZE)])
  const ticket = { ticket: await end(ADA).offer({ content, name: "x", type: "", watch: "" }, never), owner: ADA }
  await end(TOM).fetch(ticket, never)
  for (const member of [EVE, TOM]) if (!nearby.includes(member)) present.delete(member)
  present.add(BOB)
  const outcome = end(BOB)
    .fetch(ticket, never)
    .then(
      () => "whole",
      (error: Error) => error.message,
    )
  await expect.poll(() => present.has(ADA)).toBe(false)
  end(BOB).tick(1)
  end(BOB).tick(AWAY_MS + 2)
  expect(await outcome).toContain(expected)
  expect(asked).toEqual([ADA, ...nearby])
})

const unreadable = { arrayBuffer: () => Promise.reject(new DOMException("", "NotReadableError")) }

test.each([
  ["cannot be read any more", unreadable],
  ["has other bytes now", new Blob([new Uint8Array(BLOCK_BYTES).fill(1)])],
])("serves the owner's copy when the original %s", async (_, changed) => {
  const { end, present } = company(honest, nothing)
  present.add(BOB)
  const content = new Blob([new Uint8Array(SIZE)])
  const ticket = { ticket: await end(ADA).offer({ content, name: "x", type: "", watch: "" }, never), owner: ADA }
  Object.assign(content, { slice: () => changed })
  await end(BOB).fetch(ticket, never)
  expect(await end(BOB).kept(ticket)).toBe(SIZE)
})

test("reads an own file from its copy when the original cannot be read any more", async () => {
  const { end } = company(honest, nothing)
  const content = new Blob([new Uint8Array(SIZE)])
  const ticket = { ticket: await end(ADA).offer({ content, name: "x", type: "", watch: "" }, never), owner: ADA }
  Object.assign(content, { slice: () => unreadable })
  expect(await end(ADA).read(ticket, 3)).toEqual(new Uint8Array(17))
})

test("says that an original cannot be read when there is no copy", async () => {
  const { end } = company(honest, nothing)
  const content = new Blob([new Uint8Array(SMALL_BYTES_MAX + 1)])
  const ticket = { ticket: await end(ADA).offer({ content, name: "x", type: "", watch: "" }, never), owner: ADA }
  Object.assign(content, { slice: () => unreadable })
  await expect(end(ADA).read(ticket, 0)).rejects.toThrow("moved, changed or removed")
})

/** Ada offers, those named have it, and Bob comes, who misses Ada. */
async function missing(...holders: readonly MemberId[]) {
  const { end, present, apart, asked } = company(honest, nothing)
  const content = new Blob([new Uint8Array(SIZE)])
  const ticket = { ticket: await end(ADA).offer({ content, name: "x", type: "", watch: "" }, never), owner: ADA }
  for (const holder of holders) await end(holder).fetch(ticket, never)
  for (const member of [ADA, BOB]) apart.add(member)
  present.add(BOB)
  const outcome = end(BOB)
    .fetch(ticket, never)
    .then(
      () => "whole",
      (error: Error) => error.message,
    )
  return { bob: end(BOB), apart, asked, outcome, kept: () => end(BOB).kept(ticket) }
}

test("asks a linked holder at once when the owner has no link", async () => {
  const { bob, asked, kept } = await missing(EVE)
  await pass(bob, 0, 5)
  expect({ asked, kept: await kept() }).toEqual({ asked: [EVE], kept: SIZE })
})

test("waits for a link to the owner when the linked members lack its file", async () => {
  const { bob, apart, asked, outcome } = await missing()
  await pass(bob, 0, 5)
  expect(asked).toEqual([EVE, TOM])
  apart.clear()
  bob.changed()
  expect(await outcome).toBe("whole")
  expect(asked).toEqual([EVE, TOM, ADA])
})

test("reports the owner as out of reach when no member with a link has its file", async () => {
  const { bob, asked, outcome } = await missing()
  await pass(bob, 0, AWAY_MS / 1000 + 5)
  expect(await outcome).toContain("cannot be reached")
  expect(asked).toEqual([EVE, TOM])
})
