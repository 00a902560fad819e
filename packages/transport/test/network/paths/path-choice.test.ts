import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  PATH_DEAD_MS,
  PATH_HOLD_MS,
  PATH_LASTED_MS,
  PATH_NUDGE_MS,
  PATH_SILENT_MS,
  PATH_UNHEARD_MS,
} from "../../../src/bounds/network-bounds.ts"
import { PathChoice, type PathInput, type PathKind } from "../../../src/network/path/path-choice.ts"

/** One end of a link that ticks every 100 ms. `hears` are the paths over which the peer's frames arrive. */
class End {
  readonly choice = new PathChoice<string>()
  readonly used: string[] = []
  readonly closed: string[] = []
  probes = 0
  readonly nudged: string[] = []
  hears: readonly string[] = []
  acknowledged = true
  readonly leads: boolean
  #nowMs = 0
  #waitingSinceMs: number | null = null

  constructor(leads = true) {
    this.leads = leads
  }

  get nowMs(): number {
    return this.#nowMs
  }

  step(input: PathInput<string>): void {
    for (const output of this.choice.step(input, this.#nowMs)) {
      if (output.type === "use") this.used.push(output.path)
      else if (output.type === "close") this.closed.push(output.path)
      else if (output.type === "nudge") this.nudged.push(output.path)
      else this.probes += 1
    }
  }

  open(...paths: [string, PathKind][]): void {
    for (const [path, kind] of paths) this.step({ type: "opened", path, kind, leads: this.leads })
  }

  pass(ms: number): void {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs;) {
      this.#nowMs += 100
      for (const path of this.hears) this.step({ type: "heard", path })
      this.#waitingSinceMs = this.acknowledged ? null : (this.#waitingSinceMs ?? this.#nowMs)
      this.step({ type: "tick", waitingSinceMs: this.#waitingSinceMs })
    }
  }
}

function upgraded(leads = true): End {
  const end = new End(leads)
  end.open(["relay", "server"], ["direct", "webrtc"])
  end.hears = ["direct"]
  end.pass(1_000)
  return end
}

describe("the choice of a link's path", () => {
  test("uses the server's relay at once and the direct path when that opens", () => {
    const end = upgraded()
    expect([end.used, end.closed, end.probes]).toEqual([["relay", "direct"], [], 0])
  })

  test("falls back within a second when a direct path is silent", () => {
    const end = upgraded()
    Object.assign(end, { hears: [], acknowledged: false })
    const sinceMs = end.nowMs
    while (end.choice.active === "direct") end.pass(100)
    expect(end.nowMs - sinceMs).toBeLessThanOrEqual(PATH_SILENT_MS + 200)
    expect(end.choice.active).toBe("relay")
  })

  /** Time until an end leaves its direct path, over which nothing comes any more. */
  function leavingMs(end: End): number {
    Object.assign(end, { hears: [], acknowledged: false })
    const sinceMs = end.nowMs
    while (end.choice.active === "direct") end.pass(100)
    return end.nowMs - sinceMs
  }

  test("falls back earlier when a voice is missing besides", () => {
    const end = upgraded()
    end.step({ type: "unheard" })
    expect(leavingMs(end)).toBeLessThanOrEqual(PATH_UNHEARD_MS + 200)
  })

  test("falls back no earlier when the path was heard since a voice was missing", () => {
    const end = upgraded()
    end.step({ type: "unheard" })
    end.pass(100)
    expect(leavingMs(end)).toBeGreaterThan(PATH_SILENT_MS)
  })

  test("stays on a path that is heard, or on which nothing waits, without a voice", () => {
    const end = upgraded()
    end.acknowledged = false
    for (let turn = 0; turn < 50; turn++) {
      end.step({ type: "unheard" })
      end.pass(100)
    }
    Object.assign(end, { hears: [], acknowledged: true })
    end.step({ type: "unheard" })
    end.pass(5_000)
    expect(end.used).toEqual(["relay", "direct"])
  })

  test("does not leave a relay earlier when a voice is missing", () => {
    const end = upgraded()
    leavingMs(end)
    Object.assign(end, { hears: ["relay", "direct"], acknowledged: true })
    end.pass(100)
    Object.assign(end, { hears: ["direct"], acknowledged: false })
    end.step({ type: "unheard" })
    end.pass(PATH_UNHEARD_MS + 200)
    expect(end.choice.active).toBe("relay")
  })

  test("falls back at once when a direct path ends", () => {
    const end = upgraded()
    end.step({ type: "ended", path: "direct" })
    expect(end.choice.active).toBe("relay")
  })

  test("stays on a path that is heard although acknowledgements are slow", () => {
    const end = upgraded()
    end.acknowledged = false
    end.pass(5_000)
    expect(end.choice.active).toBe("direct")
  })

  test("stays on a silent path when nothing waits, and when this device has slept", () => {
    const end = upgraded()
    end.hears = []
    end.pass(10_000)
    expect(end.choice.active).toBe("direct")
    end.choice.step({ type: "tick", waitingSinceMs: end.nowMs - 5_000 }, end.nowMs + 5_000)
    expect(end.choice.active).toBe("direct")
  })

  test("follows a peer that leaves the direct path", () => {
    const end = upgraded()
    for (const path of ["relay", "direct", "relay"]) end.step({ type: "peer-uses", path })
    expect(end.choice.active).toBe("relay")
  })

  test("follows a peer that leaves the direct path for a relay opened since", () => {
    const end = upgraded()
    for (const path of ["relay", "direct"]) end.step({ type: "peer-uses", path })
    end.step({ type: "ended", path: "relay" })
    end.open(["new relay", "server"])
    end.step({ type: "peer-uses", path: "new relay" })
    expect(end.choice.active).toBe("new relay")
  })

  test("probes the path that it left and returns once it hears the peer there", () => {
    const end = upgraded()
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.pass(5_000)
    expect(end.choice.active).toBe("relay")
    expect(end.probes).toBeGreaterThan(2)
    // Unanswered ones become rare, since the path repeats them by itself.
    expect(end.probes).toBeLessThan(6)
    Object.assign(end, { hears: ["relay", "direct"], acknowledged: true })
    end.pass(200)
    expect(end.choice.active).toBe("direct")
  })

  test("follows the end that leads back to the direct path, and only answers its probes", () => {
    const end = upgraded(false)
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.step({ type: "peer-uses", path: "relay" })
    end.pass(2_000)
    // It has heard the peer there before.
    expect(end.probes).toBeLessThanOrEqual(1)
    Object.assign(end, { hears: ["relay", "direct"], acknowledged: true })
    end.pass(5_000)
    expect([end.probes > 5, end.choice.active]).toEqual([true, "relay"])
    end.step({ type: "peer-uses", path: "direct" })
    expect(end.choice.active).toBe("direct")
  })

  test("closes a direct path that stays silent after it was left, and keeps the relay", () => {
    const end = upgraded()
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.pass(PATH_DEAD_MS)
    expect(end.closed).toEqual([])
    end.pass(PATH_SILENT_MS + 500)
    expect(new Set(end.closed)).toEqual(new Set(["direct"]))
  })

  test.each([true, false])("nudges a direct path at a steady interval while it is silent (leads: %s)", (leads) => {
    const end = upgraded(leads)
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.pass(PATH_DEAD_MS)
    // A tick is 100 ms here.
    const most = PATH_DEAD_MS / PATH_NUDGE_MS
    expect(end.nudged.length).toBeGreaterThan((most - PATH_SILENT_MS / PATH_NUDGE_MS) * 0.75)
    expect(end.nudged.length).toBeLessThanOrEqual(most)
    expect(new Set(end.nudged)).toEqual(new Set(["direct"]))
    end.hears = ["relay", "direct"]
    end.pass(100)
    const { length } = end.nudged
    end.pass(PATH_LASTED_MS)
    expect(end.nudged).toHaveLength(length)
  })

  test("nudges its only path, and none on which nothing waits or which is a relay", () => {
    const end = new End()
    end.open(["direct", "webrtc"])
    end.pass(5_000)
    expect(end.nudged).toEqual([])
    end.acknowledged = false
    end.pass(3_000)
    expect(end.nudged.length).toBeGreaterThan(3)
    const relayed = new End()
    relayed.open(["relay", "server"])
    relayed.acknowledged = false
    relayed.pass(5_000)
    expect(relayed.nudged).toEqual([])
  })

  test("leaves a dead relay for a direct path on hold when that is heard", () => {
    const end = upgraded()
    end.step({ type: "ended", path: "direct" })
    end.open(["direct 2", "webrtc"])
    expect(end.choice.active).toBe("relay")
    Object.assign(end, { hears: ["direct 2"], acknowledged: false })
    end.pass(PATH_SILENT_MS + 300)
    expect(end.choice.active).toBe("direct 2")
  })

  test("stays on a direct path on hold that is heard when a relay comes back", () => {
    const end = upgraded()
    Object.assign(end, { hears: [], acknowledged: false })
    // Both paths are dead, so it has left each at least once, and the hold of the direct one is the longer.
    end.pass(4_000)
    while (end.choice.active !== "direct") end.pass(100)
    end.hears = ["direct"]
    end.pass(200)
    const { length } = end.used
    Object.assign(end, { hears: ["relay", "direct"] })
    end.pass(3_000)
    expect([end.choice.active, end.used.length]).toEqual(["direct", length])
  })

  test("doubles the hold of a path that flaps, whether it is silent or replaced", () => {
    for (const isReplaced of [false, true]) {
      const end = upgraded()
      const holds: number[] = []
      for (let flap = 0; flap < 8; flap++) {
        if (isReplaced) {
          end.step({ type: "ended", path: flap === 0 ? "direct" : `direct ${flap - 1}` })
          end.open([`direct ${flap}`, "webrtc"])
        } else {
          Object.assign(end, { hears: ["relay"], acknowledged: false })
          while (end.choice.active !== "relay") end.pass(100)
        }
        const sinceMs = end.nowMs
        Object.assign(end, { hears: ["relay", "direct", `direct ${flap}`], acknowledged: true })
        while (end.choice.active === "relay") end.pass(100)
        holds.push(Math.floor((end.nowMs - sinceMs) / PATH_HOLD_MS))
      }
      expect(holds).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    }
  })

  test("forgets the hold and probes no more when a path has worked for long", () => {
    const end = upgraded()
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.pass(1_000)
    Object.assign(end, { hears: ["relay", "direct"], acknowledged: true })
    end.pass(PATH_LASTED_MS + 2 * PATH_HOLD_MS)
    const { probes } = end
    end.pass(10_000)
    expect(end.probes).toBe(probes)
    Object.assign(end, { hears: ["relay"], acknowledged: false })
    end.pass(1_000)
    Object.assign(end, { hears: ["relay", "direct"], acknowledged: true })
    end.pass(PATH_HOLD_MS)
    expect(end.choice.active).toBe("direct")
  })

  /** Any input of a network attacker: it decides which path is heard, when, and when paths end. */
  const attack = fc.array(
    fc.record({
      hears: fc.subarray(["relay", "direct"]),
      acknowledged: fc.boolean(),
      peerUses: fc.option(fc.constantFrom("relay", "direct")),
      isReplaced: fc.boolean(),
      isUnheard: fc.boolean(),
      forMs: fc.constantFrom(100, 200, 800, 1_500, 5_000),
    }),
    { minLength: 50, maxLength: 300 },
  )

  test("changes rarely under attack, and always to an open path", () => {
    fc.assert(
      fc.property(fc.boolean(), attack, (leads, moves) => {
        const end = upgraded(leads)
        const changesMs: number[] = []
        for (const { hears, acknowledged, peerUses, isReplaced, isUnheard, forMs } of moves) {
          const before = end.used.length
          // The relay is honest: it is heard whenever this end uses it.
          Object.assign(end, { hears: ["relay", ...hears], acknowledged })
          if (peerUses !== null) end.step({ type: "peer-uses", path: peerUses })
          if (isUnheard) end.step({ type: "unheard" })
          if (isReplaced) {
            end.step({ type: "ended", path: "direct" })
            end.open(["direct", "webrtc"])
          }
          end.pass(forMs)
          expect(["relay", "direct"]).toContain(end.choice.active)
          for (let change = before; change < end.used.length; change++) changesMs.push(end.nowMs)
        }
        for (const atMs of changesMs) {
          const inMinute = changesMs.filter((each) => each >= atMs && each < atMs + 60_000).length
          expect(inMinute).toBeLessThanOrEqual(14)
        }
      }),
      { numRuns: 500 },
    )
  })
})
