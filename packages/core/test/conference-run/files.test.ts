import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { FileProgress, SharedFile } from "../../src/api/index.ts"
import { Conference } from "../../src/client/conference.ts"
import { BLOCK_BYTES } from "../../src/files/layout.ts"
import { SMALL_BYTES_MAX } from "../../src/files/own-copy.ts"
import { parseTicket } from "../../src/files/ticket.ts"
import { createFileStore } from "../../src/node/index.ts"
import { received, Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const MB = 1_000_000
/** Bytes that repeat nowhere near, so that a block in a wrong place is seen. */
function noise(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}
/** Five blocks and a bit. While it is held, the block numbered `held` and those after it are not read. */
function gated(held: number) {
  const content = noise(5 * BLOCK_BYTES + 1)
  let gate = Promise.resolve()
  let open = (): void => undefined
  const reached = {
    blocks: [] as number[],
    hold: () => void (gate = new Promise((resolve) => (open = resolve))),
  }
  const slice = (from: number, to: number): Blob => {
    const block = from / BLOCK_BYTES
    return {
      arrayBuffer: async () => {
        if (block >= held) await gate
        reached.blocks.push(block)
        return content.slice(from, to).buffer
      },
    } as Blob
  }
  const blob = { size: content.length, type: "", slice } as Blob
  return { blob, content, reached, open: () => open() }
}
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
const hashOf = async (file: SharedFile): Promise<string> =>
  hash(new Uint8Array(await (await file.blob()).arrayBuffer()))

async function adaAndBob() {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  return { ada, bob }
}

async function hasCome(file: SharedFile, blocks: number): Promise<void> {
  await expect.poll(() => file.keptBytes(), { timeout: 60_000 }).toBe(blocks * BLOCK_BYTES)
}

/** Sends the ticket as a message that newcomers get too, and resolves with what the other reads. */
async function hand(from: Conference, to: Conference, file: SharedFile): Promise<SharedFile> {
  const [[message]] = await Promise.all([
    received(to, "files", 1),
    from.channel("files", { history: true }).send(file.ticket),
  ])
  return to.files.open(message!.text, message!.from.id)
}

describe("files", () => {
  test("arrive whole at another member, with progress, under the given name and type", async () => {
    const { ada, bob } = await adaAndBob()
    const content = noise(3 * MB)
    const offered = await ada.files.offer(new Blob([content], { type: "image/png" }), { name: "/home/ada/roof.png" })
    const file = await hand(ada, bob, offered)
    expect(file).toMatchObject({ name: "roof.png", type: "image/png", sizeBytes: 3 * MB, owner: ada.self.id })
    expect(await file.keptBytes()).toBe(0)
    const progress: FileProgress[] = []
    await file.fetch({ onProgress: (each) => progress.push(each) })
    expect(await file.keptBytes()).toBe(3 * MB)
    expect(await hashOf(file)).toBe(hash(content))
    expect((await file.blob()).type).toBe("image/png")
    for (const each of progress) expect(each.receivedBytes).toBeLessThanOrEqual(each.sizeBytes)
  })

  test("are offered under their own name when options are the file, or have more fields", async () => {
    const ada = await room.create("Ada")
    const file = new File(["the roof"], "roof.txt", { type: "text/plain" })
    expect(await ada.files.offer(file, file)).toMatchObject({ name: "roof.txt", type: "text/plain", sizeBytes: 8 })
    const options = { name: "plan.txt", content: "a plan" }
    expect(await ada.files.offer(file, options)).toMatchObject({ name: "plan.txt" })
  })

  test("arrive unchanged with one byte, one block, or one byte more", async () => {
    const { ada, bob } = await adaAndBob()
    for (const length of [1, BLOCK_BYTES, BLOCK_BYTES + 1]) {
      const content = noise(length)
      const { ticket } = await ada.files.offer(new Blob([content]), { name: "x" })
      const file = bob.files.open(ticket, ada.self.id)
      await file.fetch()
      expect(await hashOf(file)).toBe(hash(content))
    }
  })

  test("keep coming while the key changes and members come and go", async () => {
    const { ada, bob } = await adaAndBob()
    const { blob, content, open, reached } = gated(3)
    const file = await hand(ada, bob, await ada.files.offer(blob, { name: "x" }))
    reached.hold()
    const fetched = file.fetch()
    await hasCome(file, 3)
    const tom = await room.join("Tom", ada.invitation.url)
    await Promise.all([ada, bob, tom].map((member) => securedWith(member, 3)))
    open()
    await tom.leave()
    await fetched
    await Promise.all([ada, bob].map((member) => securedWith(member, 2)))
    expect(await hashOf(file)).toBe(hash(content))
  })

  test("keep what has come when cancelled, and continue there at the next attempt", async () => {
    const { ada, bob } = await adaAndBob()
    const { blob, content, open, reached } = gated(3)
    const file = await hand(ada, bob, await ada.files.offer(blob, { name: "x" }))
    reached.hold()
    const calledOff = new AbortController()
    const fetched = expect(file.fetch({ signal: calledOff.signal })).rejects.toMatchObject({ code: "aborted" })
    await hasCome(file, 3)
    calledOff.abort()
    await fetched
    open()
    reached.blocks.length = 0
    const later: number[] = []
    await file.fetch({ onProgress: ({ receivedBytes }) => later.push(receivedBytes) })
    expect(Math.min(...later, Infinity)).toBeGreaterThanOrEqual(3 * BLOCK_BYTES)
    expect(reached.blocks.filter((block) => block < 3)).toEqual([])
    expect(await hashOf(file)).toBe(hash(content))
  })

  test("report it when their owner leaves midway, and keep what has come", async () => {
    const { ada, bob } = await adaAndBob()
    const { blob, reached } = gated(3)
    const file = await hand(ada, bob, await ada.files.offer(blob, { name: "x" }))
    reached.hold()
    const fetched = expect(file.fetch()).rejects.toMatchObject({ code: "file-unavailable" })
    await hasCome(file, 3)
    await ada.leave()
    await fetched
    expect(await file.keptBytes()).toBe(3 * BLOCK_BYTES)
  })

  test("come from another member that has them when their owner is gone", async () => {
    const { ada, bob } = await adaAndBob()
    const content = noise(2 * MB)
    const file = await hand(ada, bob, await ada.files.offer(new Blob([content]), { name: "x" }))
    await file.fetch()
    await ada.leave()
    const tom = await room.join("Tom", bob.invitation.url)
    const [message] = await received(tom, "files", 1)
    await securedWith(tom, 2)
    const again = tom.files.open(message!.text, message!.from.id)
    await again.fetch()
    expect(await hashOf(again)).toBe(hash(content))
  })

  test("outlast a return: the member resumes, and its offers are still offered", async () => {
    const directory = await mkdtemp(join(tmpdir(), "keymoot-files-"))
    try {
      const ada = await room.create("Ada")
      const store = createFileStore(join(directory, "bob.json"))
      const first = await room.openIdentity("Bob", store)
      const bob = await Conference.join({ url: ada.invitation.url, identity: first })
      await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
      const { blob, content, open, reached } = gated(3)
      const file = await hand(ada, bob, await ada.files.offer(blob, { name: "x" }))
      reached.hold()
      const large = noise(SMALL_BYTES_MAX + MB, 5)
      const mine = await bob.files.offer(new Blob([large]), { name: "large" })
      file.fetch().catch(() => undefined)
      await hasCome(file, 3)
      await first.close()
      await securedWith(ada, 1)

      open()
      reached.blocks.length = 0
      const identity = await room.identity("Bob", createFileStore(join(directory, "bob.json")))
      const again = await Conference.resume({ id: ada.id, identity })
      await Promise.all([securedWith(ada, 2), securedWith(again, 2)])
      const rest = again.files.open(file.ticket, file.owner)
      expect(await rest.keptBytes()).toBe(3 * BLOCK_BYTES)
      await rest.fetch()
      expect(reached.blocks.filter((block) => block < 3)).toEqual([])
      expect(await hashOf(rest)).toBe(hash(content))
      expect(await again.files.open(mine.ticket, mine.owner).keptBytes()).toBe(large.length)
      const theirs = ada.files.open(mine.ticket, mine.owner)
      await theirs.fetch()
      expect(await hashOf(theirs)).toBe(hash(large))
      await again.leave()
      expect(await createFileStore(join(directory, "bob.json")).files.count("", "")).toBe(0)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  test("are refused with a reason if missing, never offered, too large or empty", async () => {
    const { ada, bob } = await adaAndBob()
    const offered = await ada.files.offer(new Blob([noise(MB)]), { name: "x" })
    await offered.remove()
    const file = bob.files.open(offered.ticket, offered.owner)
    await expect(file.fetch()).rejects.toMatchObject({ code: "file-unavailable" })
    await expect(file.blob()).rejects.toMatchObject({ code: "file-unavailable" })
    await expect(ada.files.offer(new Blob([]), { name: "x" })).rejects.toMatchObject({ code: "invalid-argument" })
    const huge = { size: 600 * 1024 * 1024, type: "", slice: () => huge } as Blob
    await expect(ada.files.offer(huge, { name: "x" })).rejects.toMatchObject({ code: "too-large" })
    const aborted = ada.files.offer(new Blob([noise(MB)]), { name: "x", signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ code: "aborted" })
  })

  test("are refused and not kept when they differ from the offer", async () => {
    const { ada, bob } = await adaAndBob()
    const offered = await ada.files.offer(new Blob([noise(MB)]), { name: "x" })
    const { formatTicket } = await import("../../src/files/ticket.ts")
    const source = { conferenceId: ada.id, owner: ada.self.id }
    const forged = formatTicket({ ...parseTicket(offered.ticket, source), root: new Uint8Array(32) })
    const file = bob.files.open(forged, ada.self.id)
    // Nobody has a file of this id: it is another one, and Ada's own is not touched.
    await expect(file.fetch()).rejects.toMatchObject({ code: "file-unavailable" })
    expect(await file.keptBytes()).toBe(0)
    await bob.files.open(offered.ticket, ada.self.id).fetch()
  })

  test("are unaffected when another member repeats and withdraws their tickets", async () => {
    const { ada, bob: eve } = await adaAndBob()
    const { url } = ada.invitation
    const content = noise(MB)
    const file = await hand(ada, eve, await ada.files.offer(new Blob([content]), { name: "x" }))
    const files = eve.channel("files", { history: true })
    const { id } = await files.send(file.ticket)
    const source = { conferenceId: ada.id, owner: ada.self.id }
    const { formatTicket } = await import("../../src/files/ticket.ts")
    await files.send(formatTicket({ ...parseTicket(file.ticket, source), root: new Uint8Array(32) }))
    // As every page does: what came with an erased message goes.
    const pages = [ada, eve]
    const gone = pages.map(
      (page) =>
        new Promise<void>((done) => {
          page.channel("files", { history: true }).on("erased", async () => {
            await page.files.open(file.ticket, eve.self.id).remove()
            done()
          })
        }),
    )
    await files.erase([id])
    await Promise.all(gone)

    // A newcomer gets both messages from the member that transfers the log, in any order.
    const tom = await room.join("Tom", url)
    const tickets = await received(tom, "files", 2)
    const opened = tickets.toReversed().map(({ text, from }) => tom.files.open(text, from.id))
    expect(new Set(opened.map(({ id: each }) => each)).size).toBe(2)
    const adas = opened.find(({ owner }) => owner === ada.self.id)!
    await adas.fetch()
    expect(await hashOf(adas)).toBe(hash(content))
  })
})
