import { expect, test } from "vitest"
import { heldBytesMax, UNSTABLE_BUDGET_BYTES, UNSTABLE_BYTES_MAX, windowBytes } from "../../src/ordering/window.ts"
import { Cores, sequencerOf, times, type Member } from "./cores.ts"

test("a member under backpressure acknowledges, delivers later, and blames nobody", () => {
  const cores = new Cores(3)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3000)).toBe(true)
  const slow = cores.members.find((member) => member !== sequencerOf(cores))!
  const [sender] = cores.members.filter((member) => member !== slow)
  const before = slow.texts.length
  cores.step(slow, { type: "hold", of: sender!.id, held: true })
  for (let i = 0; i < 50; i++) cores.send(sender!, `message ${i}`)
  cores.run(8 * times.proposalMs)
  expect(slow.texts.length).toBe(before)
  expect(slow.faults).toEqual([])
  // Everybody holds them: they do not stand in the way of others.
  expect(sender!.core.unstableBytes).toBe(0)
  cores.step(slow, { type: "hold", of: sender!.id, held: false })
  expect(slow.texts.slice(before)).toEqual(Array.from({ length: 50 }, (_, i) => `message ${i}`))
})

test("blames no sequencer for a message whose causal past is held back here", () => {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const sequencer = sequencerOf(cores)
  const [slow, sender, answering] = cores.members.filter((member) => member !== sequencer) as [Member, Member, Member]
  cores.step(slow, { type: "hold", of: sender.id, held: true })
  cores.send(sender, "a question", "causal")
  cores.send(answering, "the answer")
  cores.run(8 * times.proposalMs)
  expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
  cores.step(slow, { type: "hold", of: sender.id, held: false })
  expect(slow.texts).toEqual(["a question", "the answer"])
})

test("delivers what others send when one sender is held back", () => {
  const cores = new Cores(3)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3000)).toBe(true)
  const [a, b, c] = cores.members
  cores.step(a!, { type: "hold", of: b!.id, held: true })
  for (let i = 0; i < 50; i++) cores.send(b!, `flood ${i}`, "fifo")
  cores.send(c!, "a stroke", "fifo")
  cores.run(2 * times.heartbeatMs)
  expect(a!.texts).toContain("a stroke")
  expect(a!.texts.filter((text) => text.startsWith("flood"))).toEqual([])
})

test("delivers an own unreliable message while the member's own reliability is held", () => {
  const cores = new Cores(2)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 2), 3000)).toBe(true)
  const [a, b] = cores.members
  cores.step(a!, { type: "hold", of: a!.id, held: true })
  cores.send(a!, "a pointer", "unreliable")
  expect([a!.texts, b!.texts]).toEqual([["a pointer"], ["a pointer"]])
})

test("delivers what is held back before the view ends", () => {
  const cores = new Cores(3)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3000)).toBe(true)
  const [a, b, c] = cores.members
  cores.step(a!, { type: "hold", of: b!.id, held: true })
  cores.send(b!, "before the end")
  cores.crash(c!)
  expect(cores.runUntil(() => a!.size === 2 && b!.size === 2, 3000)).toBe(true)
  expect(a!.texts).toContain("before the end")
})

test("the windows of all senders stay within the budget, and bound what is held", () => {
  for (const members of [1, 2, 4, 5, 24, 300]) {
    expect(members * windowBytes(members)).toBeLessThanOrEqual(UNSTABLE_BUDGET_BYTES)
    expect(windowBytes(members)).toBeLessThanOrEqual(UNSTABLE_BYTES_MAX)
    expect(heldBytesMax(members)).toBeGreaterThanOrEqual(4 * windowBytes(members))
  }
})
