import * as fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import type { HostEvent } from "../../../src/port/port.ts"
import { linkedPair, type TestConference } from "../conference.ts"
import { SERVER, type TestMember } from "../member.ts"

vi.setConfig({ testTimeout: 600_000 })

const SCHEDULES = process.env["RUNS"] === "full" ? 300 : 20
const NAMES = ["low", "high"] as const
type Name = (typeof NAMES)[number]
type Kind = "direct" | "relay" | "room"
type Pair = { readonly conference: TestConference; readonly low: TestMember; readonly high: TestMember }

const toBytes = (index: number) => new Uint8Array(Uint32Array.of(index).buffer)
const toNumbers = ({ received }: TestMember) =>
  received.map((bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true))

/** Holds back events of one kind for one member. Each connection, and the room, keeps its order. */
class Delays {
  readonly #held: { readonly to: string; readonly kind: Kind; readonly event: HostEvent }[] = []
  readonly #stalled = new Set<string>()
  readonly #pair: Pair

  constructor(pair: Pair) {
    this.#pair = pair
    pair.conference.network.onDelivery = (to, event) => {
      const kind = this.#kindOf(to as Name, event)
      if (!kind || !this.#stalled.has(`${to} ${kind}`)) return [event]
      this.#held.push({ to, kind, event })
      return []
    }
  }

  #kindOf(to: Name, event: HostEvent): Kind | null {
    if (event.type.startsWith("room-")) return "room"
    if (!("connectionId" in event)) return null
    const relays = this.#pair[to].commandsOf("relay-open")
    return relays.some(({ connectionId }) => connectionId === event.connectionId) ? "relay" : "direct"
  }

  stall(at: Name, kind: Kind): void {
    this.#stalled.add(`${at} ${kind}`)
  }

  /** Events held back come before all later ones. */
  async release(to: Name, kind: Kind): Promise<void> {
    await this.#pair.conference.network.run()
    this.#stalled.delete(`${to} ${kind}`)
    const isDue = (each: { to: string; kind: Kind }) => each.to === to && each.kind === kind
    for (const { event } of this.#held.filter(isDue)) this.#pair.conference.network.inject(to, event)
    this.#held.splice(0, Infinity, ...this.#held.filter((each) => !isDue(each)))
  }
}

const at = fc.constantFrom(...NAMES)
const kind = fc.constantFrom<Kind[]>("direct", "relay", "room")
const state = fc.constantFrom<("up" | "down")[]>("up", "down")
const move = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(100, 400, 1_500) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("stall" as const), at, kind }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("release" as const), at, kind }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cut" as const), isDirectOnly: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("mend" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("part" as const), at }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("server" as const), at, state }) },
)
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never

/** Two members that send to each other all the time. */
class Talk {
  readonly #pair: Pair
  readonly #delays: Delays
  sent = 0

  constructor(pair: Pair) {
    this.#pair = pair
    this.#delays = new Delays(pair)
  }

  async pass(ms: number): Promise<void> {
    const { conference, low, high } = this.#pair
    for (let passed = 0; passed < ms; passed += 100) {
      low.mesh.send(high.member, toBytes(this.sent))
      high.mesh.send(low.member, toBytes(this.sent))
      this.sent += 1
      await conference.pass(100)
    }
  }

  #setServer(at: Name, state: "up" | "down"): void {
    this.#pair.conference.network.inject(at, { type: "bootstrap-state", server: SERVER, state })
  }

  async act(move: Move): Promise<void> {
    const { low, high, conference } = this.#pair
    switch (move.type) {
      case "pass":
        return this.pass(move.ms)
      case "stall":
        return this.#delays.stall(move.at, move.kind)
      case "release":
        return this.#delays.release(move.at, move.kind)
      case "cut":
        return move.isDirectOnly ? conference.network.cutDirect(...NAMES) : conference.network.cut(...NAMES)
      case "mend":
        return conference.network.mend(...NAMES)
      case "part":
        return move.at === "low" ? low.mesh.part(high.member) : high.mesh.part(low.member)
      case "server":
        return this.#setServer(move.at, move.state)
    }
  }

  /** Ends all disturbances, and waits until both have a link. */
  async calm(): Promise<void> {
    const { conference, low, high } = this.#pair
    conference.network.mend(...NAMES)
    for (const to of NAMES) {
      this.#setServer(to, "up")
      for (const each of ["room", "relay", "direct"] as const) await this.#delays.release(to, each)
    }
    await conference.pass(1_000)
    const isLinked = () => low.links.length > 0 && high.links.length > 0
    for (let passed = 0; passed < 60_000 && !isLinked(); passed += 500) await conference.pass(500)
    await conference.pass(3_000)
  }
}

describe("two meshes", () => {
  test("blame nobody, lose nothing and link again, in any schedule of delays", async () => {
    let stays = 0
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 60, size: "max" }), async (moves) => {
        const pair = await linkedPair(7)
        const both = [pair.low, pair.high]
        const talk = new Talk(pair)
        for (const each of moves) await talk.act(each)
        await talk.calm()
        const before = talk.sent
        await talk.pass(1_000)
        await pair.conference.pass(500)
        expect(both.flatMap(({ securityCodes }) => securityCodes)).toEqual([])
        for (const numbers of both.map(toNumbers)) {
          expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(true)
          expect(numbers.slice(-10)).toEqual(Array.from({ length: 10 }, (_, index) => before + index))
        }
        if (both.some((member) => member.of("linkDown").length > 0)) return
        stays += 1
        expect(both.map(({ received }) => received.length)).toEqual([talk.sent, talk.sent])
      }),
      { numRuns: SCHEDULES },
    )
    // Otherwise the last expectation would say little.
    expect(stays).toBeGreaterThan(SCHEDULES / 20)
  })
})
