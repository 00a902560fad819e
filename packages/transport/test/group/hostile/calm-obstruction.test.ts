import { expect, test } from "vitest"
import { ACK_BEHIND_BYTES_MAX, SLOWEST_LINE } from "../../../src/bounds/network-bounds.ts"
import type { GroupConfig } from "../../../src/view/group-types.ts"
import type { FramePayload } from "../../../src/wire/frame.ts"
import type { Heartbeat } from "../../../src/wire/messages.ts"
import { Cores, sequencerOf, times, type Member } from "../cores.ts"

const LONG_MS = 12 * times.proposalMs
/** With full windows, a slow line may need as much more. */
const FULL_MS = LONG_MS + ACK_BEHIND_BYTES_MAX / SLOWEST_LINE

function inOneView(count: number, overridesOf: (member: number) => Partial<GroupConfig> = () => ({})): Cores {
  const cores = new Cores(count, overridesOf)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

/** It sends only heartbeats, which repeat those of `victim`. Equal ones are one object, as those that a link brings. */
function echo(cores: Cores, hostile: Member, victim: Member): void {
  const up = cores.members.map(({ id }) => id).filter((id) => id !== hostile.id)
  const echoes = new WeakMap<Heartbeat, Heartbeat>()
  let heard: Heartbeat | null = null
  cores.watch = (member, output) => {
    if (member === victim && output.type === "heartbeat") heard = output.heartbeat
  }
  hostile.tamper = (sent) => {
    if (sent.type !== "heartbeat" || !heard) return null
    const heartbeat = echoes.get(heard) ?? { ...heard, up }
    echoes.set(heard, heartbeat)
    return { type: "heartbeat", heartbeat }
  }
}

test.for([false, true])("excludes a silent sequencer when all are calm, and ticks omitted: %s", (omits) => {
  const cores = inOneView(4)
  if (omits) cores.omitsTicks = () => undefined
  const sequencer = sequencerOf(cores)
  const others = cores.members.filter((member) => member !== sequencer)
  const [a, b] = others as [Member, Member]
  echo(cores, sequencer, a)
  cores.run(10 * times.heartbeatMs)
  cores.send(a, "anybody there?")
  expect(cores.runUntil(() => b.texts.includes("anybody there?"), LONG_MS)).toBe(true)
  expect(b.core.view.members.map(({ id }) => id)).not.toContain(sequencer.id)
  const faults = others.flatMap((member) => member.faults)
  expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([sequencer.id]))
})

const heartbeatsWith =
  (change: Partial<Heartbeat>): Member["tamper"] =>
  (sent) => {
    if (sent.type === "heartbeat") return { type: "heartbeat", heartbeat: { ...sent.heartbeat, ...change } }
    return sent.type === "acknowledgement" ? null : sent
  }

test.for<[name: string, tamper: Member["tamper"]]>([
  ["no counts", heartbeatsWith({ received: [] })],
  ["counts of nothing", heartbeatsWith({ received: [0, 0, 0, 0], orderLength: 0, acknowledged: 0 })],
])("excludes a member, and no sequencer, when its heartbeats hold %s", ([, tamper]) => {
  const cores = inOneView(4)
  const sequencer = sequencerOf(cores)
  const [lazy, ...others] = cores.members.filter((member) => member !== sequencer) as [Member, ...Member[]]
  const honest = [...others, sequencer]
  lazy.tamper = tamper
  for (const member of honest) while (member.core.windowOpen) cores.send(member, "x")
  expect(cores.runUntil(() => honest.every(({ size }) => size === 3), FULL_MS)).toBe(true)
  const faults = honest.flatMap((member) => member.faults)
  expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([lazy.id]))
})

test("blames no member that stated what it holds only before the view came", () => {
  // The early one does not repeat its statement before it hears that the late one holds the same.
  const cores = inOneView(3, (member) => (member === 2 ? { heartbeatMs: 3 * times.heartbeatMs } : {}))
  const [a, late, early] = cores.members as [Member, Member, Member]
  cores.watch = (member, output) => {
    if (output.type !== "heartbeat") return
    for (const from of output.to) cores.later(member, { type: "alive", from })
  }
  cores.run(10 * times.heartbeatMs)
  let install: FramePayload | null = null
  a.tamper = (sent, to) => {
    if (to !== late.id || sent.type !== "frame" || sent.frame.kind !== "install") return sent
    install = sent.frame
    return null
  }
  cores.step(a, { type: "refresh" })
  expect(cores.runUntil(() => early.core.view.epoch > late.core.view.epoch, times.proposalMs)).toBe(true)
  cores.send(early, "hello", "fifo")
  cores.run(4 * times.heartbeatMs)
  cores.inject(late, a, install!)
  expect(cores.runUntil(() => late.texts.includes("hello"), times.proposalMs)).toBe(true)
  // Messages that nobody acknowledges make it look at what others have acknowledged.
  for (let i = 0; i < 200; i++) {
    cores.send(a, `${i}`, "unreliable")
    cores.run(0.5 * times.heartbeatMs)
  }
  expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
})
