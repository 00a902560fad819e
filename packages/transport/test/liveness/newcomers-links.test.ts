import { expect, test } from "vitest"
import { Cores, times, type Member } from "../group/cores.ts"

type Four = readonly [Member, Member, Member, Member]

/** Three members in one view, and a newcomer that has no link yet. Frames between the third one and it are lost. */
function threeAndNewcomer() {
  const cores = new Cores(4, (member) => (member === 3 ? { aloneAfterMs: Infinity } : {}))
  const [a, b, c, newcomer] = cores.members as unknown as Four
  for (const member of [a, b, c]) {
    cores.step(member, { type: "linkDown", peer: newcomer.id })
    cores.step(newcomer, { type: "linkDown", peer: member.id })
  }
  c.tamper = (sent, to) => (to === newcomer.id ? null : sent)
  newcomer.tamper = (sent, to) => (to === c.id ? null : sent)
  expect(cores.runUntil(() => [a, b, c].every(({ size }) => size === 3), 3000)).toBe(true)
  let [proposals, refusals] = [0, 0]
  cores.watch = (_, output) => {
    if (output.type !== "sign") return
    if (output.payload.kind === "propose") proposals++
    if (output.payload.kind === "nack") refusals++
  }
  return { cores, members: [a, b, c, newcomer] as Four, counts: () => ({ proposals, refusals }) }
}

function link(cores: Cores, one: Member, other: Member): void {
  cores.step(one, { type: "linkUp", peer: other.id, incarnation: 1 })
}

test("takes a newcomer in when its last link is up at its own end only", () => {
  const { cores, members, counts } = threeAndNewcomer()
  const [a, b, c, newcomer] = members
  for (const member of [a, b]) {
    link(cores, member, newcomer)
    link(cores, newcomer, member)
  }
  link(cores, newcomer, c)
  cores.run(2 * times.resendMs)
  expect(counts().proposals).toBeGreaterThan(0)
  expect(members.map(({ size }) => size)).toEqual([3, 3, 3, 1])
  c.tamper = (sent) => sent
  newcomer.tamper = (sent) => sent
  link(cores, c, newcomer)
  cores.drain()
  expect(members.map(({ size }) => size)).toEqual([4, 4, 4, 4])
  expect(counts().refusals).toBe(0)
})

test("leaves out a newcomer that states a link it lacks, and blames no other", () => {
  const { cores, members, counts } = threeAndNewcomer()
  const [a, b, c, newcomer] = members
  newcomer.tamper = (sent, to) => {
    if (to === c.id) return null
    if (sent.type !== "heartbeat") return sent
    return {
      type: "heartbeat",
      heartbeat: { ...sent.heartbeat, up: [...new Set([...sent.heartbeat.up, c.id])].sort() },
    }
  }
  for (const member of [a, b]) {
    link(cores, member, newcomer)
    link(cores, newcomer, member)
  }
  cores.run(times.proposalMs)
  const { proposals } = counts()
  cores.run(12 * times.proposalMs)
  expect(counts().proposals).toBe(proposals)
  expect([a, b, c].map(({ size }) => size)).toEqual([3, 3, 3])
  cores.send(c, "we go on")
  expect([a, b, c].map(({ texts }) => texts.at(-1))).toEqual(["we go on", "we go on", "we go on"])
  expect([a, b, c].flatMap(({ faults }) => faults.map(({ member }) => member))).not.toContain(c.id)
})
