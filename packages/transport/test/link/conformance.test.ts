import { describe, expect, test, vi } from "vitest"
import type { FrameConnection, ConnectionListener } from "../../src/host/frame-connection.ts"
import type { Reliability } from "../../src/port/port.ts"
import { Random } from "../../src/testing/random/random.ts"
import { dataChannels, inMemory, inMemoryRelay, movedChannels, serverRelay, type PairFactory } from "./pairs.ts"

/** Notifications of one end. */
class Heard implements ConnectionListener {
  readonly events: string[] = []
  readonly fingerprints: string[] = []
  readonly frames: Record<Reliability, Uint8Array[]> = { reliable: [], unreliable: [] }

  onConnected(local: string, remote: string): void {
    this.events.push("connected")
    this.fingerprints.push(local, remote)
  }

  onFrame(frame: Uint8Array, reliability: Reliability): void {
    this.frames[reliability].push(frame.slice())
  }

  onClosed(reason: string, byPeer: boolean): void {
    expect(reason).not.toBe("")
    this.events.push(byPeer ? "closed by the peer" : "broken")
  }
}

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 30_000, interval: 20 })
type End = { readonly link: FrameConnection; readonly heard: Heard }

async function openPair(pair: PairFactory): Promise<[End, End]> {
  const heard = [new Heard(), new Heard()] as const
  const [one, other] = await pair(heard)
  await until(() => expect(heard.map(({ events }) => events)).toEqual([["connected"], ["connected"]]))
  return [
    { link: one, heard: heard[0] },
    { link: other, heard: heard[1] },
  ]
}

/** Requirements for every link, over any transport. */
describe.each<[string, PairFactory]>([
  ["a data channel", dataChannels],
  ["a data channel in another thread", movedChannels],
  ["the server's relay", serverRelay],
  ["a pair in memory", inMemory],
  ["a relayed pair in memory", inMemoryRelay],
])("%s", (_, pair) => {
  test("opens once at both ends, which see one another's certificates if there are any", async () => {
    const [one, other] = await openPair(pair)
    expect(one.heard.fingerprints).toEqual(other.heard.fingerprints.toReversed())
    for (const fingerprint of one.heard.fingerprints) expect(fingerprint).toMatch(/^([0-9a-f]{64})?$/u)
  })

  test("carries frames whole, in order, intact, in both directions, singly or in bursts", async () => {
    const [one, other] = await openPair(pair)
    const random = new Random(1)
    const lengths = [1, 2, 1_000, 16_408, 17_000, ...Array.from({ length: 300 }, () => 1 + random.integer(3_000))]
    const frames = lengths.map((length) => random.bytes(length))
    for (const [index, frame] of frames.entries()) {
      if (index < 10) {
        one.link.send([frame], "reliable")
        other.link.send([frame], "reliable")
      }
    }
    one.link.send(frames.slice(10), "reliable")
    other.link.send(frames.slice(10), "reliable")
    await until(() =>
      expect([one, other].map(({ heard }) => heard.frames.reliable.length)).toEqual([frames.length, frames.length]),
    )
    for (const { heard } of [one, other])
      expect(heard.frames.reliable.every((frame, index) => Buffer.from(frame).equals(frames[index]!))).toBe(true)
  })

  test("takes more at once than it can carry at once", async () => {
    const [one, other] = await openPair(pair)
    const frames = Array.from({ length: 250 }, (_, index) => new Uint8Array(16_000).fill(index))
    one.link.send(frames, "reliable")
    await until(() => expect(other.heard.frames.reliable.length).toBe(frames.length))
    expect(other.heard.frames.reliable.map((frame) => frame[0])).toEqual(frames.map((frame) => frame[0]))
  })

  test("loses no reliable frames to unreliable ones, which arrive intact or not at all", async () => {
    const [one, other] = await openPair(pair)
    for (let index = 0; index < 50; index++) {
      one.link.send([Uint8Array.of(index)], "reliable")
      one.link.send([Uint8Array.of(index, index)], "unreliable")
      if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await until(() => expect(other.heard.frames.reliable.length).toBe(50))
    await until(() => expect(other.heard.frames.unreliable.length).toBeGreaterThan(10))
    expect(other.heard.frames.reliable.map(([byte]) => byte)).toEqual(Array.from({ length: 50 }, (_, index) => index))
    for (const frame of other.heard.frames.unreliable) expect([frame.length, frame[0]]).toEqual([2, frame[1]])
  })

  test("delivers what was sent before close, and reports the close to the other end once", async () => {
    const [one, other] = await openPair(pair)
    for (let index = 0; index < 20; index++) one.link.send([new Uint8Array(1_000).fill(index)], "reliable")
    one.link.close()
    one.link.close()
    one.link.send([Uint8Array.of(1)], "reliable")
    await until(() => expect(other.heard.events).toEqual(["connected", "closed by the peer"]))
    expect(other.heard.frames.reliable.map((frame) => frame[0])).toEqual(Array.from({ length: 20 }, (_, at) => at))
    other.link.send([Uint8Array.of(1)], "reliable")
    other.link.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(one.heard.events).toEqual(["connected"])
    expect(other.heard.events).toHaveLength(2)
    expect(one.heard.frames.reliable).toEqual([])
  })
})
