/** A full ORDER, which the sequencer or another member can cause. */
import { expect, test } from "vitest"
import { unstableEntriesMax } from "../../../src/ordering/global-order.ts"
import type { Acknowledgement } from "../../../src/wire/messages.ts"
import { Cores, sequencerOf, times, type Member } from "../cores.ts"

/** Just within the patience with a sequencer that orders nothing. */
const DRIP_MS = 4.75 * times.proposalMs

/** The sequencer receives nothing of `victim`, and states that it holds what another member holds. */
function ignore(cores: Cores, sequencer: Member, victim: Member): void {
  const [witness, ...rest] = cores.members.filter((member) => member !== sequencer && member !== victim)
  let held: Pick<Acknowledgement, "received" | "frameChains"> | null = null
  cores.watch = (member, output) => {
    if (member !== witness || output.type !== "heartbeat") return
    const { received, frameChains } = output.heartbeat
    held = { received, frameChains }
  }
  for (const member of [witness!, ...rest, victim]) {
    member.tamper = (sent, to) =>
      to === sequencer.id && sent.type === "frame" && sent.frame.kind === "data" && sent.frame.origin === victim.id
        ? null
        : sent
  }
  sequencer.tamper = (sent) => {
    if (sent.type === "acknowledgement") return null
    return sent.type === "heartbeat" ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, ...held } } : sent
  }
}

test("excludes a sequencer that fills the ORDER now and then, and ignores a member", () => {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const sequencer = sequencerOf(cores)
  const others = cores.members.filter((member) => member !== sequencer)
  const [victim, other] = others as [Member, Member]
  ignore(cores, sequencer, victim)
  cores.send(victim, "anybody there?")
  cores.run(2 * times.heartbeatMs)
  const isOut = (): boolean => others.every(({ size }) => size === 3)
  for (let round = 0; round < 4 && !isOut(); round++) {
    for (let i = 0; i < unstableEntriesMax(4); i++) cores.send(sequencer, ".")
    cores.runUntil(isOut, DRIP_MS)
  }
  expect(isOut()).toBe(true)
  expect(other.texts).toContain("anybody there?")
  const faults = others.flatMap((member) => member.faults)
  expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([sequencer.id]))
})
