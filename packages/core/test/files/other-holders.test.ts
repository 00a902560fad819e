import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { decodeDirect, type MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { FileExchange } from "../../src/files/exchange.ts"
import { AWAY_MS } from "../../src/files/fetch-core.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS } from "../../src/files/layout.ts"
import { createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage } from "../../src/files/messages.ts"

const [ADA, BOB, EVE, TOM] = ["a1", "b0", "e5", "f0"].map((byte) => byte.repeat(16) as MemberId) as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]
const SIZE = 3 * BLOCK_BYTES + 17

type Spoil = (message: FileMessage) => FileMessage | readonly FileMessage[]

/** The ends of the members, over links that lose nothing. `spoil`: what Eve sends in place of her messages, at once. */
function company(spoil: Spoil, onSend: (from: MemberId, message: FileMessage) => void) {
  const present = new Set<MemberId>([ADA, EVE, TOM])
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
        links: { isLinked: (member) => present.has(member) },
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
  return { end, present, asked }
}
const nothing = (): void => undefined
const never = new AbortController().signal
const honest = (message: FileMessage): FileMessage => message
const spoilt = (part: "hashes" | "data", from: number) => (message: FileMessage) =>
  message.kind === "piece" && message.part === part && message.index >= from
    ? { ...message, bytes: message.bytes.map((byte) => byte ^ 1) }
    : message

/** Ada offers, Eve and those named have it, Ada goes, and Bob comes. */
async function fetched(spoil: Spoil, honestHolder = true) {
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
  const outcome = await end(BOB)
    .fetch(ticket, never)
    .then(
      () => "whole",
      (error: { code: string }) => error.code,
    )
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
