import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { Socket } from "socket.io"
import { createBootstrap } from "../src/host/bootstrap.ts"
import type { BootstrapEvent, RoomAddress } from "../src/port/port.ts"
import { WarmConnections } from "../src/host/warm-connections.ts"
import { serveHostile } from "./hostile-bootstrap.ts"

const PATIENT = { timeout: 30_000, interval: 20 }
const ID = "00112233445566778899aabbccddeeff"
const address = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf" as RoomAddress

/** A server that has every conference: what it was asked, over which of its connections. */
async function serve() {
  const asked: string[] = []
  const sockets: Socket[] = []
  const server = await serveHostile(onTestFinished, (socket) => {
    const number = sockets.push(socket)
    socket.on("conference:get", (_request, reply: (answer: unknown) => void) => {
      asked.push(`get over ${number}`)
      reply({ ok: true, descriptor: Uint8Array.of(7) })
    })
    socket.on("room:enter", (_request, reply: (answer: unknown) => void) => {
      asked.push(`enter over ${number}`)
      reply({ ok: true })
    })
    socket.on("disconnect", () => asked.push(`end of ${number}`))
  })
  return { server, asked, sockets }
}

/** One engine's end after another in one page. */
function page(server: string) {
  const warm = new WarmConnections()
  return () => {
    const events: BootstrapEvent[] = []
    const bootstrap = createBootstrap((event) => events.push(event), warm)
    onTestFinished(() => bootstrap.close())
    bootstrap.post({ type: "bootstrap-connect", server })
    const replies = () => events.flatMap((event) => (event.type === "bootstrap-reply" ? [event.reply] : []))
    const states = () => events.flatMap((event) => (event.type === "bootstrap-state" ? [event.state] : []))
    const until = (check: () => void) => vi.waitFor(check, PATIENT)
    return { ...bootstrap, replies, states, until }
  }
}

const get = (server: string) => ({ type: "conference-get", server, request: 1, id: ID }) as const
const enter = (server: string) => ({ type: "room-enter", server, request: 2, room: ID, address }) as const

describe("who joins what was looked at in the same page", () => {
  test("finds the connection there", async () => {
    const { server, asked } = await serve()
    const open = page(server)
    const looking = open()
    looking.post(get(server))
    await looking.until(() => expect(looking.replies()).toHaveLength(1))
    looking.close()

    const joining = open()
    joining.post(get(server))
    joining.post(enter(server))
    await joining.until(() => expect(joining.replies()).toHaveLength(2))
    expect(joining.replies()).toEqual([{ ok: true, descriptor: Uint8Array.of(7) }, { ok: true }])
    expect(joining.states()).toEqual(["up"])
    expect(looking.replies()).toHaveLength(1)
    expect(asked).toEqual(["get over 1", "get over 1", "enter over 1"])
  })

  test("connects anew if the server has gone meanwhile", async () => {
    const { server, asked, sockets } = await serve()
    const open = page(server)
    const looking = open()
    looking.post(get(server))
    await looking.until(() => expect(looking.replies()).toHaveLength(1))
    looking.close()
    sockets[0]!.disconnect(true)
    await looking.until(() => expect(asked).toContain("end of 1"))

    const joining = open()
    joining.post(get(server))
    // It may have been asked over the old one before that was known to be gone.
    await joining.until(() => expect(sockets.length).toBe(2))
    await joining.until(() => expect(joining.states().at(-1)).toBe("up"))
    joining.post({ ...get(server), request: 4 })
    await joining.until(() => expect(asked).toContain("get over 2"))
  })
})

test("a connection used in a room ends with its user, as does one with a request", async () => {
  const { server, asked, sockets } = await serve()
  const open = page(server)
  const inside = open()
  inside.post(enter(server))
  await inside.until(() => expect(inside.replies()).toHaveLength(1))
  inside.close()
  await inside.until(() => expect(asked).toContain("end of 1"))

  const asking = open()
  await asking.until(() => expect(asking.states()).toEqual(["up"]))
  asking.post({ type: "ice-servers", server, request: 3, room: ID })
  asking.post({ type: "bootstrap-disconnect", server })
  await asking.until(() => expect(asking.replies()).toMatchObject([{ ok: false, code: "server-unreachable" }]))
  await asking.until(() => expect(asked).toContain("end of 2"))
  expect(sockets).toHaveLength(2)
})
