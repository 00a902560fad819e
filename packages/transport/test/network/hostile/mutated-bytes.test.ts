import { expect, test, vi } from "vitest"
import type { HostEvent } from "../../../src/port/port.ts"
import { mutated } from "../../../src/testing/random/mutated.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { TestConference } from "../conference.ts"
import type { TestMember } from "../member.ts"

// Handshakes are much to compute, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

const MEMBERS = 3
/**
 * Share of altered messages from others or the server. Enough of the rest arrives that every step of a handshake is
 * attacked.
 */
const CHANGED = 0.1
/** `npm run test:all` disturbs for longer. */
const DISTURBED_MS = process.env["RUNS"] === "full" ? 120_000 : 50_000
/** Pauses between attempts grow up to a minute. */
const MENDED_MS = 90_000

/** Changes bytes now and then, some into those that came before. Returns how often, by type of event. */
function disturb(conference: TestConference, random: Random): Map<string, number> {
  const counts = new Map<string, number>()
  let former = Uint8Array.of(0)
  const change = (type: string, bytes: Uint8Array): Uint8Array => {
    const samples = [bytes, former]
    former = Uint8Array.from(bytes)
    if (!random.chance(CHANGED)) return bytes
    counts.set(type, (counts.get(type) ?? 0) + 1)
    return mutated(random, samples)
  }
  conference.network.onDelivery = (_to, event): HostEvent[] => {
    switch (event.type) {
      case "room-advertisement":
        return [{ ...event, advertisement: change(event.type, event.advertisement) }]
      case "room-signal":
        return [{ ...event, envelope: change(event.type, event.envelope) }]
      case "peer-frames":
        return [{ ...event, frames: event.frames.map((frame) => change(event.type, frame)) }]
      default:
        return [event]
    }
  }
  return counts
}

function isLinked(members: readonly TestMember[]): boolean {
  return members.every(({ links }) => links.length === MEMBERS - 1)
}

test("no altered bytes make a mesh throw or deliver another message, and all link up", async () => {
  const conference = new TestConference(MEMBERS, 5)
  const counts = disturb(conference, new Random(5))
  const members = Array.from({ length: MEMBERS }, (_, i) => conference.join(`m${i}`, conference.identity(i)))
  const message = Uint8Array.of(7, 7, 7)
  for (let passedMs = 0; passedMs < DISTURBED_MS; passedMs += 500) {
    for (const { mesh } of members) for (const { member } of members) mesh.send(member, message)
    await conference.pass(500)
  }
  for (const type of ["room-advertisement", "room-signal", "peer-frames"])
    expect(counts.get(type), type).toBeGreaterThan(5)
  // Links do come up, and messages over them, or only handshakes would have been tried.
  for (const { received } of members) expect(received.length).toBeGreaterThan(5)
  for (const { received } of members) expect(received.every((bytes) => String(bytes) === String(message))).toBe(true)

  conference.network.onDelivery = null
  for (let passedMs = 0; passedMs < MENDED_MS && !isLinked(members); passedMs += 1000) await conference.pass(1000)
  expect(isLinked(members)).toBe(true)
})
