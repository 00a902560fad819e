import type { BootstrapReply, ConnectionId, HostCommand } from "@keymoot/transport/host"
import { expect, test } from "vitest"
import { Ice, type IceConfig } from "../../src/runtime/ice.ts"

const SERVER = "https://meet.example"
const ROOM = "0".repeat(32)
const turn = { urls: ["turn:turn.example"], username: "a", credential: "b", lifetimeMs: 600_000 }
const granted: BootstrapReply = { ok: true, ice: { stun: ["stun:meet.example:3478"], turn } }

/** A member that has entered the room. `opened`: the ICE servers of a peer connection that it opens now. */
function member(transportPolicy: IceConfig["transportPolicy"]) {
  const posted: HostCommand[] = []
  let requests = 0
  const config = { server: SERVER, room: ROOM, transportPolicy }
  const nextRequest = (): number => (requests += 1)
  const nextConnection = (): ConnectionId => expect.fail("a link is opened")
  const ice = new Ice({ ...config, host: { nextRequest, nextConnection, post: (command) => posted.push(command) } })
  ice.post({ type: "room-enter", server: SERVER, request: 100, room: ROOM, address: "" as never })
  return {
    ice,
    answer: (reply: BootstrapReply) =>
      ice.handle({ type: "bootstrap-reply", server: SERVER, request: requests, reply }),
    asked: () => posted.filter(({ type }) => type === "ice-servers").length,
    opened: () => {
      ice.post({ type: "peer-open", connectionId: 1 as ConnectionId, initiator: true })
      const command = posted.at(-1)
      return command?.type === "peer-open" ? command : undefined
    },
  }
}

test("adds the server's STUN and TURN to peer connections", () => {
  const { answer, opened } = member("all")
  expect(opened()).toMatchObject({ iceServers: [], transportPolicy: "all" })
  answer(granted)
  const { urls, username, credential } = turn
  expect(opened()?.iceServers).toEqual([{ urls: ["stun:meet.example:3478"] }, { urls, username, credential }])
})

test("uses no STUN server when the member hides its address", () => {
  const { answer, opened } = member("relay")
  answer(granted)
  expect(opened()).toMatchObject({ transportPolicy: "relay", iceServers: [{ urls: turn.urls }] })
})

test("keeps STUN when credentials expire, and asks for new ones before", () => {
  const { ice, answer, asked, opened } = member("all")
  ice.tick(0)
  answer(granted)
  ice.tick(turn.lifetimeMs / 2)
  expect(asked()).toBe(2)
  ice.tick(turn.lifetimeMs)
  expect(opened()?.iceServers).toEqual([{ urls: ["stun:meet.example:3478"] }])
})

test("asks again after a refusal, and not after an answer without TURN", () => {
  const { ice, answer, asked, opened } = member("all")
  ice.tick(0)
  answer({ ok: false, code: "rate-limited", message: "later" })
  ice.tick(59_999)
  expect(asked()).toBe(1)
  ice.tick(60_000)
  expect(asked()).toBe(2)
  answer({ ok: true, ice: { stun: [] } })
  ice.tick(10_000_000)
  expect(asked()).toBe(2)
  expect(opened()?.iceServers).toEqual([])
})
