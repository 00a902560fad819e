import { expect, test } from "vitest"
import { ACK_BEHIND_BYTES_MAX, SLOWEST_LINE } from "../../src/bounds/network-bounds.ts"
import { MESH_MEMBERS_MAX } from "../../src/view/group-types.ts"
import { digestOfMembers } from "../../src/view/view.ts"
import type { Heartbeat, OrderEntry } from "../../src/wire/messages.ts"
import { Cores, frameOf, sequencerOf, times, type Member } from "./cores.ts"

const LONG_MS = 12 * times.proposalMs
/** With full windows, a slow line may need as much more. */
const FULL_MS = LONG_MS + ACK_BEHIND_BYTES_MAX / SLOWEST_LINE

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

function heartbeatsWith(change: (heartbeat: Heartbeat) => Partial<Heartbeat>): Member["tamper"] {
  return (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, ...change(sent.heartbeat) } }
      : sent
}

test("more neighbours than a view can hold neither stop a member nor its view", () => {
  const cores = new Cores(MESH_MEMBERS_MAX + 3)
  cores.run(600)
  expect(Math.max(...cores.members.map(({ size }) => size))).toBe(MESH_MEMBERS_MAX)
})

test("leaves out a member that never answers a proposal, and the others continue", () => {
  const cores = inOneView(4)
  const [a, b, silent, crashed] = cores.members as [Member, Member, Member, Member]
  silent.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" ? null : sent)
  cores.crash(crashed)
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, LONG_MS)).toBe(true)
  expect(a.faults).toContainEqual(expect.objectContaining({ member: silent.id, reason: "obstruction" }))
  cores.send(b, "we go on")
  expect(a.texts.at(-1)).toBe("we go on")
})

test("a member that refuses every proposal is left out", () => {
  const cores = inOneView(4)
  const [a, b, refusing, crashed] = cores.members as [Member, Member, Member, Member]
  refusing.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
    const { proposal } = sent.frame.message
    return { type: "frame", frame: frameOf(refusing, { kind: "nack", message: { proposal, promised: proposal } }) }
  }
  cores.crash(crashed)
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, LONG_MS)).toBe(true)
})

test("blames nobody for accepting what another refuses again and again", () => {
  const cores = inOneView(4)
  const [a, , , refusing] = cores.members as [Member, Member, Member, Member]
  let refusals = 0
  refusing.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync" || ++refusals % 3 === 0) return sent
    const { proposal } = sent.frame.message
    return { type: "frame", frame: frameOf(refusing, { kind: "nack", message: { proposal, promised: proposal } }) }
  }
  for (let i = 0; i < 30; i++) {
    cores.step(a, { type: "refresh" })
    cores.run(times.proposalMs / 4)
  }
  expect(refusals).toBeGreaterThan(6)
  expect(a.faults.filter(({ member }) => member !== refusing.id)).toEqual([])
})

test("does not give up a proposal for a member outside it", () => {
  const cores = inOneView(3)
  const [a, b, outsider] = cores.members as [Member, Member, Member]
  const proposal = { epoch: a.core.view.epoch + 1, coordinator: a.id }
  b.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" ? null : sent)
  cores.crash(outsider)
  cores.inject(a, outsider, { kind: "nack", message: { proposal, promised: proposal } }, {}, b)
  b.tamper = (sent) => sent
  cores.run(times.resendMs * 2)
  expect(a.core.view.epoch).toBe(proposal.epoch)
})

test("excludes a member that claims unsent messages when it cannot serve them", () => {
  const cores = inOneView(4)
  const [a, b, liar, crashed] = cores.members as [Member, Member, Member, Member]
  liar.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
    const message = { ...sent.frame.message, received: sent.frame.message.received.map(() => 4_000_000_000) }
    return { type: "frame", frame: frameOf(liar, { kind: "sync", message }, { view: sent.frame.view }) }
  }
  cores.crash(crashed)
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, LONG_MS)).toBe(true)
})

test("excludes several that claim the same, and nobody for lacking it", () => {
  const cores = inOneView(6)
  const [a, b, c, ...others] = cores.members as [Member, Member, Member, ...Member[]]
  const crashed = others.pop()!
  for (const liar of others) {
    liar.tamper = (sent) => {
      if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
      const message = { ...sent.frame.message, received: sent.frame.message.received.map(() => 4_000_000_000) }
      return { type: "frame", frame: frameOf(liar, { kind: "sync", message }, { view: sent.frame.view }) }
    }
  }
  cores.crash(crashed)
  expect(cores.runUntil(() => [a, b, c].every(({ size }) => size === 3), LONG_MS)).toBe(true)
  expect(new Set(a.faults.map(({ member }) => member))).toEqual(new Set(others.map(({ id }) => id)))
})

test("a lowest member that collects everybody's flush and never installs is left out", () => {
  const cores = inOneView(4)
  const [lowest, b, c, crashed] = cores.members as [Member, Member, Member, Member]
  lowest.tamper = (sent) =>
    sent.type === "frame" && (sent.frame.kind === "install" || sent.frame.kind === "cut") ? null : sent
  cores.crash(crashed)
  expect(cores.runUntil(() => b.size === 2 && c.size === 2, LONG_MS)).toBe(true)
  cores.send(b, "we go on")
  expect(c.texts.at(-1)).toBe("we go on")
})

test("a lowest member that proposes nothing is left out", () => {
  const cores = inOneView(4)
  const [lowest, b, c, crashed] = cores.members as [Member, Member, Member, Member]
  lowest.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "propose" ? null : sent)
  cores.crash(crashed)
  expect(cores.runUntil(() => b.size === 2 && c.size === 2, LONG_MS)).toBe(true)
})

/** Its lowest member refreshes again and again. */
function expectRefreshingLeadsOut(cores: ReturnType<typeof inOneView>): void {
  const [lowest, b, c] = cores.members as [Member, Member, Member, Member]
  const outOf = (member: Member): boolean => member.core.view.members.every(({ id }) => id !== lowest.id)
  const views = b.views.length
  for (let i = 0; i < 60 && !outOf(b); i++) {
    cores.step(lowest, { type: "refresh" })
    cores.run(2 * times.heartbeatMs)
  }
  expect(outOf(b) && outOf(c)).toBe(true)
  expect(b.views.length - views).toBeLessThan(20)
}

test("a lowest member that makes the others change views again and again is left out", () => {
  expectRefreshingLeadsOut(inOneView(4))
})

test("excludes a view-changing lowest member when its promises rise each time", () => {
  const cores = inOneView(4)
  const lowest = cores.members[0]!
  lowest.tamper = heartbeatsWith(({ promised }) => ({ promised: { ...promised, epoch: promised.epoch + 1 } }))
  expectRefreshingLeadsOut(cores)
})

test("excludes a lowest member when each of its views takes nearly the timeout", () => {
  const cores = inOneView(4)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  const [b] = others as [Member, ...Member[]]
  const syncs = new Map<Member, Uint8Array>()
  for (const other of others) {
    other.tamper = (sent, to) => {
      if (to === lowest.id && sent.type === "frame" && sent.frame.kind === "sync") syncs.set(other, sent.frame.bytes)
      return sent
    }
  }
  // Only heartbeats, in the others' view and with no promise beyond it.
  const inTheirs = heartbeatsWith(() => {
    const { id: view, proposal: promised, members } = b.core.view
    return { view, promised, viewMembers: members, received: members.map(() => 0), up: others.map(({ id }) => id) }
  })
  lowest.tamper = (sent, to) => (sent.type === "heartbeat" ? inTheirs(sent, to) : null)
  let [ticks, frozen] = [0, 0]
  for (let round = 0; round < 12; round++) {
    const { id: previousView, epoch, members } = b.core.view
    const proposal = { epoch: epoch + 1, coordinator: lowest.id }
    for (const other of others) cores.inject(other, lowest, { kind: "propose", message: { proposal, members } })
    for (let i = 0; i < 230; i++, ticks++) {
      cores.run(20)
      if (!b.core.maySend) frozen++
    }
    const position = {
      orderFirst: 0,
      order: [],
      deliveredOrder: 0,
      received: members.map(() => 0),
      receivedDigest: new Uint8Array(32),
    }
    const proof = {
      features: [],
      membersDigest: digestOfMembers(members),
      nonce: new Uint8Array(16),
      attachment: new Uint8Array(0),
    }
    const sync = { proposal, previousView, incarnation: 1, ...position, ...proof }
    syncs.set(lowest, frameOf(lowest, { kind: "sync", message: sync }, { view: previousView }).bytes)
    for (const other of others) {
      cores.inject(other, lowest, { kind: "install", message: { proposal, syncs: [...syncs.values()] } })
    }
    syncs.clear()
  }
  expect(frozen / ticks).toBeLessThan(0.5)
  for (const { faults } of others) {
    const told = faults.filter(({ reason }) => reason === "obstruction")
    expect(new Set(told.map(({ member }) => member))).toEqual(new Set([lowest.id]))
  }
})

/** Part of the time in which `member` may not send. `flapping` has links for `upMs`, and none for a while, in turns. */
function frozenWhile(cores: Cores, member: Member, flapping: Member, turns: { upMs: number; rounds: number }): number {
  let [ticks, frozen] = [0, 0]
  const watch = (forMs: number): void => {
    for (const untilMs = cores.nowMs + forMs; cores.nowMs < untilMs; ticks++) {
      cores.run(20)
      if (!member.core.maySend) frozen++
    }
  }
  for (let round = 0; round < turns.rounds; round++) {
    cores.links(flapping, "linkDown")
    watch(200)
    cores.links(flapping, "linkUp")
    watch(turns.upMs)
  }
  return frozen / ticks
}

test("a silent member that leaves and returns before blame delays nobody for long", () => {
  const cores = inOneView(4)
  const [a, b, , flapping] = cores.members as [Member, Member, Member, Member]
  flapping.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" ? null : sent)
  expect(frozenWhile(cores, b, flapping, { upMs: 0.9 * times.proposalMs, rounds: 40 })).toBeLessThan(0.4)
  expect(new Set(a.faults.map(({ member }) => member))).toEqual(new Set([flapping.id]))
})

test("excludes a lowest member that never proposes, though it leaves and returns", () => {
  const cores = inOneView(4)
  const [lowest, b, c] = cores.members as [Member, Member, Member, Member]
  const upAll = heartbeatsWith(() => ({ up: cores.members.map(({ id }) => id).filter((id) => id !== lowest.id) }))
  lowest.tamper = (sent, to) => (sent.type === "frame" && sent.frame.kind === "propose" ? null : upAll(sent, to))
  for (let round = 0; round < 3; round++) {
    cores.links(lowest, "linkDown")
    expect(cores.runUntil(() => b.size === 3 && c.size === 3, LONG_MS)).toBe(true)
    cores.links(lowest, "linkUp")
    cores.run(4.5 * times.proposalMs)
  }
  for (const { faults } of [b, c]) expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([lowest.id]))
})

test("blames nobody for the wait for the member before it", () => {
  const cores = inOneView(5)
  const [lowest, next, c, d, crashed] = cores.members as [Member, Member, Member, Member, Member]
  lowest.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "propose" ? null : sent)
  cores.crash(crashed)
  cores.run(4.9 * times.proposalMs)
  const lostUntilMs = cores.nowMs + 0.5 * times.proposalMs
  next.tamper = (sent) => (cores.nowMs < lostUntilMs ? null : sent)
  cores.crash(lowest)
  expect(cores.runUntil(() => [next, c, d].every(({ size }) => size === 3), LONG_MS)).toBe(true)
  expect([...c.faults, ...d.faults].map(({ member }) => member)).not.toContain(next.id)
})

test("a member that says it does not see another has itself left out, not the other", () => {
  const cores = inOneView(4)
  const [a, liar, victim, d] = cores.members as [Member, Member, Member, Member]
  liar.tamper = heartbeatsWith(({ up }) => ({ up: up.filter((id) => id !== victim.id) }))
  expect(cores.runUntil(() => a.size === 3 && victim.size === 3 && d.size === 3, LONG_MS)).toBe(true)
  expect(a.core.view.members.map(({ id }) => id)).not.toContain(liar.id)
})

test("a member with false view claims causes only a few view changes", () => {
  const cores = inOneView(3)
  const [a, , liar] = cores.members as [Member, Member, Member]
  liar.tamper = heartbeatsWith(() => ({ view: "00".repeat(32) as Heartbeat["view"] }))
  expect(cores.runUntil(() => a.size === 2, LONG_MS)).toBe(true)
})

test("a member that acknowledges nothing closes nobody's window for good", () => {
  const cores = inOneView(3)
  const [a, b, lazy] = cores.members as [Member, Member, Member]
  const nothing = heartbeatsWith(({ received }) => ({ received: received.map(() => 0), orderLength: 0 }))
  lazy.tamper = (sent, to) => (sent.type === "acknowledgement" ? null : nothing(sent, to))
  const big = "x".repeat(256 * 1024)
  while (a.core.windowOpen) cores.send(a, big)
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, FULL_MS)).toBe(true)
  expect(a.core.windowOpen).toBe(true)
  expect(b.texts).toEqual(a.texts)
})

test("waits longer for acknowledgements in a view of more than 24 members", () => {
  const cores = new Cores(30, () => ({ membersMax: 30 }))
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 30), 3000)).toBe(true)
  const [a, slow] = cores.members as [Member, Member]
  const backMs = cores.nowMs + 5.5 * times.proposalMs
  const nothing = { orderLength: 0, acknowledged: 0 }
  const without = heartbeatsWith(({ received }) => ({ ...nothing, received: received.map(() => 0) }))
  slow.tamper = (sent, to) => (cores.nowMs < backMs ? without(sent, to) : sent)
  cores.send(a, "hello")
  cores.run(LONG_MS)
  expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
})

test("a sequencer that orders nothing is left out, and what was said is delivered", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [a, b] = cores.members.filter((member) => member !== sequencer) as [Member, Member]
  sequencer.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "order" ? null : sent)
  cores.send(a, "anybody there?")
  expect(cores.runUntil(() => b.texts.includes("anybody there?"), LONG_MS)).toBe(true)
  expect(b.core.view.members.map(({ id }) => id)).not.toContain(sequencer.id)
})

/** Just within the patience with who acknowledges or orders nothing. */
const DRIP_MS = 4.5 * times.proposalMs

test("excludes a member that acknowledges one message now and then as a silent one", () => {
  const cores = inOneView(4)
  const [a, b, , lazy] = cores.members as [Member, Member, Member, Member]
  const fromMs = cores.nowMs
  lazy.tamper = heartbeatsWith(({ received, orderLength, acknowledged }) => {
    const shown = Math.floor((cores.nowMs - fromMs) / DRIP_MS)
    const atMost = (count: number): number => Math.min(count, shown)
    return { received: received.map(atMost), orderLength: atMost(orderLength), acknowledged: atMost(acknowledged) }
  })
  for (let i = 0; i < 20; i++) cores.send(a, `${i}`)
  expect(cores.runUntil(() => a.size === 3 && b.size === 3, LONG_MS)).toBe(true)
  expect(new Set([...a.faults, ...b.faults].map(({ member }) => member))).toEqual(new Set([lazy.id]))
})

test("excludes a sequencer that orders one message now and then as a silent one", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const others = cores.members.filter((member) => member !== sequencer)
  const [a, b] = others as [Member, Member]
  const entries: OrderEntry[] = []
  sequencer.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "order") return sent
    for (const [i, entry] of sent.frame.message.entries.entries()) entries[sent.frame.message.first + i] = entry
    return null
  }
  for (let i = 0; i < 20; i++) cores.send(a, `${i}`)
  const isOut = (): boolean => b.core.view.members.every(({ id }) => id !== sequencer.id)
  for (let first = 0; first < 4 && !isOut(); first++) {
    cores.runUntil(isOut, DRIP_MS)
    const message = { first, entries: entries.slice(first, first + 1) }
    if (!isOut()) for (const other of others) cores.inject(other, sequencer, { kind: "order", message })
  }
  expect(isOut()).toBe(true)
  expect(b.texts).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`))
})

test("keeps a slow member that acknowledges, however much is in flight", () => {
  const cores = inOneView(4)
  const [a, b, , slow] = cores.members as [Member, Member, Member, Member]
  // Messages reach it 3 s late, as its acknowledgements show.
  const said: { readonly atMs: number; readonly received: readonly number[]; readonly rest: Partial<Heartbeat> }[] = []
  slow.tamper = heartbeatsWith(({ received, orderLength, acknowledged }) => {
    said.push({ atMs: cores.nowMs, received, rest: { orderLength, acknowledged } })
    const ago = said.findLast(({ atMs }) => atMs <= cores.nowMs - 3 * times.proposalMs)
    return ago
      ? { received: ago.received, ...ago.rest }
      : { received: received.map(() => 0), orderLength: 0, acknowledged: 0 }
  })
  for (let i = 0; i < 150; i++) {
    cores.send(a, `${i}`)
    cores.run(2 * times.heartbeatMs)
  }
  expect([...a.faults, ...b.faults]).toEqual([])
  expect(b.size).toBe(4)
})

test("a member with ever higher epochs cannot block the honest proposals", () => {
  const cores = inOneView(4)
  const [a, b, liar, crashed] = cores.members as [Member, Member, Member, Member]
  const promised = { epoch: Number.MAX_SAFE_INTEGER, coordinator: liar.id }
  liar.tamper = (sent, to) =>
    sent.type === "heartbeat" && to === a.id ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, promised } } : sent
  cores.run(10 * times.heartbeatMs)
  liar.tamper = (sent) => sent
  cores.crash(crashed)
  expect(cores.runUntil(() => a.size === 3 && b.size === 3, LONG_MS)).toBe(true)
})

test("installs a view when a member claims higher epochs thousands of times", () => {
  const cores = inOneView(4)
  const [a, b, liar, crashed] = cores.members as [Member, Member, Member, Member]
  let said: Heartbeat | null = null
  liar.tamper = (sent) => {
    if (sent.type === "heartbeat") said = sent.heartbeat
    return sent
  }
  expect(cores.runUntil(() => said !== null, LONG_MS)).toBe(true)
  const promised = { epoch: Number.MAX_SAFE_INTEGER, coordinator: liar.id }
  for (let i = 0; i < 5000; i++) cores.step(a, { type: "heartbeat", from: liar.id, heartbeat: { ...said!, promised } })
  cores.crash(crashed)
  expect(cores.runUntil(() => a.size === 3 && b.size === 3, LONG_MS)).toBe(true)
  expect([...a.faults, ...b.faults]).toEqual([])
})

test("readmits a member that was left out when it behaves", () => {
  const cores = inOneView(3)
  const [a, , silent] = cores.members as [Member, Member, Member]
  silent.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" ? null : sent)
  cores.step(a, { type: "refresh" })
  expect(cores.runUntil(() => a.size === 2, LONG_MS)).toBe(true)
  silent.tamper = (sent) => sent
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), LONG_MS)).toBe(true)
})
