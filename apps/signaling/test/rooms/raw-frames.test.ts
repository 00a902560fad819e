/** Clients below Engine.IO: they write the frames of WebSocket themselves. */
import { once } from "node:events"
import { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { type Duplex, duplexPair } from "node:stream"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { expect, onTestFinished, test } from "vitest"
import type { WebSocket } from "ws"
import { CONTROL_FRAMES, FewControlFrames } from "../../src/bounds/few-control-frames.ts"
import { TokenBucket } from "../../src/bounds/token-bucket.ts"
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

/** How often the server has answered a ping with this payload. */
const answersTo = (payload: string, received: Buffer): number =>
  received.toString("latin1").split(`\x8a${String.fromCharCode(payload.length)}${payload}`).length - 1

test("gets an answer to its WebSocket ping, as Firefox sends one on another network", async () => {
  const { url } = await serve()
  const { socket, received } = await open(url)
  socket.write(Buffer.concat([frame(PONG, ""), frame(PING, "here?"), frame(TEXT, "40")]))
  await until(() => expect(received().includes("40{")).toBe(true))
  expect(answersTo("here?", received())).toBe(1)
})

test("stays when its proxy and its library keep it alive every ten seconds", () => {
  const bucket = new TokenBucket(CONTROL_FRAMES, 0)
  const taken = Array.from({ length: 1_000 }, (_, number) => bucket.take(Math.floor(number / 2) * 10_000))
  expect(taken).not.toContain(false)
})

test.each([
  ["pings", PING],
  ["pongs", PONG],
])("is closed when it floods with WebSocket %s", async (_name, opcode) => {
  const { url } = await serve()
  const { socket, received } = await open(url)
  socket.write(Buffer.concat(Array.from({ length: 10 * CONTROL_FRAMES.burst }, () => frame(opcode, "here?"))))
  await once(socket, "close")
  expect(answersTo("here?", received())).toBeLessThanOrEqual(CONTROL_FRAMES.burst)
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
  const { url } = await serve()
  const { socket } = await open(url)
  const unfinished = (part: Buffer) => Buffer.concat([Buffer.from([part[0]! & 0x7f]), part.subarray(1)])
  const parts = Array.from({ length: 2_000 }, () => unfinished(frame(CONTINUATION, " ")))
  socket.write(Buffer.concat([unfinished(frame(TEXT, "4")), ...parts]))
  await once(socket, "close")
})

/** A WebSocket without TCP. Each write to one end is one segment at the other, and waits until that reads. */
async function openDirectly(): Promise<{ readonly client: Duplex; readonly webSocket: WebSocket }> {
  const [client, server] = duplexPair()
  const headers = { upgrade: "websocket", "sec-websocket-key": KEY, "sec-websocket-version": "13" }
  const request = Object.assign(new IncomingMessage(server as Socket), { method: "GET", headers })
  const webSocket = await new Promise<WebSocket>((done) =>
    new FewControlFrames({ noServer: true }).handleUpgrade(request, server, Buffer.alloc(0), done),
  )
  return { client, webSocket }
}

test("costs the memory of one answer when it pings and reads nothing", async () => {
  const { client, webSocket } = await openDirectly()
  const pings = Array.from({ length: CONTROL_FRAMES.burst - 1 }, () => frame(PING, "here?"))
  const handled = once(webSocket, "message")
  client.write(Buffer.concat([...pings, frame(TEXT, "x")]))
  await handled
  let received = Buffer.alloc(0)
  client.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])))
  await until(() => expect(webSocket.bufferedAmount).toBe(0))
  client.write(frame(PING, "again?"))
  await until(() => expect(answersTo("again?", received)).toBe(1))
  expect(answersTo("here?", received)).toBe(1)
})

test("is cut off when one frame arrives in thousands of TCP segments", async () => {
  const { client, webSocket } = await openDirectly()
  const closed = once(webSocket, "close")
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
