import type { MemberId } from "@keymoot/transport"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { HELD_MEDIA_BYTES_MAX, HELD_MEDIA_FRAMES_MAX, HeldFrames } from "../../../src/media/keys/held-frames.ts"
import {
  FORMER_KEYS_MS,
  IN_FLIGHT_MS,
  KeyRing,
  MEDIA_EPOCHS_MAX,
  type ReceivingKey,
  SECURED_EPOCHS_MAX,
  SWITCH_AFTER_MS,
} from "../../../src/media/keys/key-ring.ts"
import { keyIdOf, type MediaMember, type MediaSource, type MediaView } from "../../../src/media/keys/media-view.ts"

const member = (letter: string, incarnation = 1): MediaMember => ({
  member: letter.repeat(32) as MemberId,
  incarnation,
})
const ADA = member("a")
const BOB = member("b")
const EVE = member("e")

const viewOf = (epoch: number, ...members: MediaMember[]): MediaView => ({ id: `view ${epoch}`, epoch, members })
/** Stands for the key of a member in an epoch. */
const keysOf = ({ id, members }: MediaView): string[] =>
  members.map((each) => `${id}: ${each.member[0]}${each.incarnation}`)

class Ring extends KeyRing<string> {
  /** Everybody may publish unless the test says otherwise. */
  install(view: MediaView): this {
    this.step({ type: "view", view })
    return this.permit(...view.members)
  }
  permit(...members: MediaMember[]): this {
    this.step({ type: "speakers", members: members.map(({ member }) => member), removed: [] })
    return this
  }
  key(view: MediaView): this {
    this.step({ type: "keyed", view: view.id, keys: keysOf(view), firstCounter: 0 })
    return this
  }
  secure(view: MediaView, nowMs = 0): this {
    this.step({ type: "secured", view: view.id, nowMs })
    return this
  }
  all(view: MediaView, nowMs = 0): this {
    return this.install(view).key(view).secure(view, nowMs)
  }
  sends(to = BOB): string | null {
    return this.nextSending(to)?.key ?? null
  }
  from(sender: MediaMember, view: MediaView, of = sender, atMs = -1): string {
    const index = view.members.findIndex((each) => each.member === of.member && each.incarnation === of.incarnation)
    const found = this.receiving(sender, "camera", keyIdOf(view, index), atMs)
    return typeof found === "string" ? found : found.key
  }
}

const three = viewOf(1, ADA, BOB, EVE)
const two = viewOf(2, ADA, BOB)

describe("sending", () => {
  test("waits until every member has proved the key", () => {
    const ring = new Ring(ADA)
    expect(ring.sends()).toBeNull()
    expect(ring.install(two).sends()).toBeNull()
    expect(ring.key(two).sends()).toBeNull()
    expect(ring.secure(two).sends()).toBe("view 2: a1")
  })

  test("stops when a member leaves, until the next key is proved", () => {
    const ring = new Ring(ADA).all(three)
    expect(ring.install(two).sends()).toBeNull()
    expect(ring.key(two).sends()).toBeNull()
    expect(ring.secure(two).sends()).toBe("view 2: a1")
  })

  test("stops when a member comes back in another incarnation", () => {
    const ring = new Ring(ADA).all(viewOf(1, ADA, BOB))
    expect(ring.install(viewOf(2, ADA, member("b", 2))).sends()).toBeNull()
  })

  test("continues under the former key for a while when somebody only joins", () => {
    const ring = new Ring(ADA).all(viewOf(1, ADA, BOB))
    const joined = viewOf(2, ADA, BOB, EVE)
    expect(ring.install(joined).key(joined).sends()).toBe("view 1: a1")
    ring
      .secure(joined, 100)
      .secure(joined, 200)
      .step({ type: "tick", nowMs: 99 + SWITCH_AFTER_MS })
    // The newcomer has no other key.
    expect([ring.sends(BOB), ring.sends(EVE)]).toEqual(["view 1: a1", "view 2: a1"])
    ring.step({ type: "tick", nowMs: 100 + SWITCH_AFTER_MS })
    expect([ring.sends(BOB), ring.sends(EVE)]).toEqual(["view 2: a1", "view 2: a1"])
  })

  test("follows joins that come faster than workers get their keys", () => {
    const ring = new Ring(ADA).all(viewOf(1, ADA, BOB)).all(viewOf(2, ADA, BOB, EVE), 100)
    ring.all(viewOf(3, ADA, BOB, EVE, member("c")), 200)
    expect([ring.sends(BOB), ring.sends(member("c"))]).toEqual(["view 2: a1", "view 3: a1"])
  })

  test("stops when a newcomer leaves before its key is used", () => {
    const ring = new Ring(ADA).all(viewOf(1, ADA, BOB)).all(viewOf(2, ADA, BOB, EVE))
    ring.install(viewOf(3, ADA, BOB)).step({ type: "tick", nowMs: SWITCH_AFTER_MS })
    expect([ring.sends(BOB), ring.sends(EVE)]).toEqual([null, null])
  })

  test("stays stopped when somebody joins right after a member left", () => {
    const ring = new Ring(ADA).all(three).install(two)
    expect(ring.install(viewOf(3, ADA, BOB, member("c"))).sends()).toBeNull()
  })

  test("gives every frame under one key another counter", () => {
    const ring = new Ring(ADA).all(two)
    expect([0, 1, 2].map(() => ring.nextSending(BOB)!.counter)).toMatchObject([0, 1, 2])
    ring.all(two)
    expect(ring.nextSending(BOB)!.counter).toBe(3)
    ring.all(viewOf(3, ADA, BOB, EVE))
    expect(ring.nextSending(EVE)).toMatchObject({ key: "view 3: a1", counter: 0 })
    ring.step({ type: "tick", nowMs: SWITCH_AFTER_MS })
    expect([BOB, EVE].map((to) => ring.nextSending(to))).toMatchObject([
      { key: "view 3: a1", counter: 1 },
      { key: "view 3: a1", counter: 2 },
    ])
  })
})

describe("receiving", () => {
  test("has the keys as soon as they are computed", () => {
    const ring = new Ring(ADA).install(two)
    expect(ring.from(BOB, two)).toBe("unknown")
    expect(ring.key(two).from(BOB, two)).toBe("view 2: b1")
  })

  test("refuses the key id of another member on a connection", () => {
    const ring = new Ring(ADA).all(three)
    expect(ring.from(BOB, three, EVE)).toBe("foreign")
    expect(ring.from(EVE, three, BOB)).toBe("foreign")
    expect(ring.receiving(BOB, "camera", keyIdOf(three, 200), 0)).toBe("foreign")
  })

  test("refuses another member's key id before the key is there", () => {
    expect(new Ring(ADA).install(three).from(BOB, three, EVE)).toBe("foreign")
  })

  test("keeps former keys for frames in flight, and then drops them", () => {
    const next = viewOf(2, ADA, BOB, EVE)
    const ring = new Ring(ADA).all(three).all(next, 1000)
    ring.step({ type: "tick", nowMs: 1000 + FORMER_KEYS_MS - 1 })
    expect(ring.from(BOB, three, BOB, 1000 + FORMER_KEYS_MS - 1)).toBe("view 1: b1")
    ring.step({ type: "tick", nowMs: 1000 + FORMER_KEYS_MS })
    expect(ring.from(BOB, three)).toBe("unknown")
    expect(ring.from(BOB, next)).toBe("view 2: b1")
  })

  test("drops every key of a member that left, at once", () => {
    const ring = new Ring(ADA).all(three)
    expect(ring.from(EVE, three)).toBe("view 1: e1")
    ring.install(two)
    expect(ring.from(EVE, three)).toBe("foreign")
    expect(ring.from(BOB, three)).toBe("view 1: b1")
  })

  test("refuses a key that an absent member knows when frames in flight have come", () => {
    const ring = new Ring(ADA).all(three).install(two).key(two).secure(two, 100).secure(two, 200)
    const end = 100 + IN_FLIGHT_MS
    expect(ring.from(BOB, three, BOB, end - 1)).toBe("view 1: b1")
    expect(ring.from(BOB, three, BOB, end)).toBe("former")
    // Neither a newcomer nor the absent member brings the key back.
    expect(ring.install(viewOf(3, ADA, BOB, EVE)).from(BOB, three, BOB, end)).toBe("former")
  })

  test("refuses a key that an absent member knows when the sender uses the next one", () => {
    const ring = new Ring(ADA).all(three).all(two)
    const next = (source: MediaSource) => ring.receiving(BOB, source, keyIdOf(two, 1), 0) as ReceivingKey<string>
    next("microphone").replays.microphone.accept(0)
    expect(ring.from(BOB, three)).toBe("view 1: b1")
    next("camera").replays.camera.accept(1)
    expect(ring.from(BOB, three)).toBe("former")
  })

  test("takes frames of a former key in any order after a join", () => {
    const joined = viewOf(2, ADA, BOB, EVE, member("c"))
    const ring = new Ring(ADA).all(three).all(joined)
    const next = ring.receiving(BOB, "camera", keyIdOf(joined, 1), 0) as ReceivingKey<string>
    next.replays.camera.accept(0)
    expect(ring.from(BOB, three)).toBe("view 1: b1")
  })

  test("gives no key to a member that left and came back under a former key", () => {
    const back = viewOf(3, ADA, BOB, EVE)
    const ring = new Ring(ADA).all(three).install(two).install(back)
    expect(ring.from(EVE, three)).toBe("unknown")
    expect(ring.key(back).from(EVE, back)).toBe("view 3: e1")
  })

  test("ignores late keys of a member that left meanwhile", () => {
    const ring = new Ring(ADA).install(three).install(two).key(three)
    expect(ring.from(EVE, three)).toBe("foreign")
    const back = viewOf(3, ADA, BOB, EVE)
    expect(ring.install(back).from(EVE, three)).toBe("unknown")
  })

  test("knows nobody before the first view and after the end", () => {
    expect(new Ring(ADA).from(BOB, two)).toBe("foreign")
    const ring = new Ring(ADA).all(two)
    ring.erase()
    expect(ring.from(BOB, two)).toBe("foreign")
    expect(ring.sends()).toBeNull()
  })

  test("keeps the keys of a bounded number of views", () => {
    const views = Array.from({ length: MEDIA_EPOCHS_MAX + 1 }, (_, index) => viewOf(index + 1, ADA, BOB))
    const ring = new Ring(ADA)
    for (const view of views) ring.install(view).key(view)
    const found = views.map((view) => ring.from(BOB, view))
    expect(found).toEqual(["unknown", ...views.slice(1).map((view) => `${view.id}: b1`)])
  })

  test("keeps the keys in use while many views follow before one is secured", () => {
    const newcomers = Array.from({ length: 30 }, (_, index) => member("c", index))
    const views = newcomers.map((_, index) => viewOf(index + 3, ADA, BOB, ...newcomers.slice(0, index)))
    const [former, present] = [viewOf(1, ADA, BOB), viewOf(2, ADA, BOB)]
    const ring = new Ring(ADA).all(former).all(present, 1000)
    for (const view of views) ring.install(view).key(view)
    expect(ring.sends()).toBe("view 1: a1")
    expect([ring.from(BOB, former), ring.from(BOB, present)]).toEqual(["view 1: b1", "view 2: b1"])
    const kept = [former, present, ...views].filter((view) => ring.from(BOB, view) !== "unknown")
    expect(kept).toHaveLength(MEDIA_EPOCHS_MAX + SECURED_EPOCHS_MAX)
  })

  test("takes no frame for one of a later view, however far a coordinator jumps", () => {
    for (const jump of [256, 65_536, 2 ** 32]) {
      const [before, after] = [viewOf(1, ADA, BOB), viewOf(1 + jump, ADA, BOB)]
      const ring = new Ring(ADA).all(before).install(after)
      expect(ring.from(BOB, before)).toBe("view 1: b1")
      expect(ring.key(after).from(BOB, before)).toBe("view 1: b1")
    }
  })
})

describe("a viewer", () => {
  test("is received under no key, before and after the key is there", () => {
    const ring = new Ring(ADA).install(three).permit(ADA, BOB)
    expect(ring.from(EVE, three)).toBe("not-permitted")
    expect(ring.key(three).secure(three).from(EVE, three)).toBe("not-permitted")
    expect(ring.from(BOB, three)).toBe("view 1: b1")
  })

  test("may publish again when its role has changed", () => {
    const ring = new Ring(ADA).all(three).permit(ADA, BOB)
    expect(ring.permit(ADA, BOB, EVE).from(EVE, three)).toBe("view 1: e1")
  })

  test("stays one in the next view, until the engine names it", () => {
    const ring = new Ring(ADA).all(three).permit(ADA, BOB)
    const next = viewOf(2, ADA, BOB, EVE)
    ring.step({ type: "view", view: next })
    expect(ring.from(EVE, three)).toBe("not-permitted")
    expect(ring.mayPublish).toBe(true)
    expect(ring.permit(BOB).mayPublish).toBe(false)
  })

  test("is everybody before the engine has named the members that may publish", () => {
    const ring = new Ring(ADA)
    for (const input of [
      { type: "view", view: two },
      { type: "keyed", view: two.id, keys: keysOf(two), firstCounter: 0 },
    ] as const)
      ring.step(input)
    expect([ring.from(BOB, two), ring.mayPublish]).toEqual(["not-permitted", false])
  })
})

test("uses no key that an absent member knows in any sequence of views", () => {
  const people = ["a", "b", "c", "d"]
  const change = fc.record({
    present: fc.subarray(people.slice(1)),
    keyed: fc.boolean(),
    secured: fc.boolean(),
    passesMs: fc.nat({ max: 3 * FORMER_KEYS_MS }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const ring = new Ring(ADA)
      const views: MediaView[] = []
      let nowMs = 0
      for (const { present, keyed, secured, passesMs } of changes) {
        const view = viewOf(views.length + 1, ADA, ...present.map((letter) => member(letter)))
        views.push(view)
        ring.install(view)
        if (keyed) ring.key(view)
        if (keyed && secured) ring.secure(view, nowMs)
        nowMs += passesMs
        ring.step({ type: "tick", nowMs })
        const here = new Set(view.members.map((each) => each.member))
        for (const to of view.members) {
          const sends = ring.sends(to)
          const of = views.find(({ id }) => sends?.startsWith(`${id}:`))
          // A key is known to the members of its view, and only to these.
          expect(of?.members.filter((each) => !here.has(each.member)) ?? []).toEqual([])
        }
        for (const letter of people.slice(1).filter((each) => !present.includes(each)))
          for (const former of views) expect(ring.from(member(letter), former)).toMatch(/foreign/u)
      }
    }),
  )
})

describe("held frames", () => {
  test("wait for a second of video, and 120 ms of audio", () => {
    for (const [video, holdMs] of [
      [true, 1000],
      [false, 120],
    ] as const) {
      const held = new HeldFrames<string>(video)
      held.push("one", 1, 0)
      held.push("two", 1, 10)
      expect(held.expire(holdMs)).toBe(0)
      expect(held.expire(holdMs + 1)).toBe(1)
      expect(held.first).toBe("two")
    }
  })

  test("are bounded by number and by bytes", () => {
    const held = new HeldFrames<number>(true)
    let dropped = 0
    for (let i = 0; i <= HELD_MEDIA_FRAMES_MAX; i++) dropped += held.push(i, 1, 0)
    expect([dropped, held.first]).toEqual([1, 1])
    expect(held.push(0, HELD_MEDIA_BYTES_MAX, 0)).toBe(HELD_MEDIA_FRAMES_MAX)
    expect(held.push(1, HELD_MEDIA_BYTES_MAX + 1, 0)).toBe(2)
    expect(held.isEmpty).toBe(true)
  })
})
