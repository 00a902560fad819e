import { describe, expect, test } from "vitest"
import {
  ADVERTISE_MS,
  ADVERTISE_SOON_MS,
  CONTACTS_MAX,
  CONTACT_STALE_MS,
  HALF_OPEN_MAX,
  LASTED_MS,
  OFFER_INTERVAL_MS,
  OWN_OFFER_INTERVAL_MS,
  RETRY_BROKEN_MS,
  RETRY_MS,
  RETRY_MS_MAX,
  UNLINKED_RETRY_MS_MAX,
} from "../../src/bounds/network-bounds.ts"
import type { RoomCard } from "../../src/network/messages/room-card.ts"
import { Contacts } from "../../src/network/rendezvous/contacts.ts"
import { Room, type Missing } from "../../src/network/rendezvous/room.ts"
import { IgnoredIncarnations } from "../../src/network/shared/failures.ts"
import type { MemberId } from "../../src/members/ids.ts"
import { Random } from "../../src/testing/random/random.ts"
import { invitation } from "./member.ts"

const self = "00".repeat(16) as MemberId
const other = (index: number) => index.toString(16).padStart(4, "0").padStart(32, "f0") as MemberId
const contacts = () => {
  const random = new Random(1)
  return new Contacts(self, { major: 1, random, policy: {}, ignored: new IgnoredIncarnations() })
}
/** A verified card; `fresh` as in a signal that repeats our nonce. */
function heard(member: MemberId, { fresh = false, incarnation = 1, entry = 1 } = {}) {
  const card: RoomCard = {
    protocol: { major: 1, features: [] },
    certificate: new Uint8Array(1),
    incarnation,
    entry,
    address: new Uint8Array(16),
    ephemeral: new Uint8Array(32),
    nonce: new Uint8Array(16),
    extension: new Uint8Array(0),
  }
  const credential = { member, certificate: card.certificate, publicKey: new Uint8Array(32) }
  return { type: "card", credential, card, keys: invitation, fresh } as const
}
const connection = (member: MemberId, state: "half-open" | "up", incarnation = 1) =>
  ({ type: "connection", member, state, incarnation, attempt: 1 }) as const
const gone = (member: MemberId, linked = true) => ({ type: "connection", member, state: "gone", linked }) as const
const types = (outputs: readonly { type: string }[]) => outputs.map(({ type }) => type)

describe("the count of members", () => {
  const count = (policy: Contacts, nowMs: number, evidence: "proof" | "any" = "proof") =>
    policy.count(() => true, evidence, nowMs)

  test("has those with a connection, and those that have repeated our nonce lately", () => {
    const policy = contacts()
    policy.step(heard(other(1)), 0)
    expect([count(policy, 0), count(policy, 0, "any")]).toEqual([0, 1])
    policy.step(heard(other(1), { fresh: true }), 0)
    expect(count(policy, CONTACT_STALE_MS)).toBe(1)
    policy.step(heard(other(1)), CONTACT_STALE_MS + 1)
    expect(count(policy, CONTACT_STALE_MS + 1)).toBe(0)
    policy.step(connection(other(1), "up"), CONTACT_STALE_MS + 1)
    expect(count(policy, 10 * CONTACT_STALE_MS)).toBe(1)
  })

  test("loses a member that has left when the server replays its advertisement for ever", () => {
    const policy = contacts()
    policy.step(heard(other(1), { fresh: true }), 0)
    policy.step(connection(other(1), "up"), 0)
    policy.step(heard(other(1)), 1_000)
    policy.step(gone(other(1)), 1_000)
    expect(count(policy, 1_000)).toBe(1)
    for (let nowMs = 2_000; nowMs <= 2 * CONTACT_STALE_MS; nowMs += 1_000) policy.step(heard(other(1)), nowMs)
    expect([count(policy, 2 * CONTACT_STALE_MS), count(policy, 2 * CONTACT_STALE_MS, "any")]).toEqual([0, 1])
  })
})

describe("a member that is advertised", () => {
  test("is not offered a third connection too early, whether by a tick or its answer", () => {
    const policy = contacts()
    const offeredAtMs: number[] = []
    policy.step(heard(other(1), { fresh: true }), 0)
    for (let nowMs = 0; offeredAtMs.length < 3; nowMs += 10) {
      if (nowMs > 0 && !types(policy.step({ type: "tick" }, nowMs)).includes("connect")) continue
      offeredAtMs.push(nowMs)
      for (const state of ["half-open", "up"] as const) policy.step(connection(other(1), state), nowMs)
      policy.step(gone(other(1)), nowMs)
    }
    const [first, second, third] = offeredAtMs as [number, number, number]
    expect(second - first).toBeLessThan(OFFER_INTERVAL_MS)
    expect(third - first).toBeGreaterThanOrEqual(OWN_OFFER_INTERVAL_MS)
    expect(OWN_OFFER_INTERVAL_MS).toBeGreaterThan(OFFER_INTERVAL_MS)
  })

  test("is greeted, and offered a connection only when it has repeated our nonce", () => {
    const policy = contacts()
    expect(types(policy.step(heard(other(1)), 0))).toEqual(["hello"])
    expect(types(policy.step({ type: "tick" }, 10_000))).toEqual([])
    expect(types(policy.step(heard(other(1), { fresh: true }), 10_000))).toEqual(["entered", "hello", "connect"])
    expect(types(policy.step(heard(other(1), { fresh: true }), 10_100))).toEqual([])
  })

  test("under a former card changes nothing", () => {
    const policy = contacts()
    policy.step(heard(other(1), { incarnation: 2, entry: 3 }), 0)
    for (const former of [
      { incarnation: 2, entry: 2 },
      { incarnation: 1, entry: 9 },
    ]) {
      expect(policy.step(heard(other(1), { ...former, fresh: true }), 50_000)).toEqual([])
      expect(policy.get(other(1))).toMatchObject({ card: { incarnation: 2, entry: 3 }, heardAtMs: 0, fresh: false })
    }
  })

  test("with a newer incarnation keeps the old link until that incarnation is live", () => {
    const policy = contacts()
    policy.step(heard(other(1), { fresh: true }), 0)
    policy.step(connection(other(1), "up"), 0)
    expect(types(policy.step(heard(other(1), { incarnation: 2 }), 100))).toEqual(["hello"])
    expect(types(policy.step(heard(other(1), { incarnation: 2, fresh: true }), 200))).toEqual([
      "evict",
      "entered",
      "connect",
    ])
  })

  test("after another room entry keeps its connection", () => {
    const policy = contacts()
    policy.step(heard(other(1), { fresh: true }), 0)
    policy.step(connection(other(1), "up"), 0)
    expect(types(policy.step(heard(other(1), { entry: 2, fresh: true }), 100))).toEqual(["entered", "hello"])
    expect(types(policy.step({ type: "entered" }, 200))).toEqual([])
    expect(types(policy.step(heard(other(1), { entry: 2, fresh: true }), 300))).toEqual(["hello"])
  })

  test("is retried after growing pauses up to a maximum, reset by a lasting link", () => {
    const policy = contacts()
    let nowMs = 0
    policy.step(heard(other(1), { fresh: true }), nowMs)
    const pauseAfterFailure = (linked = true) => {
      const failedAtMs = nowMs
      policy.step(gone(other(1), linked), nowMs)
      for (;;) {
        nowMs += 10
        policy.step(heard(other(1)), nowMs)
        if (policy.get(other(1))?.connection.state === "half-open") return nowMs - failedAtMs
      }
    }
    for (let failures = 0; failures < 9; failures++) {
      const expected = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** failures)
      const pauseMs = pauseAfterFailure()
      expect(pauseMs).toBeGreaterThanOrEqual(expected * 0.75)
      expect(pauseMs).toBeLessThanOrEqual(expected * 1.25 + 10)
    }
    // Links that come and go are failures too.
    policy.step(connection(other(1), "up"), nowMs)
    expect(pauseAfterFailure()).toBeGreaterThan(RETRY_MS_MAX / 2)
    policy.step(connection(other(1), "up"), nowMs)
    // Somebody to whom there is no other way is not kept waiting for long.
    expect(pauseAfterFailure(false)).toBeLessThanOrEqual(UNLINKED_RETRY_MS_MAX * 1.25 + 10)
    policy.step(connection(other(1), "up"), nowMs)
    nowMs += LASTED_MS
    expect(pauseAfterFailure()).toBeLessThanOrEqual(RETRY_BROKEN_MS * 1.25 + 10)
    // A link that comes up again and breaks at once is retried nearly as soon, but not for ever.
    for (let failures = 0; failures < 12; failures++) {
      policy.step(connection(other(1), "up"), nowMs)
      const expected = Math.min(RETRY_MS_MAX, RETRY_BROKEN_MS * 2 ** failures)
      const pauseMs = pauseAfterFailure()
      expect(pauseMs).toBeGreaterThanOrEqual(expected * 0.75)
      expect(pauseMs).toBeLessThanOrEqual(expected * 1.25 + 10)
    }
  })
})

describe("many members at once", () => {
  test("are offered connections up to the bound, the others as those come up", () => {
    const policy = contacts()
    const all = Array.from({ length: 10 * HALF_OPEN_MAX }, (_, index) => other(index))
    const connects = all
      .flatMap((member) => policy.step(heard(member, { fresh: true }), 0))
      .filter(({ type }) => type === "connect")
    expect(connects).toHaveLength(HALF_OPEN_MAX)
    for (const { member } of connects) policy.step(connection(member, "up"), 0)
    expect(types(policy.step({ type: "tick" }, 100))).toEqual(Array(HALF_OPEN_MAX).fill("connect"))
  })

  test("are kept up to the bound: the longest unheard is evicted, no connected one", () => {
    const policy = contacts()
    for (let index = 0; index < CONTACTS_MAX; index++) policy.step(heard(other(index)), index)
    policy.step(connection(other(0), "up"), 1000)
    policy.step(heard(other(1000)), 2000)
    expect(policy.get(other(0))).toBeDefined()
    expect(policy.get(other(1))).toBeUndefined()
    expect(policy.get(other(1000))).toBeDefined()
    for (let index = 2; index < CONTACTS_MAX; index++) policy.step(connection(other(index), "up"), 3000)
    policy.step(connection(other(1000), "up"), 3000)
    expect(policy.step(heard(other(2000)), 4000)).toEqual([])
  })
})

test("advertises only after its entry when another machine decides to advertise", () => {
  const advertised = (missing: Missing): number => {
    const room = new Room(new Random(1))
    room.step({ type: "server", state: "up" }, 0)
    room.step({ type: "entered", entry: 1, ok: true }, 0)
    let count = 0
    for (let nowMs = 0; nowMs < 10 * ADVERTISE_MS; nowMs += 100) {
      count += types(room.step({ type: "tick", missing }, nowMs)).filter((type) => type === "advertise").length
    }
    return count
  }
  expect(advertised(null)).toBe(ADVERTISE_SOON_MS.length)
  expect(advertised(false)).toBeGreaterThan(ADVERTISE_SOON_MS.length + 5)
})
