import { decodeLinkMessage, DEGREE_MAX, DEGREE_MIN, decodeOverlayMessage, decodeFrame } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { LinkedMember } from "../../src/testing/index.ts"
import { Crowd } from "./crowd.ts"

/** More than these are too many for a full mesh: as few as give ways of several hops, for real keys cost time. */
const MESH_MAX = 8
const MEMBERS = 14
const LONG_MS = 120_000

function sayFromEach(crowd: Crowd, members: readonly LinkedMember[], about: string): void {
  for (const [i, member] of members.entries()) crowd.say(member, `${about} ${i}`)
}

function allHave(crowd: Crowd, about: string, count: number): boolean {
  return crowd.members.every((member) => heard(crowd, member, about).length === count)
}

function heard(crowd: Crowd, member: LinkedMember, about: string): string[] {
  return crowd.texts.get(member)!.filter((text) => text.startsWith(about))
}

/** It says what is its own, and passes on nothing of others. */
function relayNothing(member: LinkedMember): void {
  const { mesh } = member
  const send = mesh.send.bind(mesh)
  mesh.send = (to, bytes, options) => {
    const message = decodeLinkMessage(bytes)
    const overlay = message?.type === "overlay" ? decodeOverlayMessage(message.bytes) : null
    const frame = overlay?.kind === "gossip" || overlay?.kind === "routed" ? decodeFrame(overlay.frame) : null
    return frame && frame.origin !== member.id ? true : send(to, bytes, options)
  }
}

test("over the overlay all get one key and one order, and survive a crash of 30 %", async () => {
  const crowd = new Crowd(MESH_MAX)
  await crowd.join(MEMBERS)
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS)).toBe(true)
  await crowd.room.run(3_000)
  expect(crowd.isTogether).toBe(true)
  expect(Math.min(...crowd.degrees)).toBeGreaterThanOrEqual(DEGREE_MIN)
  expect(Math.max(...crowd.degrees)).toBeLessThanOrEqual(DEGREE_MAX)
  expect(crowd.degrees.some((degree) => degree < MEMBERS - 1)).toBe(true)

  // One of them passes nothing on from now on.
  relayNothing(crowd.members[3]!)
  sayFromEach(crowd, crowd.members.slice(0, 6), "hello")
  expect(await crowd.room.runUntil(() => allHave(crowd, "hello", 6), LONG_MS)).toBe(true)
  expect(new Set(crowd.members.map((member) => heard(crowd, member, "hello").join())).size).toBe(1)

  const former = crowd.members[0]!.secured!.id
  crowd.crash(crowd.members.slice(-Math.round(0.3 * MEMBERS)))
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS)).toBe(true)
  expect(crowd.members[0]!.secured!.id).not.toBe(former)
  sayFromEach(crowd, crowd.members.slice(0, 3), "after")
  expect(await crowd.room.runUntil(() => allHave(crowd, "after", 3), LONG_MS)).toBe(true)
  expect(crowd.security).toEqual([])
}, 300_000)

/** Counts the link records that members send. */
function countRecords(crowd: Crowd): { count: number } {
  const records = { count: 0 }
  for (const { mesh } of crowd.members) {
    const send = mesh.send.bind(mesh)
    mesh.send = (to, bytes, options) => {
      const message = decodeLinkMessage(bytes)
      if (message?.type === "overlay" && decodeOverlayMessage(message.bytes)?.kind === "records") records.count++
      return send(to, bytes, options)
    }
  }
  return records
}

test("members over the overlay tell each other nothing while nothing changes", async () => {
  const crowd = new Crowd(2)
  await crowd.join(5)
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS)).toBe(true)
  await crowd.room.run(20_000)
  const records = countRecords(crowd)
  await crowd.room.run(20_000)
  expect(records.count).toBe(0)
  crowd.say(crowd.members[1]!, "hello")
  expect(await crowd.room.runUntil(() => allHave(crowd, "hello", 1), LONG_MS)).toBe(true)
  await crowd.room.run(5_000)
  expect(records.count).toBeGreaterThan(0)
  records.count = 0
  await crowd.room.run(20_000)
  expect(records.count).toBe(0)
  expect(crowd.isTogether).toBe(true)
}, 120_000)

test("a full mesh at its limit links all members and sends no overlay message", async () => {
  const crowd = new Crowd(4)
  const tags = new Set<number>()
  await crowd.join(4)
  for (const { mesh } of crowd.members) {
    const send = mesh.send.bind(mesh)
    mesh.send = (to, bytes, options) => {
      tags.add(bytes[0]!)
      return send(to, bytes, options)
    }
  }
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS)).toBe(true)
  expect(crowd.members.map(({ topology }) => topology.isWide)).toEqual([false, false, false, false])
  expect(tags.has(1)).toBe(true)
  expect(tags.has(5)).toBe(false)
}, 120_000)
