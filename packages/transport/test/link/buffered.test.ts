/** Reports to a sender of the bytes that a link still buffers, over a link that buffers as the test says. */
import { expect, test } from "vitest"
import type { ConnectionListener } from "../../src/host/frame-connection.ts"
import { BUFFERED_STEP_BYTES } from "../../src/host/peer-bounds.ts"
import { createPeers } from "../../src/host/peers.ts"
import type { LinkNumber, PeerEvent, RoomAddress } from "../../src/port/port.ts"

const link = 1 as LinkNumber
const FRAME_BYTES = 16 * 1024

function open() {
  const reports: number[] = []
  const held = { bytes: 0 }
  let listener: ConnectionListener | null = null
  const peers = createPeers(
    (event: PeerEvent) => void (event.type === "peer-buffered" && reports.push(event.bufferedBytes)),
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
  const reportsOf = (times: number): Promise<void> => expect.poll(() => reports.length, { interval: 1 }).toBe(times)
  return { reports, held, send, reportsOf, drained: () => listener!.onBuffered(), close: () => peers.close() }
}

test("reports once in many sends when a link carries all at once", async () => {
  const { reports, send, reportsOf, close } = open()
  const sends = BUFFERED_STEP_BYTES / FRAME_BYTES
  for (let i = 1; i <= 4 * sends; i++) {
    send(FRAME_BYTES)
    await reportsOf(Math.floor(i / sends))
  }
  close()
  expect(reports).toEqual([0, 0, 0, 0])
})

test("reports an empty buffer when a link has held and then sent its frames", async () => {
  const { reports, held, send, reportsOf, drained, close } = open()
  held.bytes = 3 * BUFFERED_STEP_BYTES
  send(held.bytes)
  held.bytes = BUFFERED_STEP_BYTES
  drained()
  await reportsOf(1)
  held.bytes = 0
  drained()
  await reportsOf(2)
  close()
  expect(reports).toEqual([BUFFERED_STEP_BYTES, 0])
})
