/** Clients below Engine.IO: they write the frames of WebSocket themselves. */
import { once } from "node:events"
import { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { duplexPair } from "node:stream"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { expect, onTestFinished, test } from "vitest"
import type { WebSocket } from "ws"
import { DataFramesOnly } from "../../src/bounds/data-frames-only.ts"
import { serve, until } from "../clients.ts"

const KEY = "AAAAAAAAAAAAAAAAAAAAAA=="
const [CONTINUATION, TEXT, PING, PONG] = [0x0, 0x1, 0x9, 0xa]

/** One masked frame, whose mask is zero. */
function frame(opcode: number, payload: string): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
}

/** A WebSocket after the server's first answer, and all bytes that the server sends. */
async function open(url: string, query = ""): Promise<{ readonly socket: Socket; readonly received: () => Buffer }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  const head = [
    `GET ${SIGNALING_PATH}/?EIO=4&transport=websocket${query} HTTP/1.1`,
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Key: ${KEY}`,
    "Sec-WebSocket-Version: 13",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n`)
  let received = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])))
  await once(socket, "data")
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

test("is cut off when it sends no packet and does not answer the closing handshake", SOON, async () => {
  const { url } = await serve()
  const { socket } = await open(url)
  socket.write(frame(TEXT, "4{}"))
  await once(socket, "close")
})

test("is cut off when it sends a message in thousands of parts", SOON, async () => {
  const { url } = await serve({}, { pingIntervalMs: 600_000 })
  const { socket } = await open(url)
  const unfinished = (part: Buffer) => Buffer.concat([Buffer.from([part[0]! & 0x7f]), part.subarray(1)])
  const parts = Array.from({ length: 2_000 }, () => unfinished(frame(CONTINUATION, " ")))
  socket.write(Buffer.concat([unfinished(frame(TEXT, "4")), ...parts]))
  await once(socket, "close")
})

test("is cut off when one frame arrives in thousands of TCP segments", SOON, async () => {
  // Each write to one end is one segment at the other, as TCP does not promise.
  const [client, server] = duplexPair()
  const headers = { upgrade: "websocket", "sec-websocket-key": KEY, "sec-websocket-version": "13" }
  const request = Object.assign(new IncomingMessage(server as Socket), { method: "GET", headers })
  const accepted = new Promise<WebSocket>((done) =>
    new DataFramesOnly({ noServer: true }).handleUpgrade(request, server, Buffer.alloc(0), done),
  )
  const closed = once(await accepted, "close")
  client.resume()
  client.write(Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0]))
  for (let segment = 0; segment < 2_000; segment++) client.write(" ")
  await expect(closed).rejects.toThrow("Too many buffered chunks")
})

test("gets no WebSocket besides its long polling, whose frames no rate counts", async () => {
  const { url } = await serve()
  const greeting = await fetch(`${url}${SIGNALING_PATH}/?EIO=4&transport=polling`)
  const { sid, upgrades } = JSON.parse((await greeting.text()).slice(1)) as { sid: string; upgrades: unknown }
  const { received } = await open(url, `&sid=${sid}`)
  expect([upgrades, received().toString().split("\r\n")[0]]).toEqual([[], "HTTP/1.1 400 Bad Request"])
})
