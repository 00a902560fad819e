import { expect, test } from "vitest"
import { CHECKPOINT_EVERY } from "../../src/ordering/hash-chain.ts"
import type { Order } from "../../src/wire/messages.ts"
import { Cores, frameOf, nextFrame, sequencerOf, times, type Member } from "./cores.ts"

const LONG_MS = 12 * times.proposalMs

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

/** To one member the sequencer names every two messages in the other order, and signs that too. */
function orderOtherwiseFor(sequencer: Member, victim: Member): void {
  let kept: Order | null = null
  sequencer.tamper = (sent, to) => {
    if (sent.type !== "frame" || sent.frame.kind !== "order" || to !== victim.id) return sent
    const order: Order = sent.frame.message
    if (!kept) {
      kept = order
      return null
    }
    const message = { first: kept.first, entries: [...order.entries, ...kept.entries] }
    kept = null
    return { type: "frame", frame: frameOf(sequencer, { kind: "order", message }, { view: sent.frame.view }) }
  }
}

/** Neither has heard the other. */
function speakTogether(cores: Cores, ...members: Member[]): void {
  const frames = members.map((member) => [member, nextFrame(member, "at once", "agreed")] as const)
  for (const [member, frame] of frames) cores.step(member, { type: "multicast", frame })
  cores.drain()
}

test("a sequencer that orders differently for one member is told of by both sides, convicted by its signatures, and left out", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [a, b, victim] = cores.members.filter((member) => member !== sequencer) as [Member, Member, Member]
  orderOtherwiseFor(sequencer, victim)
  const honest = [a, b, victim]
  for (let round = 0; round < 2 * CHECKPOINT_EVERY && a.size === 4; round++) {
    speakTogether(cores, a, b)
    cores.run(20)
  }
  const convicted = (): boolean =>
    honest.some(({ faults }) =>
      faults.some(({ member, reason }) => member === sequencer.id && reason === "conflicting-orders"),
    )
  expect(cores.runUntil(convicted, LONG_MS)).toBe(true)
  expect(honest.some(({ divergences }) => divergences.length > 0)).toBe(true)
  for (const { faults } of honest) {
    expect(
      faults.filter(({ reason }) => reason === "conflicting-orders").every(({ member }) => member === sequencer.id),
    ).toBe(true)
  }
  expect(cores.runUntil(() => a.size === 3 && b.size === 3, LONG_MS)).toBe(true)
  expect(a.core.view.members.map(({ id }) => id)).not.toContain(sequencer.id)
})

test("a member that says one thing to some and another to others under one number is noticed at the next checkpoint", () => {
  const cores = inOneView(4)
  const [liar, victim, ...others] = cores.members as [Member, Member, Member, Member]
  const forVictim = nextFrame(liar, "yes", "fifo")
  liar.tamper = (sent, to) =>
    sent.type === "frame" && sent.frame.kind === "data" && sent.frame.sequence === 1 && to === victim.id
      ? { type: "frame", frame: forVictim }
      : sent
  cores.send(liar, "no!", "fifo")
  for (let i = 1; i < CHECKPOINT_EVERY; i++) cores.send(liar, `${i}`, "fifo")
  cores.run(3 * times.heartbeatMs)
  expect(victim.texts[0]).toBe("yes")
  expect([...victim.divergences].sort()).toEqual([liar, ...others].map(({ id }) => id).sort())
  for (const other of others) expect(other.divergences).toEqual([victim.id])
  // It is one word against another: nobody is convicted.
  expect([victim, ...others].flatMap(({ faults }) => faults)).toEqual([])
})

test("who shows both frames of one number to the same member convicts itself", () => {
  const cores = inOneView(3)
  const [liar, victim] = cores.members as [Member, Member]
  const other = nextFrame(liar, "yes", "fifo")
  cores.send(liar, "no!", "fifo")
  cores.step(victim, { type: "frame", from: liar.id, frame: other, syncs: [] })
  expect(victim.faults).toEqual([expect.objectContaining({ member: liar.id, reason: "conflicting-frames" })])
})

test("honest members that lose links and repair each other are told of by nobody", () => {
  const cores = inOneView(4)
  const [a, b, c] = cores.members as [Member, Member, Member]
  for (let i = 0; i < 3 * CHECKPOINT_EVERY; i++) {
    b.tamper = (sent) => (i % 3 === 0 && sent.type === "frame" && sent.frame.kind === "data" ? null : sent)
    for (const member of [a, b, c]) cores.send(member, `${i}`, i % 2 === 0 ? "agreed" : "fifo")
    if (i % 8 === 0) cores.run(times.heartbeatMs)
  }
  b.tamper = (sent) => sent
  cores.run(10 * times.heartbeatMs)
  expect(cores.members.flatMap(({ divergences, faults }) => [...divergences, ...faults])).toEqual([])
  expect(c.texts.length).toBe(9 * CHECKPOINT_EVERY)
})
