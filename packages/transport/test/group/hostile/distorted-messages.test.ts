import { expect, test, vi } from "vitest"
import { Random } from "../../../src/testing/random/random.ts"
import { decodeLinkMessage, encodeLinkMessage, type FramePayload } from "../../../src/wire/frame.ts"
import { Cores, frameOf, type Member, type Sent } from "../cores.ts"

// Nothing here waits; it computes, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

const RUNS = 60
const MEMBERS = 4
const DISTURBED_MS = 3000
const AFTERWARDS_MS = 20_000
/** Shares of distorted messages of the liar, in turns: a rare liar is believed for longer. */
const CHANGED = [0.05, 0.2, 0.5]
const TRIES = 5
const SERVICES = ["reliable", "fifo", "causal", "agreed", "safe"] as const

type Place = { readonly holder: Record<string, unknown>; readonly key: string }

/** Numbers and lists anywhere inside. */
function placesIn(holder: object): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const own = typeof value === "number" || Array.isArray(value) ? [{ holder: holder as Place["holder"], key }] : []
    const isOpen = typeof value === "object" && value !== null && !(value instanceof Uint8Array)
    return isOpen ? [...own, ...placesIn(value as object)] : own
  })
}

/** One number, or the length of one list, is another one. */
function distorted<T extends object>(random: Random, message: T): T {
  const copy = structuredClone(message)
  const places = placesIn(copy)
  if (places.length === 0) return copy
  const { holder, key } = random.pick(places)
  const value = holder[key]
  if (typeof value === "number") holder[key] = random.pick([0, 1, value - 1, value + 1, value + 4, 0xffff, 2 ** 31])
  else if (Array.isArray(value)) {
    const more: unknown[] = value.length > 0 ? [...value, random.pick(value)] : []
    holder[key] = random.pick([[], value.slice(1), value.slice(0, -1), more, value.toReversed()])
  }
  return copy
}

/** Null for what has no encoding. */
function lieOf(random: Random, liar: Member, sent: Sent): Sent | null {
  try {
    if (sent.type !== "frame") return encodable(distorted(random, sent))
    const { kind, message, view, service, sequence } = sent.frame
    const { place, payload } = distorted(random, { place: { sequence }, payload: { kind, message } })
    return { type: "frame", frame: frameOf(liar, payload as FramePayload, { view, service, ...place }) }
  } catch {
    return null
  }
}

function encodable(sent: Exclude<Sent, { type: "frame" }>): Sent | null {
  const decoded = decodeLinkMessage(encodeLinkMessage(sent))
  return decoded?.type === "heartbeat" || decoded?.type === "acknowledgement" ? decoded : null
}

function lyingWith(random: Random, liar: Member, changed: number, count: () => void): Member["tamper"] {
  return (sent) => {
    for (let tries = random.chance(changed) ? TRIES : 0; tries > 0; tries--) {
      const lie = lieOf(random, liar, sent)
      if (!lie) continue
      count()
      return lie
    }
    return sent
  }
}

test("groups survive any signed numbers and lists, with one view and one order", () => {
  let lies = 0
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = new Random(seed)
    const cores = new Cores(MEMBERS)
    const liar = cores.members[seed % MEMBERS]!
    liar.tamper = lyingWith(random, liar, CHANGED[seed % CHANGED.length]!, () => lies++)
    for (let passedMs = 0; passedMs < DISTURBED_MS; passedMs += 100) {
      cores.run(100)
      const speaker = random.pick(cores.members)
      if (speaker.core.maySend) cores.send(speaker, `${seed} ${passedMs}`, random.pick(SERVICES))
    }
    cores.crash(liar)
    const honest = cores.members
    const together = (): boolean => honest.every(({ size, core }) => size === honest.length && core.maySend)
    expect(cores.runUntil(together, AFTERWARDS_MS), `seed ${seed}`).toBe(true)
    for (const member of honest) cores.send(member, `afterwards, ${member.id}`)
    cores.run(1000)
    const last = honest.map(({ texts }) => texts.slice(-honest.length).join())
    expect(new Set(last).size, `seed ${seed}`).toBe(1)
    expect(last[0]).toContain("afterwards")
  }
  expect(lies).toBeGreaterThan(20 * RUNS)
})
