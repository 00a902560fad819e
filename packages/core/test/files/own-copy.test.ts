import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { decodeDirect, type MemberId } from "@keymoot/transport"
import { describe, expect, test } from "vitest"
import {
  CONFERENCE_FILES_BYTES_MAX,
  type BlockStore,
  createMemoryBlockStore,
} from "../../src/device/stores/block-store.ts"
import { FileExchange } from "../../src/files/exchange.ts"
import { BLOCK_BYTES, blockCount, FILE_BYTES_MAX } from "../../src/files/layout.ts"
import { decodeFileMessage, encodeFileMessage } from "../../src/files/messages.ts"
import { ownCopyName, ROOM_PART, SMALL_BYTES_MAX } from "../../src/files/own-copy.ts"
import type { FileLinks } from "../../src/files/serving.ts"
import { parseTicket } from "../../src/files/ticket.ts"

const ADA = "a1".repeat(16) as MemberId
const BOB = "b0".repeat(16) as MemberId
/** Ada's id with another name. */
const ADA_RENAMED = "a2".repeat(16) as MemberId
const SHELF = "shelf"
const CONFERENCE = "c0".repeat(16)
const mine = (ticket: string) => ({ ticket, owner: ADA })
const never = new AbortController().signal
const LARGE = SMALL_BYTES_MAX + 17

/** Storage that outlasts a page, with room for the stated number of bytes. */
function disk(room: number): BlockStore {
  return { ...createMemoryBlockStore(), room: async () => room }
}

function page(
  blocks: BlockStore,
  progress: () => void = () => undefined,
  self = ADA,
  send: FileLinks["send"] = () => true,
): FileExchange {
  return new FileExchange({
    conferenceId: CONFERENCE,
    cipher: aesGcm,
    shelf: SHELF,
    self,
    blocks,
    mesh: { send, bufferedBytes: () => 0, halfCongested: () => false },
    links: { isLinked: () => false },
    driver: { view: { members: [self, BOB].map((id) => ({ id, incarnation: 1 })) } },
    roster: { view: { status: "secured" } },
    clock: { now: () => 0 },
    sink: { take: progress },
  })
}

const zeros = (length: number): Blob => new Blob([new Uint8Array(length)])
const offering = (sizeBytes: number) => ({ content: zeros(sizeBytes), name: "x", type: "", watch: "" })

describe("a copy of an own file", () => {
  test.each([
    ["takes half of the room that is left", LARGE / ROOM_PART, LARGE],
    ["would take more than half of it", LARGE / ROOM_PART - 1, 0],
  ])("is kept or not when it %s", async (_, room, keptBytes) => {
    const blocks = disk(room)
    const ticket = await page(blocks).offer(offering(LARGE), never)
    expect(await page(blocks).kept(mine(ticket))).toBe(keptBytes)
    expect(await blocks.count(SHELF, "unfinished")).toBe(0)
  })

  test("is kept in memory only if small: nothing there outlasts the page", async () => {
    const blocks = createMemoryBlockStore()
    const small = await page(blocks).offer(offering(SMALL_BYTES_MAX), never)
    const large = await page(blocks).offer(offering(LARGE), never)
    expect(await page(blocks).kept(mine(small))).toBe(SMALL_BYTES_MAX)
    expect(await page(blocks).kept(mine(large))).toBe(0)
  })

  test("is removed when the storage is too small, and the page that has it offers it", async () => {
    const blocks = { ...createMemoryBlockStore(3 * BLOCK_BYTES), room: async () => Infinity }
    const ada = page(blocks)
    const ticket = await ada.offer(offering(LARGE), never)
    expect(await ada.kept(mine(ticket))).toBe(LARGE)
    const { key } = parseTicket(ticket, { conferenceId: CONFERENCE, owner: ADA })
    expect(await blocks.count(SHELF, ownCopyName(key))).toBe(0)
    expect(await page(blocks).kept(mine(ticket))).toBe(0)
  })

  test.each(["calls it off", "leaves"])("is taken away when its owner %s in the middle", async (how) => {
    const blocks = disk(Infinity)
    const written: string[] = []
    const watched: BlockStore = {
      ...blocks,
      append: (shelf, file, block, sealed) => (written.push(file), blocks.append(shelf, file, block, sealed)),
    }
    const calledOff = new AbortController()
    let read = 0
    let left: Promise<void> | null = null
    const ada = page(watched, () => {
      if (++read !== 5) return
      if (how === "leaves") left = ada.close()
      else calledOff.abort()
    })
    const code = how === "leaves" ? "closed" : "aborted"
    await expect(ada.offer(offering(LARGE), calledOff.signal)).rejects.toMatchObject({ code })
    await left
    expect(written.length).toBeGreaterThan(3)
    for (const file of written) expect(await blocks.count(SHELF, file)).toBe(0)
  })

  test("is shown, served and removed when its owner has another name", async () => {
    const blocks = disk(Infinity)
    const ticket = await page(blocks).offer(offering(LARGE), never)
    const sent: string[] = []
    const renamed = page(blocks, undefined, ADA_RENAMED, (_, bytes) => {
      return sent.push(decodeFileMessage(decodeDirect(bytes)!)!.kind) > 0
    })
    expect(await renamed.kept(mine(ticket))).toBe(LARGE)
    const { file, key } = parseTicket(ticket, { conferenceId: CONFERENCE, owner: ADA })
    renamed.receive(BOB, encodeFileMessage({ kind: "want", file, part: "data", from: 0, count: 1 }))
    await expect.poll(() => sent).toEqual(["piece"])
    await renamed.remove(mine(ticket))
    expect(await blocks.count(SHELF, ownCopyName(key))).toBe(0)
  })

  test("is removed if unfinished when the conference is entered again, and no other is", async () => {
    const blocks = disk(Infinity)
    const written: string[] = []
    const slow: BlockStore = {
      ...blocks,
      append: (shelf, file, block, sealed) => {
        // Reading stops after the first block of the first file, until the page is gone.
        if (file === written[1]) return new Promise(() => undefined)
        written.push(file)
        return blocks.append(shelf, file, block, sealed)
      },
    }
    const ada = page(slow)
    void ada.offer(offering(LARGE), never)
    await expect.poll(() => written.length).toBe(2)
    const [, unfinished] = written
    const whole = await ada.offer(offering(LARGE), never)
    expect(await blocks.count(SHELF, unfinished!)).toBeGreaterThan(0)

    const again = page(blocks)
    await again.close()
    expect(await blocks.count(SHELF, unfinished!)).toBe(0)
    expect(await blocks.count(SHELF, "unfinished")).toBe(0)
    expect(await again.kept(mine(whole))).toBe(LARGE)
  })
})

test("the largest file has room beside others", () => {
  expect(FILE_BYTES_MAX).toBeLessThanOrEqual(CONFERENCE_FILES_BYTES_MAX * ROOM_PART)
  expect(blockCount(FILE_BYTES_MAX) * BLOCK_BYTES).toBeGreaterThanOrEqual(FILE_BYTES_MAX)
})
