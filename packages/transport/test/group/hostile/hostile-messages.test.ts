import { expect, test } from "vitest"
import type { GroupFrame } from "../../../src/ordering/frame-store.ts"
import { frameDigest } from "../../../src/wire/frame.ts"
import { ORDER_ENTRIES_MAX, type Dependency, type OrderEntry, type Sync } from "../../../src/wire/messages.ts"
import { Cores, frameOf, nextFrame, numbered, sequencerOf, times, type Member } from "../cores.ts"

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

function indexOf(cores: Cores, member: Member): number {
  return cores.members[0]!.core.view.members.findIndex(({ id }) => id === member.id)
}

test("an unacknowledged flood stops neither the sequencer nor the next view", () => {
  const cores = inOneView(3)
  const sequencer = sequencerOf(cores)
  const [flooding, other] = cores.members.filter((member) => member !== sequencer) as [Member, Member]
  flooding.tamper = (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, orderLength: 0, received: [0, 0, 0] } }
      : sent
  for (let i = 0; i < 2 * ORDER_ENTRIES_MAX; i++) cores.send(flooding, `${i}`)
  cores.crash(flooding)
  expect(cores.runUntil(() => sequencer.size === 2 && other.size === 2, 3000)).toBe(true)
  expect(other.texts).toEqual(sequencer.texts)
})

test("small messages close the window before they fill the log", () => {
  const cores = inOneView(3)
  const [a, , lazy] = cores.members as [Member, Member, Member]
  lazy.tamper = (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, orderLength: 0, received: [0, 0, 0] } }
      : sent
  let sent = 0
  while (a.core.windowOpen && sent < 20_000) cores.send(a, `${sent++}`, "fifo")
  expect(a.core.windowOpen).toBe(false)
  expect(a.core.nextMulticast("fifo").sequence).toBe(sent + 1)
})

test("delivers a message also to the one member that its sender left out", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [withholding, victim] = cores.members.filter((member) => member !== sequencer) as [Member, Member]
  withholding.tamper = (sent, to) =>
    sent.type === "frame" && sent.frame.kind === "data" && to === victim.id ? null : sent
  cores.send(withholding, "for all but you")
  cores.send(sequencer, "after it")
  expect(cores.runUntil(() => victim.texts.length === 2, 20 * times.heartbeatMs)).toBe(true)
  expect(victim.texts).toEqual(["for all but you", "after it"])
  expect(victim.size).toBe(4)
})

test("convicts a sender of two messages with one number, and all deliver the ordered", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [liar, victim, other] = cores.members.filter((member) => member !== sequencer) as [Member, Member, Member]
  const forVictim = nextFrame(liar, "yes", "agreed")
  liar.tamper = (sent, to) =>
    sent.type === "frame" && sent.frame.kind === "data" && to === victim.id ? { type: "frame", frame: forVictim } : sent
  cores.send(liar, "no!")
  cores.send(other, "later")
  expect(cores.runUntil(() => victim.texts.length === 2, 20 * times.heartbeatMs)).toBe(true)
  expect(victim.texts).toEqual(other.texts)
  expect(victim.faults).toContainEqual(expect.objectContaining({ member: liar.id, reason: "conflicting-frames" }))
})

test("one number sent as fifo to one and agreed to others does not stop the order", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [liar, victim, other] = cores.members.filter((member) => member !== sequencer) as [Member, Member, Member]
  const forVictim = nextFrame(liar, "unordered", "fifo")
  liar.tamper = (sent, to) =>
    sent.type === "frame" && sent.frame.kind === "data" && to === victim.id ? { type: "frame", frame: forVictim } : sent
  cores.send(liar, "ordered")
  cores.send(other, "later")
  cores.run(200)
  expect(victim.texts).toEqual(["unordered", "later"])
  expect(victim.faults.map(({ reason }) => reason)).toContain("order-conflict")
})

test("reports a contradiction once, not with every message", () => {
  const cores = inOneView(3)
  const sequencer = sequencerOf(cores)
  const [a, b] = cores.members.filter((member) => member !== sequencer) as [Member, Member]
  sequencer.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "order") return sent
    const entries = sent.frame.message.entries.map((entry) => ({ ...entry, digest: new Uint8Array(32) }))
    const message = { ...sent.frame.message, entries }
    return { type: "frame", frame: frameOf(sequencer, { kind: "order", message }, { view: sent.frame.view }) }
  }
  for (let i = 0; i < 5; i++) cores.send(a, `${i}`)
  expect(b.faults.filter(({ reason }) => reason === "order-conflict")).toHaveLength(1)
})

/** Two honest members of which only one knows the whole ORDER, a third that lies in its SYNC, and a crash. */
function ordersAfterLie(lie: (sync: Sync, whole: readonly OrderEntry[]) => Partial<Sync>): [string[], string[]] {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const others = cores.members.filter((member) => member !== sequencer)
  const [a, b, liar] = others as [Member, Member, Member]
  sequencer.tamper = (sent, to) => (sent.type === "frame" && sent.frame.kind === "order" && to !== a.id ? null : sent)
  const frames = [liar, b, a].map((member) => nextFrame(member, `from ${member.id.slice(0, 2)}`, "agreed"))
  const whole = [liar, b, a].map((member, i) => ({
    sender: indexOf(cores, member),
    sequence: 1,
    digest: frameDigest(frames[i]!),
  }))
  liar.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
    const message = { ...sent.frame.message, ...lie(sent.frame.message, whole) }
    return { type: "frame", frame: frameOf(liar, { kind: "sync", message }, { view: sent.frame.view }) }
  }
  for (const [i, member] of [liar, b, a].entries()) {
    cores.step(member, { type: "multicast", frame: frames[i]! })
  }
  cores.drain()
  expect(a.texts).toHaveLength(3)
  expect(b.texts).toHaveLength(0)
  const { id } = a.core.view
  cores.crash(sequencer)
  const moved = (): boolean => a.core.view.id !== id && a.core.view.id === b.core.view.id
  expect(cores.runUntil(moved, 6 * times.proposalMs)).toBe(true)
  return [a.texts, b.texts]
}

test.each<[string, (sync: Sync, whole: readonly OrderEntry[]) => Partial<Sync>]>([
  ["an ORDER that begins beyond everybody's", () => ({ orderFirst: 4_000_000_000, order: [] })],
  ["an ORDER with senders who do not exist", (_, whole) => ({ order: [...whole, { ...whole[0]!, sender: 255 }] })],
  ["far more deliveries than there are entries", () => ({ deliveredOrder: 4_000_000_000 })],
  ["an ORDER that names nothing that was sent", (_, whole) => ({ order: [...whole, { ...whole[0]!, sequence: 77 }] })],
  ["a vector of another length", () => ({ received: [1, 2], orderFirst: 9 })],
])("a SYNC with %s does not make two honest members deliver in different orders", (_, lie) => {
  const [atA, atB] = ordersAfterLie(lie)
  expect(atB).toEqual(atA)
})

test("asking for everything again and again costs its victim a bounded number of bytes", () => {
  const cores = inOneView(3)
  const [a, b, asking] = cores.members as [Member, Member, Member]
  asking.tamper = (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, orderLength: 0, received: [0, 0, 0] } }
      : sent
  for (let i = 0; i < 12; i++) cores.send(a, "x".repeat(256 * 1024))
  let bytes = 0
  a.tamper = (sent, to) => {
    if (sent.type === "frame" && sent.frame.kind === "data" && to === asking.id) bytes += sent.frame.bytes.length
    return sent
  }
  const message = { proposal: a.core.view.proposal, sender: 0, from: 0, to: 4_000_000_000 }
  for (let i = 0; i < 50; i++) cores.inject(a, asking, { kind: "fetch", message }, {}, i % 2 ? b : asking)
  expect(bytes).toBeLessThanOrEqual(5 * 1024 * 1024)
})

test("buffers messages of a future view from neighbours only", () => {
  for (const isNeighbour of [true, false]) {
    const cores = inOneView(4)
    const [a, b, c, crashed] = cores.members as [Member, Member, Member, Member]
    let late = true
    a.tamper = (sent, to) =>
      late && to === b.id && sent.type === "frame" && sent.frame.kind === "install" ? null : sent
    cores.crash(crashed)
    expect(cores.runUntil(() => a.size === 3 && c.size === 3, 3000)).toBe(true)
    expect(b.size).toBe(4)
    const from = isNeighbour ? c.id : numbered(9)
    cores.step(b, { type: "frame", from, frame: nextFrame(c, "early", "fifo"), syncs: [] })
    late = false
    expect(cores.runUntil(() => b.size === 3, 3000)).toBe(true)
    expect(b.texts.includes("early")).toBe(isNeighbour)
  }
})

test("two colluders with a made-up causal past stop neither others nor the sequencer", () => {
  const cores = inOneView(5)
  const sequencer = sequencerOf(cores)
  const [liar, accomplice, a, b] = cores.members.filter((member) => member !== sequencer) as [
    Member,
    Member,
    Member,
    Member,
  ]
  const claim = (member: Member, dependency: Dependency): void => {
    const { view, sequence } = member.core.nextMulticast("agreed")
    const message = { dependencies: [dependency], body: new TextEncoder().encode("lie") }
    const place = { view, sequence, service: "agreed" } as const
    const frame = frameOf(member, { kind: "data", message }, place) as GroupFrame
    cores.step(member, { type: "multicast", frame })
    cores.drain()
  }
  claim(liar, { member: indexOf(cores, a), count: 1_000_000 })
  claim(accomplice, { member: indexOf(cores, liar), count: 1 })
  // Some of the sequencer's messages are lost for a while, so there is nearly always a message that waits for them.
  sequencer.tamper = (sent) =>
    sent.type === "frame" && sent.frame.kind === "order" && cores.nowMs % 1000 < 700 ? null : sent
  for (let i = 0; i < 40; i++) {
    cores.send(a, `${i}`)
    cores.run(times.proposalMs)
  }
  expect(b.texts).toContain("30")
  expect([...a.faults, ...b.faults].map(({ member }) => member)).not.toContain(sequencer.id)
})
