/** Reports to a sender of the bytes that a link still buffers, over a link that buffers as the test says. */
import { expect, test } from "vitest"
import type { LinkListener } from "../../src/host/link.ts"
import { BUFFERED_STEP_BYTES } from "../../src/host/peer-bounds.ts"
import { createPeers } from "../../src/host/peers.ts"
import type { LinkNumber, PeerEvent, RoomAddress } from "../../src/port/port.ts"

const link = 1 as LinkNumber
const FRAME_BYTES = 16 * 1024

function open() {
  const told: number[] = []
  const held = { bytes: 0 }
  let listener: LinkListener | null = null
  const peers = createPeers(
    (event: PeerEvent) => void (event.type === "peer-buffered" && told.push(event.bufferedBytes)),
    {
      bootstrap: {
        openRelay: (_, ofLink) => {
          listener = ofLink
          return {
            get bufferedBytes() {
              return held.bytes
            },
            send: () => undefined,
            close: () => undefined,
            destroy: () => undefined,
          }
        },
      },
    },
  )
  peers.post({ type: "relay-open", link, server: "", room: "", to: "" as RoomAddress, circuit: 1, answering: false })
  const send = (bytes: number): void => {
    const frames = Array.from({ length: bytes / FRAME_BYTES }, () => new Uint8Array(FRAME_BYTES))
    peers.post({ type: "peer-send", link, lane: "reliable", frames })
  }
  const toldOf = (times: number): Promise<void> => expect.poll(() => told.length, { interval: 1 }).toBe(times)
  return { told, held, send, toldOf, drained: () => listener!.onBuffered(), close: () => peers.close() }
}

test("a link that carries all at once is told of once in many sends, not at each", async () => {
  const { told, send, toldOf, close } = open()
  const sends = BUFFERED_STEP_BYTES / FRAME_BYTES
  for (let i = 1; i <= 4 * sends; i++) {
    send(FRAME_BYTES)
    await toldOf(Math.floor(i / sends))
  }
  close()
  expect(told).toEqual([0, 0, 0, 0])
})

test("a link that holds what it was given is told of when that has gone", async () => {
  const { told, held, send, toldOf, drained, close } = open()
  held.bytes = 3 * BUFFERED_STEP_BYTES
  send(held.bytes)
  held.bytes = BUFFERED_STEP_BYTES
  drained()
  await toldOf(1)
  held.bytes = 0
  drained()
  await toldOf(2)
  close()
  expect(told).toEqual([BUFFERED_STEP_BYTES, 0])
})
