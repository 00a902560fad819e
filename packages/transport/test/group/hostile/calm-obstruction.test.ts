import { expect, test } from "vitest"
import type { Heartbeat } from "../../../src/wire/messages.ts"
import { Cores, sequencerOf, times, type Member } from "../cores.ts"

const LONG_MS = 12 * times.proposalMs

function inOneView(count: number): Cores {
  const cores = new Cores(count)
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
