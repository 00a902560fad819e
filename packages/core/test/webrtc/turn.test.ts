import { createSocket } from "node:dgram"
import { once } from "node:events"
import { startServer } from "@keymoot/signaling"
import { findService, howToInstall, startTurn } from "@keymoot/tools"
import { nodeWebRtc } from "@keymoot/transport/node"
import * as native from "node-datachannel"
import { expect, onTestFinished, test } from "vitest"
import { Conference, type CreateOptions } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { received, securedWith } from "../conference-run/harness.ts"

const missing = findService("turnserver") === null
if (missing) console.log(`Skipped: conferences through TURN. ${howToInstall("turnserver")}.`)

/** Sees what network addresses a member gives to others. */
function watchedWebRtc() {
  const candidates: string[] = []
  const state = { gathered: 0 }
  class Watched extends nodeWebRtc(native).RTCPeerConnection {
    constructor(configuration: RTCConfiguration) {
      super(configuration)
      this.addEventListener("icecandidate", (event) => {
        const { candidate } = event as RTCPeerConnectionIceEvent
        if (candidate?.candidate) candidates.push(candidate.candidate)
        else state.gathered += 1
      })
    }
  }
  return { candidates, state, wrtc: { RTCPeerConnection: Watched } }
}

async function pair(server: string, ice: CreateOptions["ice"]) {
  const [ofAda, ofBob] = [watchedWebRtc(), watchedWebRtc()]
  const identityOf = async (name: string, { wrtc }: typeof ofAda) => {
    const identity = await openIdentityInNode({ name, wrtc })
    onTestFinished(() => identity.close())
    return identity
  }
  const options = ice === undefined ? {} : { ice }
  const ada = await Conference.create({ server, identity: await identityOf("Ada", ofAda), ...options })
  const bob = await Conference.join({
    url: ada.invitation.url,
    identity: await identityOf("Bob", ofBob),
    ...options,
  })
  return { ada, bob, candidates: () => [...ofAda.candidates, ...ofBob.candidates], states: [ofAda.state, ofBob.state] }
}

/** A STUN server that answers nothing, at an address that members reach. It counts what it receives. */
async function silentStun(turnUrl: string) {
  const [address = ""] = /(?<=:)[\d.]+(?=:)/u.exec(turnUrl) ?? []
  const socket = createSocket("udp4").bind(0, address)
  onTestFinished(() => void socket.close())
  let count = 0
  socket.on("message", () => (count += 1))
  await once(socket, "listening")
  return { url: `stun:${address}:${socket.address().port}`, count: () => count }
}

test.skipIf(missing)("two members that hide their addresses meet through TURN and reveal none", async () => {
  const turn = await startTurn()
  onTestFinished(() => turn.stop())
  const stun = await silentStun(turn.url)
  const server = await startServer({ turn: { urls: [turn.url], secret: turn.secret }, stunUrls: [stun.url] })
  onTestFinished(() => server.close())

  const { ada, bob, candidates } = await pair(server.url, { transportPolicy: "relay" })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const heard = received(bob, "chat", 1)
  await ada.channel("chat", { history: true }).send("through the relay")
  expect((await heard)[0]!.text).toBe("through the relay")
  expect(candidates().length).toBeGreaterThan(0)
  for (const candidate of candidates()) {
    expect(candidate).toContain(" typ relay ")
    // The related address would be the one behind it.
    expect(candidate).toMatch(/ raddr (?:0\.0\.0\.0|::) /u)
  }
  expect(turn.log()).toMatch(/incoming packet ALLOCATE processed, success/u)
  expect(stun.count()).toBe(0)
  const open = await pair(server.url, undefined)
  await Promise.all([securedWith(open.ada, 2), securedWith(open.bob, 2)])
  await expect.poll(stun.count).toBeGreaterThan(0)
})

test("without a TURN server, members that hide their address make no connection", async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const open = await pair(server.url, undefined)
  await Promise.all([securedWith(open.ada, 2), securedWith(open.bob, 2)])
  expect(open.candidates().length).toBeGreaterThan(0)
  const hidden = await pair(server.url, { transportPolicy: "relay" })
  for (const state of hidden.states) await expect.poll(() => state.gathered).toBeGreaterThan(0)
  expect(hidden.candidates()).toEqual([])
})
