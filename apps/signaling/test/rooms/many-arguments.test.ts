/** Socket.IO passes each argument of a packet on the stack, which has an end. */
import { FRAME_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import { expect, test } from "vitest"
import { bytesOf, type Client, createRoom, enterRoom, join } from "../clients.ts"
import { readyUrl, spawnServer } from "../processes.ts"

/** So many characters of arguments, and a few less for the beginning of the packet. */
const argumentsIn = (characters: number) => `0${",0".repeat((characters - 100) / 2)}`
const MOST = argumentsIn(FRAME_BYTES_MAX)
/** The server takes so many characters of text in one packet. */
const ALLOWED = argumentsIn(20 * 1024)

/** Sends a packet of Socket.IO as it is. */
const write = ({ socket }: Client, packet: string) => socket.io.engine.write(packet)
const gone = ({ socket }: Client) => new Promise((done) => socket.once("disconnect", done))

test("a client ends its own connection only, by an event with very many arguments", async () => {
  const server = spawnServer({ WEB_DIR: "none", PORT: "0" })
  const url = await readyUrl(server)
  const bystander = await join(url)
  const room = await createRoom(bystander)
  for (const packet of [`2["x",${MOST}]`, `21["conference:get",${MOST}]`]) {
    const client = await join(url)
    write(client, packet)
    await gone(client)
  }
  write(bystander, `2["x",${ALLOWED}]`)
  expect(await bystander.ask("conference:get", { id: room })).toMatchObject({ ok: true })
  expect(server.child.exitCode).toBe(null)
})

test("a client ends its own connection only, by an acknowledgement with very many", async () => {
  const server = spawnServer({ WEB_DIR: "none", PORT: "0" })
  const url = await readyUrl(server)
  const room = await createRoom(await join(url))
  const sender = await enterRoom(url, room)
  const relay = (to: string) => sender.ask("relay", { room, to, frame: bytesOf("x") })
  const [small, large] = [await enterRoom(url, room), await enterRoom(url, room)]
  // The server's first packets with an acknowledgement have these ids.
  small.socket.on("relay", () => write(small, `30[${ALLOWED}]`))
  large.socket.on("relay", () => write(large, `31[${MOST}]`))
  expect(await relay(small.address)).toMatchObject({ ok: false, code: "relay-refused" })
  void relay(large.address).catch(() => {})
  await gone(large)
  expect(await sender.ask("conference:get", { id: room })).toMatchObject({ ok: true })
  expect(server.child.exitCode).toBe(null)
})
