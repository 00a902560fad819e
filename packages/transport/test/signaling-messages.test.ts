/**
 * Arbitrary messages of a server, and a client's messages to it: no check of them throws, and none passes an unchecked
 * field.
 */
import { expect, test } from "vitest"
import { deliveries, notices, parse, relayAnswer, requests } from "../src/signaling-protocol/index.ts"
import { mutated, Random } from "../src/testing/index.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
const INPUTS = 100_000

const random = new Random(10)
const hex16 = "0f".repeat(16)
const hex32 = "5c".repeat(32)
const place = { room: hex16, from: hex16 }
const failed = { ok: false, code: "rate-limited", message: "Too many." }
const done = { ok: true }
const proof = { certificate: random.bytes(9), origin: "https://meet.example", signature: random.bytes(64) }
const period = { startsAtMs: 1_700_000_000_000, endsAtMs: 1_700_000_100_000 }
const turn = { urls: ["turn:meet.example:3478?transport=udp"], username: "a", credential: "b", lifetimeMs: 1000 }

const said: { readonly [N in keyof typeof requests]: readonly [payload: unknown, reply: unknown] } = {
  "participant:challenge": [{}, { ok: true, challenge: random.bytes(32) }],
  "participant:add": [{ ...proof, issuer: random.bytes(9) }, done],
  "participant:prove": [{ ...proof, issuer: random.bytes(9) }, done],
  "participant:remove": [{ ...proof, issuer: random.bytes(9) }, done],
  "participant:get": [{ fingerprint: hex32 }, { ok: true, certificate: random.bytes(9) }],
  "participant:list": [
    { prefix: "Ä", after: "x" },
    { ok: true, entries: [{ fingerprint: hex32, name: "Ada" }], next: "x" },
  ],
  "conference:create": [
    {
      id: hex16,
      descriptor: random.bytes(9),
      expiresAtMs: 1,
      verifier: random.bytes(32),
      creatorKey: random.bytes(32),
      roster: { members: [hex32], ...period },
    },
    done,
  ],
  "conference:get": [{ id: hex16 }, { ok: true, descriptor: random.bytes(9), end: "0f".repeat(80) }],
  "conference:end": [{ id: hex16, end: random.bytes(80) }, done],
  "conference:list": [{ after: "x" }, { ok: true, entries: [{ id: hex16, creator: hex32, ...period }], next: "x" }],
  "room:enter": [{ room: hex16, address: hex16, proof: random.bytes(64) }, done],
  "room:leave": [{ room: hex16 }, done],
  "room:advertise": [{ room: hex16, advertisement: random.bytes(9) }, done],
  signal: [{ room: hex16, to: hex16, envelope: random.bytes(9) }, done],
  relay: [{ room: hex16, to: hex16, frame: random.bytes(9) }, done],
  "ice:servers": [{ room: hex16 }, { ok: true, stun: ["stun:[2001:db8::1]:3478"], turn }],
}

/** Each with what passes it. */
const checks: readonly (readonly [string, Parameters<typeof parse>[0], readonly unknown[]])[] = [
  ["delivery of an advertisement", deliveries["room:advertise"], [{ ...place, advertisement: random.bytes(9) }]],
  ["delivery of a signal", deliveries.signal, [{ ...place, envelope: random.bytes(9) }]],
  ["delivery of a relayed frame", deliveries.relay, [{ ...place, frame: random.bytes(9) }]],
  ["goodbye", notices.goodbye, [{ code: "flooding", message: "Too fast." }]],
  ["answer to a relayed frame", relayAnswer, [{ taken: true }]],
  ...Object.entries(requests).flatMap(([name, { payload, reply }]) => {
    const [asked, answered] = said[name as keyof typeof requests]
    return [
      [name, payload, [asked]],
      [`answer to ${name}`, reply, [answered, failed]],
    ] as const
  }),
]

/** All values that Socket.IO's decoder can make of bytes. */
const strangers: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => random.pick([0, -1, 1.5, 2 ** 53, Number.NaN, Infinity]),
  () => random.chance(0.5),
  () => "x".repeat(random.integer(300)),
  () => random.pick(["", "\ud800", "\u0000", hex16, hex32, "__proto__", "https://a b"]),
  () => [],
  () => ({}),
  () => JSON.parse('{"__proto__": {"ok": true}, "constructor": 1}') as unknown,
  () => random.bytes(random.integer(3)),
  () => new ArrayBuffer(random.integer(3)),
  () => Array.from({ length: 200 }, () => hex32),
]

/** One thing in it is another, is missing, is there twice, or is new. */
function tampered(value: unknown): unknown {
  if (random.chance(0.2)) return random.pick(strangers)()
  if (value instanceof Uint8Array) return mutated(random, [value])
  if (typeof value === "string") {
    const at = random.integer(value.length + 1)
    return value.slice(0, at) + random.pick(["", "0", "\ud800", value]) + value.slice(at + random.integer(2))
  }
  if (Array.isArray(value)) return value.flatMap((entry) => random.pick([[tampered(entry)], [], [entry, entry]]))
  if (typeof value !== "object" || value === null) return random.pick(strangers)()
  const changed: Record<string, unknown> = { ...value }
  const key = random.pick([...Object.keys(changed), "more"])
  if (random.chance(0.2)) delete changed[key]
  else changed[key] = tampered(changed[key])
  return changed
}

const HEX16 = new Set(["room", "from", "to", "id", "address"])
const HEX32 = new Set(["fingerprint", "creator"])

function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(keysIn)]
}

/**
 * The part of it that no valid message has: an unknown value, an invalid name, or bytes that are not its own. Null:
 * nothing.
 */
function uncheckedIn(value: unknown, known: ReadonlySet<string>, key = ""): string | null {
  if (HEX16.has(key)) return typeof value === "string" && /^[0-9a-f]{32}$/u.test(value) ? null : key
  if (HEX32.has(key)) return typeof value === "string" && /^[0-9a-f]{64}$/u.test(value) ? null : key
  if (value instanceof Uint8Array) return value.length > 0 && value.buffer.byteLength === value.length ? null : key
  if (value instanceof ArrayBuffer || value === null) return key
  if (typeof value !== "object") return ["string", "number", "boolean"].includes(typeof value) ? null : key
  for (const [inner, part] of Object.entries(value)) {
    if (!Array.isArray(value) && !known.has(inner)) return inner
    const unchecked = uncheckedIn(part, known, inner)
    if (unchecked !== null) return unchecked
  }
  return null
}

test("accepts well-formed messages, each by its own check", () => {
  for (const [name, schema, values] of checks) {
    for (const value of values) expect(parse(schema, value), name).toEqual({ ok: true, value })
  }
})

test(`${INPUTS} altered messages cause no exception and pass no unchecked field`, COMPUTED, () => {
  const outcomes = new Map(checks.map(([name]) => [name, { passed: 0, refused: 0 }]))
  const known = new Map(checks.map(([name, , values]) => [name, new Set(keysIn(values))]))
  const strange = checks.flatMap(([, , values]) => values)
  for (let i = 0; i < INPUTS; i++) {
    const [name, schema, values] = checks[i % checks.length]!
    const input = tampered(random.pick(random.chance(0.9) ? values : strange))
    const parsed = parse(schema, input)
    if (!parsed.ok) {
      outcomes.get(name)!.refused++
      continue
    }
    outcomes.get(name)!.passed++
    const unchecked = uncheckedIn(parsed.value, known.get(name)!)
    if (unchecked !== null) throw new Error(`${name}: ${unchecked} of ${JSON.stringify(parsed.value)}`)
  }
  for (const [name, { passed, refused }] of outcomes) {
    expect(refused, name).toBeGreaterThan(100)
    // There is nothing to change in the one that is empty.
    if (name !== "participant:challenge") expect(passed, name).toBeGreaterThan(10)
  }
})
