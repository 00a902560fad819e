import { expect, test } from "vitest"
import type { Frame } from "../../src/wire/frame.ts"
import { Cores, type Member, times } from "./cores.ts"

test("refuses every proposal below a promised one, with the reason, even if accepted", () => {
  const cores = new Cores(3)
  const [a, b] = cores.members as [Member, Member, Member]
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 20 * times.proposalMs)).toBe(true)
  const said: Frame[] = []
  b.tamper = (sent) => {
    if (sent.type === "frame") said.push(sent.frame)
    return null
  }
  const { epoch, members } = a.core.view
  const propose = (above: number): Frame | undefined => {
    said.length = 0
    const proposal = { epoch: epoch + above, coordinator: a.id }
    cores.inject(b, a, { kind: "propose", message: { proposal, members } })
    return said.at(-1)
  }
  const promised = { epoch: epoch + 5, coordinator: a.id }
  expect(propose(3)).toMatchObject({ kind: "sync", message: { proposal: { epoch: epoch + 3 } } })
  expect(propose(5)).toMatchObject({ kind: "sync", message: { proposal: promised } })
  for (const lower of [4, 3, 1]) expect(propose(lower)).toMatchObject({ kind: "nack", message: { promised } })
  // The same again is asked for where its SYNC was lost: it is the same SYNC.
  expect(propose(5)).toMatchObject({ kind: "sync", message: { proposal: promised } })
})
