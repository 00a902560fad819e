import { decodeDirect, defaultTimes } from "@keymoot/transport"
import { expect, test } from "vitest"
import { BLOCK_CHUNKS, CHUNK_BYTES } from "../../src/files/layout.ts"
import { decodeFileMessage } from "../../src/files/messages.ts"
import { Serving } from "../../src/files/serving.ts"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "./virtual-room.ts"

/** Throughput of a link of 150 ms that loses two packets in a hundred. */
const SLOW_BYTES_PER_SECOND = 55_000
const BLOCKS = 2
const PIECES = BLOCKS * BLOCK_CHUNKS
const SECONDS = 30
/** The link may queue half of its 64 KiB and a piece before it, which takes 0.9 s. */
const HEARD_MS = 1500

test("messages arrive soon beside a file on a slow link, from the first second on", async () => {
  const room = new VirtualRoom({ ...defaultTimes, aloneAfterMs: 300 })
  const heard = new Map<string, number>()
  let pieces = 0
  const ada: LinkedMember = await room.join(
    "ada",
    () => undefined,
    (output) => {
      if (output.type === "acknowledged") serving.acknowledged(output.peer)
      return false
    },
  )
  const bob = await room.join(
    "bob",
    (event) => {
      if (event.type !== "batch") return
      for (const { payload } of event.messages) heard.set(new TextDecoder().decode(payload), room.nowMs)
    },
    (output) => {
      const direct = output.type === "frame" ? decodeDirect(output.bytes) : null
      if (direct && decodeFileMessage(direct)?.kind === "piece") pieces++
      return direct !== null
    },
  )
  const block = Array.from({ length: BLOCK_CHUNKS }, () => new Uint8Array(CHUNK_BYTES))
  const serving = new Serving({
    files: {
      find: async () => ({
        sizeBytes: PIECES * CHUNK_BYTES,
        hashes: () => new Uint8Array(CHUNK_BYTES),
        block: async () => block,
      }),
      block: async () => block,
    },
    mesh: ada.mesh,
    clock: { now: () => room.nowMs },
  })
  const both = (): boolean => room.members.every(({ secured }) => secured?.members.length === 2)
  expect(await room.runUntil(both, 20_000)).toBe(true)

  room.slowDown("bob", SLOW_BYTES_PER_SECOND)
  serving.want(bob.id, { kind: "want", file: "0f".repeat(16), part: "data", from: 0, count: PIECES })
  const said = new Map<string, number>()
  for (let second = 0; second < SECONDS; second++) {
    await room.run(1000)
    said.set(`${second}`, room.nowMs)
    void ada.send(new TextEncoder().encode(`${second}`))
  }
  expect(pieces, "the file is still on its way").toBeLessThan(PIECES)
  await room.run(2 * HEARD_MS)
  const waits = [...said].map(([text, saidMs]) => (heard.get(text) ?? Infinity) - saidMs)
  // In the first seconds it is not known yet what the link carries.
  expect(Math.max(...waits.slice(0, 5))).toBeLessThan(3 * HEARD_MS)
  expect(Math.max(...waits.slice(5))).toBeLessThan(HEARD_MS)
  // And the file takes most of the link.
  expect(pieces * CHUNK_BYTES).toBeGreaterThan(0.6 * SLOW_BYTES_PER_SECOND * SECONDS)
})
