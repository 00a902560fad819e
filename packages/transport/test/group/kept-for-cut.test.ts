import { expect, test } from "vitest"
import { KeptForCut } from "../../src/membership/kept-for-cut.ts"
import type { GroupFrame } from "../../src/ordering/frame-store.ts"
import { UNSTABLE_FRAMES_MAX, windowBytes } from "../../src/ordering/window.ts"
import { Cores, nextFrame, type Member } from "./cores.ts"

/** `late` gets what `sender` says only when its own SYNC has gone; how often it asks for a frame is counted. */
function sayAcrossSync(service: "fifo" | "agreed", count: number): { members: Member[]; fetches: number } {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const [a, sender, late, crashed] = cores.members as [Member, Member, Member, Member]
  const underWay: GroupFrame[] = []
  sender.tamper = (sent, to) => {
    if (to !== late.id || sent.type !== "frame" || sent.frame.kind !== "data") return sent
    underWay.push(sent.frame as GroupFrame)
    return null
  }
  let fetches = 0
  late.tamper = (sent) => {
    if (sent.type !== "frame") return sent
    if (sent.frame.kind === "fetch") fetches++
    if (sent.frame.kind === "sync") {
      sender.tamper = (any) => any
      for (const frame of underWay.splice(0)) {
        cores.step(late, { type: "frame", from: sender.id, frame, syncs: [] })
      }
    }
    return sent
  }
  for (let i = 0; i < count; i++) cores.step(sender, { type: "multicast", frame: nextFrame(sender, `${i}`, service) })
  cores.drain()
  cores.crash(crashed)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3000)).toBe(true)
  return { members: [a, sender, late], fetches }
}

test.each(["fifo", "agreed"] as const)(
  "delivers messages between SYNC and CUT (%s) in the view, without a request",
  (service) => {
    const { members, fetches } = sayAcrossSync(service, 5)
    const texts = Array.from({ length: 5 }, (_, i) => `${i}`)
    expect(members.map((member) => member.texts)).toEqual([texts, texts, texts])
    expect(fetches).toBe(0)
  },
)

test("bounds what is kept of one sender, and fetches the rest", () => {
  const { members, fetches } = sayAcrossSync("fifo", UNSTABLE_FRAMES_MAX + 1)
  for (const { texts } of members) expect(texts).toHaveLength(UNSTABLE_FRAMES_MAX + 1)
  expect(fetches).toBe(1)
})

test("keeps nothing beyond a sender's window, nor of others for it", () => {
  const kept = new KeptForCut()
  const half = Math.ceil(windowBytes(300) / 2)
  for (const sequence of [1, 2, 3]) kept.keep(0, frame(sequence, half - 1), 300)
  kept.keep(1, frame(1, half), 300)
  kept.keep(1, frame(2, half + 1), 300)
  expect(sequences(kept, [9, 9])).toEqual(["0:1", "0:2", "1:1"])
})

test("leaves what the cut does not name for the next one", () => {
  const kept = new KeptForCut()
  for (const sequence of [3, 1, 2]) kept.keep(0, frame(sequence, 1), 4)
  expect(sequences(kept, [2])).toEqual(["0:1", "0:2"])
  expect(sequences(kept, [3])).toEqual(["0:3"])
  kept.keep(0, frame(4, 1), 4)
  kept.clear()
  expect(sequences(kept, [9])).toEqual([])
})

function frame(sequence: number, length: number): GroupFrame {
  return { sequence, bytes: new Uint8Array(length) } as GroupFrame
}

function sequences(kept: KeptForCut, upTo: readonly number[]): string[] {
  return kept.take(upTo).map(({ sender, frame: { sequence } }) => `${sender}:${sequence}`)
}
