import { decodeDirect, type MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { type BlockStore, createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { FileExchange } from "../../src/files/exchange.ts"
import { BLOCK_BYTES } from "../../src/files/layout.ts"

const ADA = "a1".repeat(16) as MemberId
const BOB = "b0".repeat(16) as MemberId
const never = new AbortController().signal

/** Ada offers a file, and Bob's disk takes its first block only when `release` is called. */
async function adaAndBob() {
  const disk = { writing: false, release: (): void => undefined }
  const released = new Promise<void>((resolve) => (disk.release = resolve))
  const memory = createMemoryBlockStore()
  const append: BlockStore["append"] = async (...block) => {
    disk.writing = true
    await released
    return memory.append(...block)
  }
  const ends = new Map<MemberId, FileExchange>()
  for (const self of [ADA, BOB]) {
    const send = (to: MemberId, bytes: Uint8Array): boolean => {
      setImmediate(() => ends.get(to)!.receive(self, decodeDirect(bytes)!))
      return true
    }
    const members = [ADA, BOB].map((id) => ({ id, incarnation: 1 }))
    const config = {
      conferenceId: "c0".repeat(16),
      cipher: aesGcm,
      shelf: "shelf",
      self,
      blocks: self === BOB ? { ...memory, append } : createMemoryBlockStore(),
      mesh: { send, bufferedBytes: () => 0, halfCongested: () => false },
      links: { isLinked: () => true },
      driver: { view: { members } },
      roster: { view: { status: "secured" } },
      clock: { now: () => 0 },
      sink: { take: () => undefined },
    } as const
    ends.set(self, new FileExchange(config))
  }
  const content = new Blob([new Uint8Array(2 * BLOCK_BYTES)])
  const ticket = await ends.get(ADA)!.offer({ content, name: "x", type: "", watch: "" }, never)
  return { bob: ends.get(BOB)!, file: { ticket, owner: ADA }, disk }
}

test("fetches a file that is asked for while another caller's fetch of it stops", async () => {
  const { bob, file, disk } = await adaAndBob()
  const first = new AbortController()
  const aborted = expect(bob.fetch(file, first.signal)).rejects.toMatchObject({ code: "aborted" })
  await expect.poll(() => disk.writing).toBe(true)
  first.abort()
  await aborted
  const second = bob.fetch(file, never)
  disk.release()
  await second
  expect((await bob.read(file, 1)).length).toBe(BLOCK_BYTES)
})

test("fetches a file that is asked for while it is being removed", async () => {
  const { bob, file, disk } = await adaAndBob()
  const removed = expect(bob.fetch(file, never)).rejects.toMatchObject({ code: "aborted" })
  await expect.poll(() => disk.writing).toBe(true)
  const removing = bob.remove(file)
  const again = bob.fetch(file, never)
  disk.release()
  await Promise.all([removed, removing, again])
  expect((await bob.read(file, 0)).length).toBe(BLOCK_BYTES)
  expect((await bob.read(file, 1)).length).toBe(BLOCK_BYTES)
})

test("refuses to fetch a file when the conference is closed", async () => {
  const { bob, file } = await adaAndBob()
  await bob.close()
  expect(() => bob.fetch(file, never)).toThrow(expect.objectContaining({ code: "closed" }))
})
