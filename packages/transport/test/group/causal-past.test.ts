import { expect, test } from "vitest"
import { Cores, sequencerOf, times, type Member } from "./cores.ts"

/** Three in one view; of what `sender` says nothing reaches `deprived`, whom the sequencer is not. */
function withLoss(): { cores: Cores; sender: Member; sequencer: Member; deprived: Member } {
  const cores = new Cores(3)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 20 * times.proposalMs)).toBe(true)
  const sequencer = sequencerOf(cores)
  const [sender, deprived] = cores.members.filter((member) => member !== sequencer) as [Member, Member]
  sender.tamper = (sent, to) =>
    sent.type === "frame" && sent.frame.kind === "data" && to === deprived.id ? null : sent
  return { cores, sender, sequencer, deprived }
}

test("does not acknowledge a safe message whose causal past is missing", () => {
  const { cores, sender, sequencer, deprived } = withLoss()
  cores.send(sender, "cause", "causal")
  cores.send(sequencer, "effect", "safe")
  cores.run(2 * times.heartbeatMs)
  expect(sender.texts).toEqual(["cause"])
  expect(sequencer.texts).toEqual(["cause"])
  // It is only the cause that is missing.
  sender.tamper = (sent) => sent
  const all = (): boolean => cores.members.every(({ texts }) => texts.length === 2)
  expect(cores.runUntil(all, 20 * times.heartbeatMs)).toBe(true)
  expect(deprived.texts).toEqual(["cause", "effect"])
})

test("delivers no safe message when its causal past left with its holders", () => {
  const { cores, sender, sequencer, deprived } = withLoss()
  cores.send(sender, "cause", "causal")
  cores.send(sequencer, "effect", "safe")
  cores.run(2 * times.heartbeatMs)
  cores.crash(sender, sequencer)
  expect(cores.runUntil(() => deprived.size === 1, 20 * times.proposalMs)).toBe(true)
  expect(deprived.texts).toEqual([])
  for (const { texts } of [sender, sequencer]) expect(texts).toEqual(["cause"])
})
