/** A member or sequencer that sends a long message later to one other, so that this one alone would blame it. */
import { expect, test } from "vitest"
import type { GroupFrame } from "../../../src/ordering/frame-store.ts"
import { Cores, sequencerOf, times, type Member, type Sent } from "../cores.ts"

const MEMBERS = 4
const LONG = "x".repeat(200 * 1024)
/** Longer than the slowest line carries the long message. */
const LATEST_MS = 120_000

/** The attacker sends its second message to the victim a heartbeat after all others. */
function expectToBlameTogether(attackerOf: (cores: Cores) => Member, lie: (sent: Sent) => Sent | null): void {
  const cores = new Cores(MEMBERS)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === MEMBERS), 3000)).toBe(true)
  const attacker = attackerOf(cores)
  const honest = cores.members.filter((member) => member !== attacker)
  const victim = honest[1]!
  let late: GroupFrame | null = null
  attacker.tamper = (sent, to) => {
    const isLong = sent.type === "frame" && sent.frame.kind === "data" && sent.frame.sequence === 2
    if (!isLong || to !== victim.id || late) return lie(sent)
    late = sent.frame as GroupFrame
    return null
  }
  const viewsBefore = honest[0]!.views.length
  cores.send(attacker, "short")
  cores.send(attacker, LONG)
  cores.run(times.heartbeatMs)
  cores.step(victim, { type: "frame", from: attacker.id, frame: late!, syncs: [] })
  cores.drain()

  expect(cores.runUntil(() => honest.every(({ size }) => size === MEMBERS - 1), LATEST_MS)).toBe(true)
  for (const { faults, views } of honest) {
    expect(faults.map(({ member }) => member)).toEqual([attacker.id])
    expect(views.slice(viewsBefore).map(({ members }) => members.length)).toEqual([MEMBERS - 1])
  }
}

test("leaves no victim out when a member acknowledges nothing and sends late to it", () => {
  const nothing = { orderLength: 0, acknowledged: 0 }
  expectToBlameTogether(
    (cores) => cores.members.at(-1)!,
    (sent) => {
      if (sent.type === "acknowledgement") return null
      if (sent.type !== "heartbeat") return sent
      const received = sent.heartbeat.received.map(() => 0)
      return { type: "heartbeat", heartbeat: { ...sent.heartbeat, ...nothing, received } }
    },
  )
})

test("leaves no victim out when a sequencer orders nothing and sends late to it", () => {
  expectToBlameTogether(sequencerOf, (sent) => (sent.type === "frame" && sent.frame.kind === "order" ? null : sent))
})
