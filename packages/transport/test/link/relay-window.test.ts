/** Links through one server share its windows. The server plays itself: it answers when the test says so. */
import { describe, expect, test, vi } from "vitest"
import { decodeRelayed } from "../../src/host/relay-connection.ts"
import { Relays } from "../../src/host/relays.ts"
import type { ConnectionId, RoomAddress } from "../../src/port/port.ts"
import {
  RELAY_ANSWER_TIMEOUT_MS,
  RELAY_FRAME_COST_BYTES,
  RELAY_PAIR_WINDOW_BYTES,
  RELAY_WINDOW_BYTES,
} from "../../src/signaling-protocol/index.ts"

const FRAME_BYTES = 16 * 1024
const frames = (count: number) => Array.from({ length: count }, (_, index) => new Uint8Array(FRAME_BYTES).fill(index))

/** A server that keeps what it gets. `answer` takes the oldest frame. */
function serverThatWaits() {
  const unanswered: { readonly to: string; readonly frame: Uint8Array; readonly answer: (refused?: string) => void }[] =
    []
  const arrived: { readonly to: string; readonly kind: string; readonly first: number | undefined }[] = []
  const relays = new Relays(({ to }) => (frame, onAnswer) => {
    unanswered.push({ to, frame, answer: (refused) => onAnswer(refused ?? null) })
  })
  const open = async (to: string, circuit = 1) => {
    const room = "room"
    const opening = {
      connectionId: 1 as ConnectionId,
      server: "server",
      room,
      to: to as RoomAddress,
      circuit,
      answering: true,
    }
    const nothing = () => undefined
    const listener = { onConnected: nothing, onFrame: nothing, onClosed: nothing }
    const link = relays.open({ type: "relay-open", ...opening }, listener)
    await Promise.resolve()
    return link
  }
  const answer = () => {
    const { to, frame, answer: tell } = unanswered.shift()!
    const { kind, frames: carried } = decodeRelayed(frame)!
    arrived.push(...(carried.length > 0 ? carried : [frame]).map((each) => ({ to, kind, first: each[0] })))
    tell()
  }
  const underWay = () => unanswered.reduce((sum, { frame }) => sum + frame.length + RELAY_FRAME_COST_BYTES, 0)
  return { open, answer, unanswered, arrived, underWay }
}

describe("a busy sender of relayed links", () => {
  test("keeps to the server's window for all of them together, and loses nothing", async () => {
    const server = serverThatWaits()
    const links = await Promise.all(Array.from({ length: 8 }, (_, index) => server.open(`member ${index}`)))
    for (const link of links) link.send(frames(13), "reliable")
    expect(server.underWay()).toBeGreaterThan(RELAY_WINDOW_BYTES / 2)
    while (server.unanswered.length > 0) {
      expect(server.underWay()).toBeLessThanOrEqual(RELAY_WINDOW_BYTES)
      server.answer()
    }
    for (const index of links.keys()) {
      const numbers = server.arrived.filter(({ to, kind }) => to === `member ${index}` && kind === "reliable")
      expect(numbers.map(({ first }) => first)).toEqual(frames(13).map(([first]) => first))
    }
  })

  test("lets a link with little to send take its turn among those with much", async () => {
    const server = serverThatWaits()
    const busy = await Promise.all(Array.from({ length: 5 }, (_, index) => server.open(`member ${index}`)))
    const quiet = await server.open("quiet")
    for (const link of busy) link.send(frames(60), "reliable")
    quiet.send(frames(1), "reliable")
    for (let answers = server.unanswered.length + 2; answers > 0; answers--) server.answer()
    expect([...server.arrived, ...server.unanswered].filter(({ to }) => to === "quiet").length).toBe(2)
  })

  test("counts a frame that nobody answers as long as the server does", async () => {
    vi.useFakeTimers()
    try {
      const server = serverThatWaits()
      const gone = await server.open("gone")
      gone.send(frames(15), "reliable")
      const lost = server.underWay()
      expect(lost).toBeGreaterThan(RELAY_PAIR_WINDOW_BYTES / 2)
      for (const { answer } of server.unanswered.splice(0)) answer("server-unreachable")
      const links = await Promise.all(Array.from({ length: 8 }, (_, index) => server.open(`member ${index}`)))
      for (const link of links) link.send(frames(13), "reliable")
      expect(lost + server.underWay()).toBeLessThanOrEqual(RELAY_WINDOW_BYTES)
      const before = server.underWay()
      vi.advanceTimersByTime(RELAY_ANSWER_TIMEOUT_MS)
      expect(server.underWay()).toBeGreaterThan(before)
    } finally {
      vi.useRealTimers()
    }
  })

  test("counts former circuits to an address, whose frames are still under way", async () => {
    const server = serverThatWaits()
    const former = await server.open("member", 1)
    former.send(frames(15), "reliable")
    former.destroy()
    const link = await server.open("member", 3)
    link.send(frames(15), "reliable")
    expect(server.underWay()).toBeGreaterThan(RELAY_PAIR_WINDOW_BYTES / 2)
    expect(server.underWay()).toBeLessThanOrEqual(RELAY_PAIR_WINDOW_BYTES)
  })

  test("can open and close links while the window is full", async () => {
    const server = serverThatWaits()
    const links = await Promise.all(Array.from({ length: 8 }, (_, index) => server.open(`member ${index}`)))
    for (const link of links) {
      link.send(frames(60), "reliable")
      for (const frame of frames(8)) link.send([frame], "unreliable")
    }
    for (const link of links) link.close()
    for (let index = 0; index < 8; index++) await server.open(`later ${index}`)
    expect(server.underWay()).toBeLessThanOrEqual(RELAY_WINDOW_BYTES)
    expect(server.unanswered.filter(({ frame }) => decodeRelayed(frame)!.kind === "close").length).toBe(8)
  })
})
