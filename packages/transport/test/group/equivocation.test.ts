import { expect, test } from "vitest"
import type { GroupConfig } from "../../src/view/group-types.ts"
import type { SyncSetFrame } from "../../src/membership/view-evidence.ts"
import type { ViewId } from "../../src/wire/codec.ts"
import { decodeFrame, type Service } from "../../src/wire/frame.ts"
import type { Order } from "../../src/wire/messages.ts"
import { Cores, frameOf, nextFrame, sequencerOf, times, type Member } from "./cores.ts"

const LONG_MS = 12 * times.proposalMs
const MANY = 96

function inOneView(count: number, overrides: Partial<GroupConfig> = {}): Cores {
  const cores = new Cores(count, () => overrides)
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

test("a sequencer with two orders is reported by both sides, convicted and excluded", () => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [a, b, victim] = cores.members.filter((member) => member !== sequencer) as [Member, Member, Member]
  orderOtherwiseFor(sequencer, victim)
  const honest = [a, b, victim]
  for (let round = 0; round < MANY && a.size === 4; round++) {
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

/** Its next message of that service has another text for one of them. */
function tellOtherwise(liar: Member, victim: Member, service: Service): void {
  const forVictim = nextFrame(liar, "yes", service)
  liar.tamper = (sent, to) => {
    const lies = sent.type === "frame" && sent.frame.kind === "data" && sent.frame.sequence === forVictim.sequence
    return lies && to === victim.id ? { type: "frame", frame: forVictim } : sent
  }
}

/** A new view of all, before any time has passed: nothing is acknowledged before it. */
function refreshAtOnce(cores: Cores): void {
  const [first] = cores.members
  const { id } = first!.core.view
  cores.step(first!, { type: "refresh" })
  cores.drain()
  expect(first!.core.view.id).not.toBe(id)
}

/** Told once by each, and nobody else is. */
function expectConvicted(liar: Member, by: readonly Member[]): void {
  for (const { faults } of by) {
    const told = faults.map(({ member, reason }) => [member, reason])
    expect(told).toEqual(["conflicting-frames", "obstruction"].map((reason) => [liar.id, reason]))
  }
}

function expectLeftOut(cores: Cores, liar: Member, by: readonly Member[]): void {
  const isOut = ({ core }: Member): boolean => core.view.members.every(({ id }) => id !== liar.id)
  expect(cores.runUntil(() => by.every(isOut), times.proposalMs)).toBe(true)
}

test("members with differing messages still get the sequencer's statement to the other", () => {
  // Without signatures the differing messages convict nobody, so the view goes on.
  const cores = inOneView(5, { signsData: false })
  const sequencer = sequencerOf(cores)
  const [liar, victim, ...others] = cores.members.filter((member) => member !== sequencer) as [
    Member,
    Member,
    ...Member[],
  ]
  tellOtherwise(liar, victim, "fifo")
  cores.send(liar, "no!", "fifo")
  cores.run(3 * times.heartbeatMs)
  for (const other of others) expect(other.divergences).toEqual([victim.id])
  orderOtherwiseFor(sequencer, victim)
  const [a, b] = others as [Member, Member]
  for (let round = 0; round < MANY && a.size === 5; round++) {
    speakTogether(cores, a, b)
    cores.run(20)
  }
  const isConvicted = ({ faults }: Member): boolean =>
    faults.some(({ member, reason }) => member === sequencer.id && reason === "conflicting-orders")
  expect(cores.runUntil(() => [a, b, victim].some(isConvicted), LONG_MS)).toBe(true)
})

/** As the coordinator of a view it sends one member another view, with a different SYNC of its own. */
function splitEachView(coordinator: Member, victim: Member): void {
  coordinator.tamper = (sent, to) => {
    if (to !== victim.id || sent.type !== "frame") return sent
    const { frame } = sent
    if (frame.kind !== "cut" && frame.kind !== "install") return sent
    const syncs = frame.message.syncs.map((bytes) => {
      const sync = decodeFrame(bytes)!
      if (sync.kind !== "sync" || sync.origin !== coordinator.id) return bytes
      const message = { ...sync.message, nonce: new Uint8Array(16).fill(7) }
      return frameOf(coordinator, { kind: "sync", message }, { view: sync.view }).bytes
    })
    const payload = { kind: frame.kind, message: { ...frame.message, syncs } } as const
    return { type: "frame", frame: frameOf(coordinator, payload, { view: frame.view }) }
  }
}

test("a proposer that installs two views is convicted by its signatures and excluded", () => {
  const cores = inOneView(4)
  const [liar, victim, ...others] = cores.members as [Member, Member, ...Member[]]
  const honest = [victim, ...others]
  splitEachView(liar, victim)
  cores.step(liar, { type: "refresh" })
  cores.drain()
  expect(victim.core.view.id).not.toBe(others[0]!.core.view.id)
  expect(cores.runUntil(() => honest.every(({ size }) => size === 3), times.proposalMs)).toBe(true)
  for (const { faults } of honest) {
    expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([liar.id]))
    expect(faults.map(({ reason }) => reason)).toContain("conflicting-views")
  }
})

/** The coordinator's next messages to that member, as evidence for others. */
function overhear(coordinator: Member, to: Member): { install: SyncSetFrame | null } {
  const heard: { install: SyncSetFrame | null } = { install: null }
  const { tamper } = coordinator
  coordinator.tamper = (sent, peer) => {
    if (peer === to.id && sent.type === "frame" && sent.frame.kind === "install") heard.install ??= sent.frame
    return tamper(sent, peer)
  }
  return heard
}

test("convicts a proposer by the previous view too, when evidence comes late", () => {
  const cores = inOneView(4)
  const [liar, victim, ...others] = cores.members as [Member, Member, ...Member[]]
  const [other] = others as [Member]
  splitEachView(liar, victim)
  const heard = overhear(liar, other)
  // Nobody hears in time which view the others are in.
  for (const member of [victim, ...others]) member.tamper = (sent) => (sent.type === "heartbeat" ? null : sent)
  refreshAtOnce(cores)
  expect(victim.core.view.id).not.toBe(other.core.view.id)
  liar.tamper = (sent) => sent
  refreshAtOnce(cores)
  expect(victim.core.view.id).toBe(other.core.view.id)
  cores.inject(victim, liar, heard.install!, { view: heard.install!.view }, other)
  expect(victim.faults).toContainEqual({ type: "fault", member: liar.id, reason: "conflicting-views" })
})

test("convicts nobody by the one view that it proposed, however often shown", () => {
  const cores = inOneView(4)
  const [coordinator, a, b] = cores.members as [Member, Member, Member]
  const heard = overhear(coordinator, b)
  for (let later = 0; later < 2; later++) {
    refreshAtOnce(cores)
    cores.inject(a, coordinator, heard.install!, { view: heard.install!.view }, b)
    expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
  }
})

function elsewhere(view: ViewId): ViewId {
  return `${view.startsWith("0") ? "1" : "0"}${view.slice(1)}` as ViewId
}

test("a claim of another view of the same proposal convicts nobody", () => {
  const cores = inOneView(4)
  const [, b, liar, d] = cores.members as [Member, Member, Member, Member]
  liar.tamper = (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, view: elsewhere(sent.heartbeat.view) } }
      : sent
  cores.run(LONG_MS)
  for (const { faults } of [b, d]) expect(faults.filter(({ reason }) => reason === "conflicting-views")).toEqual([])
})

test("two versions of a message convict its sender with the next acknowledgements", () => {
  const cores = inOneView(4)
  const [liar, victim, ...others] = cores.members as [Member, Member, Member, Member]
  tellOtherwise(liar, victim, "fifo")
  cores.send(liar, "no!", "fifo")
  cores.run(3 * times.heartbeatMs)
  expect(victim.texts).toEqual(["yes"])
  expect([...victim.divergences].sort()).toEqual([liar, ...others].map(({ id }) => id).sort())
  for (const other of others) expect(other.divergences).toEqual([victim.id])
  expectConvicted(liar, [victim, ...others])
  expectLeftOut(cores, liar, [victim, ...others])
})

test("two versions of an unsigned message are reported, and nobody is left out", () => {
  const cores = inOneView(4, { signsData: false })
  const [accused, victim, ...others] = cores.members as [Member, Member, Member, Member]
  tellOtherwise(accused, victim, "fifo")
  cores.send(accused, "no!", "fifo")
  cores.run(3 * times.proposalMs)
  const fault = { type: "fault", member: accused.id, reason: "conflicting-unsigned-frames" }
  for (const { faults, size } of [victim, ...others]) expect([faults, size]).toEqual([[fault], 4])
})

test("two signed agreement messages leave their sender out where data is unsigned", () => {
  const cores = inOneView(3, { signsData: false })
  const [liar, ...others] = cores.members as [Member, Member, Member]
  for (const body of [1, 2]) {
    const message = { dependencies: [], body: Uint8Array.of(body) }
    for (const other of others) {
      cores.inject(other, liar, { kind: "agreement", message }, { service: "fifo", sequence: 1 })
    }
  }
  expectConvicted(liar, others)
  expectLeftOut(cores, liar, others)
})

const placeless: readonly Service[] = ["reliable", "fifo", "causal"]

test.each(placeless)("both sides detect two versions of a %s message when the view ends", (service) => {
  const cores = inOneView(4)
  const [a, victim, liar, b] = cores.members as [Member, Member, Member, Member]
  tellOtherwise(liar, victim, service)
  cores.send(liar, "no!", service)
  cores.send(liar, "and so on", service)
  expect([a, victim, b].flatMap(({ divergences }) => divergences)).toEqual([])
  refreshAtOnce(cores)
  expect(victim.texts).toEqual(["yes", "and so on"])
  expect([...victim.divergences].sort()).toEqual([a, liar, b].map(({ id }) => id))
  for (const honest of [a, b]) expect(honest.divergences).toEqual([victim.id])
  expectConvicted(liar, [a, victim, b])
})

test("a member detects another version of a missed message when the view ends", () => {
  const cores = inOneView(3)
  const [a, victim, liar] = cores.members as [Member, Member, Member]
  const forVictim = nextFrame(liar, "yes", "fifo")
  liar.tamper = (sent, to) => {
    if (sent.type !== "frame" || sent.frame.kind !== "data" || to !== victim.id) return sent
    return liar.core.maySend ? null : { type: "frame", frame: forVictim }
  }
  cores.send(liar, "no!", "fifo")
  refreshAtOnce(cores)
  expect([a, victim].map(({ texts }) => texts)).toEqual([["no!"], ["yes"]])
  expect(victim.divergences).toContain(a.id)
})

test("a member that lies about its deliveries is reported, and nobody else is", () => {
  const cores = inOneView(4)
  const [a, liar, b, c] = cores.members as [Member, Member, Member, Member]
  liar.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
    const message = { ...sent.frame.message, receivedDigest: new Uint8Array(32) }
    return { type: "frame", frame: frameOf(liar, { kind: "sync", message }, { view: sent.frame.view }) }
  }
  cores.send(b, "hello", "fifo")
  refreshAtOnce(cores)
  for (const { divergences, faults } of [a, b, c]) expect([divergences, faults]).toEqual([[liar.id], []])
})

test("two frames of one number at one member convict their sender at all others", () => {
  const cores = inOneView(4)
  const [liar, victim, ...others] = cores.members as [Member, Member, Member, Member]
  const other = nextFrame(liar, "yes", "fifo")
  cores.send(liar, "no!", "fifo")
  cores.step(victim, { type: "frame", from: liar.id, frame: other, syncs: [] })
  cores.drain()
  expectConvicted(liar, [victim, ...others])
})

test("shows its own frame when it is shown another, which convicts there too", () => {
  const cores = inOneView(4)
  const [liar, victim, other] = cores.members as [Member, Member, Member]
  tellOtherwise(liar, victim, "fifo")
  const forVictim = nextFrame(liar, "yes", "fifo")
  cores.send(liar, "no!", "fifo")
  cores.step(other, { type: "frame", from: victim.id, frame: forVictim, syncs: [] })
  cores.drain()
  expectConvicted(liar, [victim, other])
})

test("reports no honest members that lose links and repair each other", () => {
  const cores = inOneView(4)
  const [a, b, c] = cores.members as [Member, Member, Member]
  for (let i = 0; i < MANY; i++) {
    b.tamper = (sent) => (i % 3 === 0 && sent.type === "frame" && sent.frame.kind === "data" ? null : sent)
    for (const member of [a, b, c]) cores.send(member, `${i}`, i % 2 === 0 ? "agreed" : "fifo")
    if (i % 8 === 0) cores.run(times.heartbeatMs)
  }
  b.tamper = (sent) => sent
  cores.run(10 * times.heartbeatMs)
  expect(cores.members.flatMap(({ divergences, faults }) => [...divergences, ...faults])).toEqual([])
  expect(c.texts.length).toBe(3 * MANY)
})
