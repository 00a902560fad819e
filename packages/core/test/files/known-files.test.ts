import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { createMemoryBlockStore } from "../../src/device/stores/block-store.ts"
import { KnownFiles } from "../../src/files/known-files.ts"
import { CHUNK_BYTES } from "../../src/files/layout.ts"
import { OfferedFile } from "../../src/files/offered-file.ts"
import { ownCopyName } from "../../src/files/own-copy.ts"

const BLOCKS = 3
const ASKING = 5

test("reads a copy once when several members ask for it at the same time", async () => {
  const blocks = createMemoryBlockStore()
  const content = new Blob([new Uint8Array(BLOCKS * 64 * CHUNK_BYTES)])
  const offer = await OfferedFile.make(
    content,
    { name: "x", type: "", owner: "a1".repeat(16) as MemberId, conferenceId: "c0".repeat(16), cipher: aesGcm },
    async ({ key, block, sealed }) => blocks.append("shelf", ownCopyName(key), block, sealed),
  )
  let reads = 0
  const counting = { ...blocks, read: (...of: Parameters<typeof blocks.read>) => (reads++, blocks.read(...of)) }
  const files = new KnownFiles({ blocks: counting, shelf: "shelf", own: { has: async () => true } as never })
  files.offer(offer)
  Object.assign(content, { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("it was moved")) }) })
  const given = await Promise.all(Array.from({ length: ASKING }, () => files.block(offer.ticket.file, 0)))
  expect(given).not.toContain(null)
  expect(reads).toBe(BLOCKS + ASKING)
})
