/** Clients below Engine.IO: they write the frames of WebSocket themselves. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { expect, onTestFinished, test } from "vitest"
import { serve, until } from "../clients.ts"

const [TEXT, PING, PONG] = [0x1, 0x9, 0xa]

/** One masked frame, whose mask is zero. */
function frame(opcode: number, payload: string): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
}

/** An open WebSocket, greeted by Engine.IO, and all bytes that the server sends from then on. */
async function open(url: string): Promise<{ readonly socket: Socket; readonly received: () => Buffer }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  const head = [
    `GET ${SIGNALING_PATH}/?EIO=4&transport=websocket HTTP/1.1`,
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version: 13",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n`)
  await once(socket, "data")
  let received = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])))
  return { socket, received: () => received }
}

test.each([
  ["ping", PING],
  ["pong", PONG],
])("is closed without an answer when it sends a WebSocket %s", async (_name, opcode) => {
  const { url } = await serve({}, { pingIntervalMs: 600_000, handshakeTimeoutMs: 600_000 })
  const { socket, received } = await open(url)
  socket.write(frame(opcode, "x".repeat(100)))
  await once(socket, "close")
  expect(received().includes("xxx")).toBe(false)
})

/** Less than the half minute for which the WebSocket library waits for the answer to its closing handshake. */
const SOON = { timeout: 20_000 }

test("is cut off when it floods and does not answer the closing handshake", SOON, async () => {
  const { url } = await serve({}, { nuisances: { burst: 5, perSecond: 0 } })
  const { socket, received } = await open(url)
  socket.write(frame(TEXT, "40"))
  await until(() => expect(received().includes("40{")).toBe(true))
  // At once, so that answers still wait when the server has had enough.
  const requests = Array.from({ length: 20 }, (_, number) => frame(TEXT, `42${number}["no:such:request"]`))
  socket.write(Buffer.concat(requests))
  await once(socket, "close")
  expect(received().includes("flooding")).toBe(true)
})
