import { decodeFrame, decodeLinkMessage } from "@keymoot/transport"
import { afterEach, expect, test } from "vitest"
import { DriverRoom } from "./driver-harness.ts"

let room: DriverRoom
afterEach(() => room.close())

test("a former member, given later traffic without hop protection, reads none of it", async () => {
  room = new DriverRoom()
  const ada = await room.join("Ada")
  const bob = await room.join("Bob")
  const eve = await room.join("Eve")
  await expect.poll(() => [ada, bob, eve].every(({ secured }) => secured.at(-1) === 3)).toBe(true)
  await ada.say("for three")
  await expect.poll(() => eve.texts).toContain("for three")

  room.exclude(eve)
  const before = room.sent.length
  await expect.poll(() => [ada, bob].every(({ secured }) => secured.at(-1) === 2)).toBe(true)
  await ada.say("for two")
  await expect.poll(() => bob.texts).toContain("for two")

  const later = room.sent.slice(before)
  const dataFrames = later.flatMap(({ bytes }) => {
    const message = decodeLinkMessage(bytes)
    const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
    return frame?.kind === "data" ? [frame] : []
  })
  expect(dataFrames.length).toBeGreaterThan(0)
  for (const { from, bytes } of later) eve.driver.handle({ type: "frame", peer: from, bytes })
  // Frames of one peer are taken in order: when this is refused, everything before it has been dealt with.
  for (const peer of [ada.id, bob.id]) eve.driver.handle({ type: "frame", peer, bytes: Uint8Array.of(0xff) })
  const refused = (): number => eve.events.filter((event) => event.type === "security").length
  await expect.poll(refused).toBeGreaterThanOrEqual(2)
  await expect.poll(() => eve.secured.at(-1)).toBe(1)
  await eve.say("to myself")
  expect(eve.texts).toEqual(["for three", "to myself"])
})

test("a newcomer, given all earlier traffic without hop protection, reads none of it", async () => {
  room = new DriverRoom()
  const ada = await room.join("Ada")
  const bob = await room.join("Bob")
  await expect.poll(() => [ada, bob].every(({ secured }) => secured.at(-1) === 2)).toBe(true)
  await ada.say("before Eve")
  // Heartbeats are protected by the association alone: no neighbour can replay another's.
  const earlier = room.sent.filter(({ bytes }) => decodeLinkMessage(bytes)?.type === "frame")
  const eve = await room.join("Eve")
  await expect.poll(() => [ada, bob, eve].every(({ secured }) => secured.at(-1) === 3)).toBe(true)
  for (const { from, bytes } of earlier) eve.driver.handle({ type: "frame", peer: from, bytes })
  await ada.say("with Eve")
  await expect.poll(() => eve.texts.length).toBeGreaterThan(0)
  expect(eve.texts).toEqual(["with Eve"])
})
