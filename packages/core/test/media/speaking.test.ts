import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { MediaParticipant } from "../../src/api/index.ts"
import { SpeakingWatch } from "../../src/media/call/participant.ts"
import { Speakers } from "../../src/media/connection/loudness.ts"

const talking = (...ids: string[]): MediaParticipant[] =>
  ["ada", "bob"].map((id) => ({ member: { id }, speaking: ids.includes(id) }) as MediaParticipant)
const step = (watch: SpeakingWatch, participants: readonly MediaParticipant[]): unknown[] =>
  [...watch.step(participants)].map(([{ id }, speaking]) => [id, speaking])

test("reports once who starts and who stops speaking", () => {
  const watch = new SpeakingWatch()
  expect(step(watch, talking())).toEqual([])
  expect(step(watch, talking("ada"))).toEqual([["ada", true]])
  expect(step(watch, talking("ada"))).toEqual([])
  expect(step(watch, talking("bob"))).toEqual([
    ["bob", true],
    ["ada", false],
  ])
  expect(step(watch, []), "Bob has left the call").toEqual([["bob", false]])
  expect(step(watch, [])).toEqual([])
})

test("reports nobody to start after a listener has left the call", () => {
  const watch = new SpeakingWatch()
  const told: unknown[] = []
  for (const [{ id }, speaking] of watch.step(talking("ada", "bob"))) {
    told.push([id, speaking])
    if (speaking) told.push(...step(watch, []))
  }
  expect(told).toEqual([
    ["ada", true],
    ["ada", false],
  ])
})

test("takes a speaker for one until the step in which it was silent for long", () => {
  const [speakers, bob] = [new Speakers(), "b" as MemberId]
  const loud = (level: number, atMs: number): boolean => speakers.step(new Map([[bob, level]]), atMs)
  expect(loud(1, 0)).toBe(true)
  expect(loud(0, 999)).toBe(false)
  expect(speakers.isSpeaking(bob)).toBe(true)
  expect(loud(1, 1199), "it has never stopped").toBe(false)
  expect(loud(0, 2199)).toBe(true)
  expect(speakers.isSpeaking(bob)).toBe(false)
  expect(loud(1, 2400)).toBe(true)
  expect(speakers.step(new Map(), 2600), "it has left the call").toBe(true)
})
