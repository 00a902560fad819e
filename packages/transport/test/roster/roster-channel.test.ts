import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import { BACKLOG_BODIES_MAX } from "../../src/roster/backlog.ts"
import { RosterChannel } from "../../src/roster/roster-channel.ts"
import type { GroupOutput } from "../../src/view/group-types.ts"
import { tryDecode } from "../../src/wire/codec.ts"
import { payloadCoders, type RosterMessage } from "../../src/wire/messages.ts"
import { numbered } from "../group/cores.ts"

const RESEND_MS = 100
const roster = [numbered(0), numbered(1), numbered(2)]
const [a, b, c] = roster as [MemberId, MemberId, MemberId]

/** One member of the roster: its messages pass the codec, and the script chooses their receivers. */
class Member {
  readonly id: MemberId
  readonly sent: { readonly to: MemberId; readonly message: RosterMessage }[] = []
  readonly taken: string[] = []
  losses = 0
  #channel: RosterChannel

  constructor(id: MemberId, incarnation = 1) {
    this.id = id
    this.#channel = this.#start(incarnation)
  }

  reload(incarnation: number): void {
    this.sent.length = 0
    this.#channel = this.#start(incarnation)
  }

  get isWaiting(): boolean {
    return this.#channel.isWaiting
  }

  say(to: MemberId, text: string): void {
    this.#act(this.#channel.send(to, new TextEncoder().encode(text)))
  }

  linkUp(other: MemberId): void {
    this.#act(this.#channel.linkUp(other))
  }

  linkDown(other: MemberId): void {
    this.#channel.linkDown(other)
    this.sent.length = 0
  }

  receive(from: MemberId, message: RosterMessage): void {
    this.#act(this.#channel.onMessage(from, message))
  }

  tick(nowMs: number): void {
    this.#act(this.#channel.tick(nowMs))
  }

  #start(incarnation: number): RosterChannel {
    return new RosterChannel({ self: { id: this.id, incarnation }, roster, resendMs: RESEND_MS })
  }

  #act(outputs: readonly GroupOutput[]): void {
    for (const output of outputs) {
      if (output.type === "rosterMessage") this.taken.push(new TextDecoder().decode(output.body))
      if (output.type === "rosterLost") this.losses++
      if (output.type !== "sign" || output.payload.kind !== "roster") continue
      const bytes = payloadCoders.roster.encode(output.payload.message as never)
      const message = tryDecode(payloadCoders.roster, bytes)!
      for (const to of output.to) this.sent.push({ to, message })
    }
  }
}

/** Everything under way between two comes, until both are silent. */
function exchange(one: Member, other: Member, lose: () => boolean = () => false): void {
  while (one.sent.length + other.sent.length > 0) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      for (const { message } of from.sent.splice(0)) if (!lose()) to.receive(from.id, message)
    }
  }
}

function link(one: Member, other: Member): void {
  one.linkUp(other.id)
  other.linkUp(one.id)
}

function unlink(one: Member, other: Member): void {
  one.linkDown(other.id)
  other.linkDown(one.id)
}

function pass(ms: number, ...members: readonly Member[]): void {
  for (const member of members) member.tick(ms)
}

test("waits for an acknowledgement when a member is linked", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  ada.say(b, "one")
  expect(ada.isWaiting).toBe(false)
  link(ada, bob)
  expect(ada.isWaiting).toBe(true)
  exchange(ada, bob)
  pass(50, ada, bob)
  exchange(ada, bob)
  expect(ada.isWaiting).toBe(false)
})

test("delivers messages for an absent member when it comes, in order and once", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  for (const text of ["one", "two", "three"]) ada.say(b, text)
  expect(ada.sent).toEqual([])
  link(ada, bob)
  exchange(ada, bob)
  for (let ms = 50; ms < 5000; ms += 50) {
    pass(ms, ada, bob)
    exchange(ada, bob)
  }
  expect(bob.taken).toEqual(["one", "two", "three"])
})

test("does not resend what is acknowledged, over a new link either", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  link(ada, bob)
  ada.say(b, "one")
  exchange(ada, bob)
  pass(50, ada, bob)
  exchange(ada, bob)
  unlink(ada, bob)
  link(ada, bob)
  expect(ada.sent).toEqual([])
})

test("messages lost with a broken link come over the next one", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  link(ada, bob)
  ada.say(b, "one")
  exchange(ada, bob)
  ada.say(b, "lost")
  unlink(ada, bob)
  link(ada, bob)
  exchange(ada, bob)
  expect(bob.taken).toEqual(["one", "lost"])
})

test("gives the rest to the next incarnation, and notifies the sender of loss", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  link(ada, bob)
  ada.say(b, "one")
  exchange(ada, bob)
  pass(50, ada, bob)
  exchange(ada, bob)
  unlink(ada, bob)
  ada.say(b, "two")
  bob.reload(2)
  link(ada, bob)
  exchange(ada, bob)
  pass(100, ada, bob)
  exchange(ada, bob)
  expect(bob.taken).toEqual(["one", "two"])
  expect(ada.losses).toBe(1)
})

test("refuses a former incarnation's messages after a later one's", () => {
  const [ada, bob] = [new Member(a, 1), new Member(b)]
  link(ada, bob)
  ada.say(b, "old")
  const old = ada.sent.splice(0)[0]!
  ada.reload(2)
  link(ada, bob)
  ada.say(b, "new")
  exchange(ada, bob)
  bob.receive(a, old.message)
  expect(bob.taken).toEqual(["new"])
})

test("an absent member's backlog is bounded: the oldest go, and the sender is notified", () => {
  const [ada, bob] = [new Member(a), new Member(b)]
  const said = Array.from({ length: BACKLOG_BODIES_MAX + 10 }, (_, i) => `message ${i}`)
  for (const text of said) ada.say(b, text)
  expect(ada.losses).toBe(0)
  link(ada, bob)
  exchange(ada, bob)
  expect(bob.taken).toEqual(said.slice(10))
  expect(ada.losses).toBe(1)
})

describe("a hostile member", () => {
  const message: RosterMessage = {
    to: b,
    incarnation: 1,
    base: 1,
    first: 1,
    bodies: [new Uint8Array(1)],
    peerIncarnation: 1,
    acknowledged: 0,
  }
  const encoded = (changed: Partial<RosterMessage>): Uint8Array =>
    payloadCoders.roster.encode({ ...message, ...changed } as never)

  test("cannot number its messages so that the answer could not be written", () => {
    expect(() => encoded({ first: 2 ** 32 - 1 })).toThrow(RangeError)
    expect(() => encoded({ base: 5, first: 4 })).toThrow(RangeError)
    const bob = new Member(b)
    bob.receive(a, { ...message, base: 2 ** 32 - 2, first: 2 ** 32 - 2 })
    bob.linkUp(a)
    pass(50, bob)
    expect(bob.sent.at(-1)?.message.acknowledged).toBe(2 ** 32 - 2)
  })

  test("cannot acknowledge what it was never sent, nor speak for another account", () => {
    const [ada, bob] = [new Member(a), new Member(b)]
    ada.say(b, "one")
    ada.receive(b, { ...message, to: a, bodies: [], acknowledged: 700 })
    link(ada, bob)
    exchange(ada, bob)
    expect(bob.taken).toEqual(["one"])
    bob.receive(numbered(9), message)
    bob.receive(c, { ...message, to: a })
    expect(bob.taken).toEqual(["one"])
  })
})

test("delivers all once and in order in the end through any loss and break", () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant("say" as const), from: fc.boolean() }),
    fc.record({ type: fc.constant("relink" as const) }),
    fc.record({ type: fc.constant("exchange" as const), losses: fc.array(fc.boolean(), { maxLength: 6 }) }),
    fc.record({ type: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 500 }) }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const [ada, bob] = [new Member(a), new Member(b)]
      const said: [string[], string[]] = [[], []]
      let [nowMs, linked] = [0, false]
      const step = (ms: number): void => pass((nowMs += ms), ada, bob)
      for (const happens of events) {
        if (happens.type === "say") {
          const [from, to, list] = happens.from ? ([ada, bob, said[0]] as const) : ([bob, ada, said[1]] as const)
          list.push(`${list.length}`)
          from.say(to.id, list.at(-1)!)
        } else if (happens.type === "relink") {
          if (linked) unlink(ada, bob)
          else link(ada, bob)
          linked = !linked
        } else if (happens.type === "exchange") exchange(ada, bob, () => happens.losses.pop() ?? false)
        else step(happens.ms)
      }
      if (!linked) link(ada, bob)
      for (let i = 0; i < 30; i++) {
        exchange(ada, bob)
        step(RESEND_MS * 8)
      }
      expect([bob.taken, ada.taken]).toEqual(said)
    }),
  )
})
