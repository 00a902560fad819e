import { expect, test } from "vitest"
import { FrameEvidence, SHOWN_BUDGET_BYTES, shownBytesMax } from "../../src/group/frame-evidence.ts"
import { CoreContext } from "../../src/membership/core-context.ts"
import { voidViewId } from "../../src/view/view.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import { Neighbours } from "../../src/liveness/neighbours.ts"
import { BODY_BYTES_MAX, MEMBERS_MAX } from "../../src/wire/messages.ts"
import { Cores, nextFrame, times, type Member } from "./cores.ts"

function fourOfWhomOneIsSilent() {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const [liar, colluder, a, b] = cores.members as [Member, Member, Member, Member]
  // As long as it says nothing everything is kept for it.
  colluder.tamper = () => null
  return { cores, liar, colluder, honest: [a, b] as const }
}

/** More than is shown. */
function sayMuch(cores: Cores, member: Member): void {
  const [long, count] = ["x".repeat(BODY_BYTES_MAX - 1024), 9]
  expect(count * long.length).toBeGreaterThan(shownBytesMax(4))
  for (let i = 0; i < count; i++) cores.send(member, long, "fifo")
}

/** One of two gets another version of what is said, and both a proof. */
function lieTo(cores: Cores, liar: Member, honest: readonly [Member, Member]): void {
  const forVictim = nextFrame(liar, "yes", "fifo")
  liar.tamper = (sent, to) => {
    const lies = sent.type === "frame" && sent.frame.kind === "data" && to === honest[1].id
    return lies ? { type: "frame", frame: forVictim } : sent
  }
  cores.send(liar, "no!", "fifo")
  cores.run(3 * times.heartbeatMs)
  for (const { faults } of honest) {
    expect(faults[0]).toMatchObject({ member: liar.id, reason: "conflicting-frames" })
    expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([liar.id]))
  }
}

test("a false claim still leaves the proof of another's two versions", () => {
  const { cores, liar, colluder, honest } = fourOfWhomOneIsSilent()
  for (const each of honest) sayMuch(cores, each)
  let shownBytes = 0
  for (const each of honest) {
    each.tamper = (sent, to) => {
      if (to === colluder.id && sent.type === "frame") shownBytes += sent.frame.bytes.length
      return sent
    }
  }
  colluder.tamper = (sent) =>
    sent.type === "heartbeat"
      ? { type: "heartbeat", heartbeat: { ...sent.heartbeat, frameChains: sent.heartbeat.frameChains.map(() => 7) } }
      : null
  const isNoticed = ({ divergences }: Member): boolean => divergences.includes(colluder.id)
  expect(cores.runUntil(() => honest.every(isNoticed), 3 * times.heartbeatMs)).toBe(true)
  expect(shownBytes).toBeGreaterThan(2 * shownBytesMax(4))

  lieTo(cores, liar, honest)
})

test("one who says much before it sends two versions is convicted all the same", () => {
  const { cores, liar, honest } = fourOfWhomOneIsSilent()
  sayMuch(cores, liar)
  cores.run(3 * times.heartbeatMs)
  lieTo(cores, liar, honest)
})

function memberAt(n: number): MemberId {
  return memberIdFromBytes(Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? n >> 8 : i === 1 ? n & 255 : 0)))
}

/**
 * Bytes that one member of so many shows to each of the others, who all claim to hold different messages of every
 * sender.
 */
function shownToAll(count: number, frameBytes: number): number[] {
  const members = Array.from({ length: count }, (_, n) => ({ id: memberAt(n), incarnation: 1 }))
  const [self] = members as [(typeof members)[0]]
  const id = voidViewId(self)
  const proposal = { epoch: 1, coordinator: self.id }
  const view = { id, epoch: 1, proposal, members, transitional: [self.id], features: [], attachments: new Map() }
  const shown = new Map<MemberId, number>()
  const config = { self, conferenceTag: new Uint8Array(32), epochFloor: 0, ...times }
  const context = new CoreContext(config, new Neighbours(self.id, times))
  context.install(view)
  const { log } = context
  const bytes = new Uint8Array(frameBytes)
  const message = { dependencies: [], body: bytes }
  const signed = { conferenceTag: new Uint8Array(32), staticPart: bytes, signature: new Uint8Array(64), bytes }
  const content = { ...signed, view: id, service: "fifo", kind: "data", message } as const
  const others = members.slice(1)
  // As many as are taken; own ones are not shown.
  for (const [i, { id: origin }] of others.entries()) {
    for (let sequence = 1; log.add(i + 1, { ...content, origin, sequence });) sequence++
  }
  const evidence = new FrameEvidence(context)
  for (const { id: to } of others) evidence.show(to, [...members.keys()], log.frames.received)
  for (const output of context.takeOutputs()) {
    if (output.type !== "send") continue
    for (const to of output.to) shown.set(to, (shown.get(to) ?? 0) + output.bytes.length)
  }
  return others.map(({ id }) => shown.get(id) ?? 0)
}

const counts = [3, 4, 24, 128, 300, MEMBERS_MAX]

test.each(counts)("%i members: all that claim something are shown as much, and it is bounded", (count) => {
  const frameBytes = 64 * 1024
  const shown = shownToAll(count, frameBytes)
  for (const bytes of shown) {
    expect(bytes).toBeGreaterThanOrEqual(shownBytesMax(count))
    expect(bytes).toBeLessThan(shownBytesMax(count) + frameBytes)
  }
  expect(count * shownBytesMax(count)).toBeLessThanOrEqual(SHOWN_BUDGET_BYTES)
})

test.each(counts)("%i members: no message is too long to be shown", (count) => {
  for (const bytes of shownToAll(count, BODY_BYTES_MAX)) expect(bytes).toBeGreaterThanOrEqual(BODY_BYTES_MAX)
})
