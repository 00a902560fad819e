import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { HEARTBEATS_LOSSY_BYTES_MAX, LINK_SILENT_MS, RESUME_GRACE_MS } from "../../../src/bounds/network-bounds.ts"
import type { SessionControl } from "../../../src/network/link/link-io.ts"
import { ResumableLink } from "../../../src/network/link/resumable-link.ts"
import type { Connection } from "../../../src/network/path/connection.ts"
import type { PathKind } from "../../../src/network/path/path-choice.ts"

type Item = { readonly control: SessionControl } | { readonly message: number }
/** One end's half of a connection. The schedule delivers the items in `sent`. */
type Half = { readonly connection: Connection; sent: Item[]; isOpen: boolean; isStalled: boolean }
type Path = { readonly kind: PathKind; readonly halves: readonly [Half, Half]; isStalled: boolean }

const toBytes = (index: number) => new Uint8Array(Uint32Array.of(index).buffer)
const toNumber = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(0, true)

/** Two ends of one link over paths without cryptography. A path loses nothing until it breaks, and may stall. */
class TwoEnds {
  readonly links: readonly [ResumableLink, ResumableLink]
  readonly received: [number[], number[]] = [[], []]
  readonly sent: [number, number] = [0, 0]
  readonly faults: string[] = []
  paths: Path[] = []
  changes = 0
  nowMs = 0
  #attempts = 0

  constructor() {
    const end = (index: 0 | 1) =>
      new ResumableLink(new Uint8Array(16).fill(index + 1), (output) => {
        if (output.type === "reset") this.faults.push("reset")
        else if (output.type === "path") this.changes += 1
        else if (output.type === "message") this.received[index].push(toNumber(output.bytes))
        else if (output.type === "close") this.#close(index, output.connection)
      })
    this.links = [end(0), end(1)]
  }

  open(kind: PathKind): void {
    const attempt = ++this.#attempts
    let first: Half | undefined
    const half = (): Half => {
      const own: Half = { connection: undefined as never, sent: [], isOpen: true, isStalled: false }
      first ??= own
      const connection = {
        config: { carrier: { type: kind }, attempt, role: own === first ? "initiator" : "responder" },
        control: (control: SessionControl) => own.isOpen && own.sent.push({ control }),
        queue: (bytes: Uint8Array) => own.isOpen && own.sent.push({ message: toNumber(bytes) }),
      }
      return Object.assign(own, { connection: connection as unknown as Connection })
    }
    const path: Path = { kind, halves: [half(), half()], isStalled: false }
    this.paths.push(path)
    for (const index of [0, 1] as const) this.links[index].established(path.halves[index].connection)
  }

  /** Breaks a path at one end. Items under way to it are lost, and the other end notices it later. */
  break(path: Path, index: 0 | 1, byPeer = false): void {
    const half = path.halves[index]
    if (!half.isOpen) return
    half.isOpen = false
    half.sent = []
    this.links[index].ended(half.connection, byPeer ? "by-peer" : "failure", "broken", this.nowMs)
  }

  #close(index: 0 | 1, connection: Connection): void {
    const path = this.paths.find(({ halves }) => halves[index].connection === connection)
    if (path) this.break(path, index)
  }

  send(index: 0 | 1, count: number): void {
    // Before the link is up there is nobody to send to.
    if (!this.links[index].up) return
    for (let each = 0; each < count; each++) this.links[index].send(toBytes(this.sent[index]++), "reliable", false)
  }

  /** Delivers up to `count` items that an end has sent over a path. */
  deliver(path: Path, from: 0 | 1, count = Infinity): void {
    const to = (1 - from) as 0 | 1
    const [sender, receiver] = [path.halves[from], path.halves[to]]
    for (let each = 0; each < count && !path.isStalled && !sender.isStalled; each++) {
      if (!sender.isOpen) return this.break(path, to, true)
      const item = receiver.isOpen ? sender.sent.shift() : undefined
      if (!item) return
      const link = this.links[to]
      link.heard(receiver.connection, this.nowMs)
      const fault =
        "control" in item
          ? link.handleControl(receiver.connection, item.control, this.nowMs)
          : link.handleMessage(receiver.connection, toBytes(item.message), "reliable")
      if (fault) this.faults.push(fault)
    }
  }

  /** `count`: messages that each end sends in each tick. */
  pass(ms: number, count = 1): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += 100
      for (const index of [0, 1] as const) {
        this.send(index, count)
        const down = this.links[index].tick(this.nowMs)
        if (down !== null) this.faults.push(`down: ${down}`)
      }
      for (const path of this.paths) for (const from of [0, 1] as const) this.deliver(path, from)
      this.paths = this.paths.filter(({ halves }) => halves.some(({ isOpen }) => isOpen))
    }
  }
}

const end = fc.constantFrom<(0 | 1)[]>(0, 1)
const at = fc.nat(7)
const move = fc.oneof(
  fc.record({ type: fc.constant("send" as const), end, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant("deliver" as const), at, end, count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(100, 300, 900, 2_000) }),
  fc.record({ type: fc.constant("stall" as const), at }),
  fc.record({ type: fc.constant("heal" as const), at }),
  fc.record({ type: fc.constant("break" as const), at, end }),
  fc.record({ type: fc.constant("open" as const) }),
)

describe("a link whose path changes", () => {
  test("delivers everything once and in order, and stays up, in any schedule of changes", () => {
    let changes = 0
    fc.assert(
      fc.property(fc.array(move, { minLength: 10, maxLength: 60 }), (moves) => {
        const both = new TwoEnds()
        both.open("server")
        const [relay] = both.paths
        for (const each of moves) {
          // The relay, which neither stalls nor breaks, is the one path that stays.
          const others = both.paths.filter((path) => path !== relay)
          const path = "at" in each && others.length > 0 ? others[each.at % others.length] : undefined
          if (each.type === "send") both.send(each.end, each.count)
          else if (each.type === "pass") both.pass(each.ms)
          else if (each.type === "open") {
            // A connection replaces the former one.
            for (const former of others) both.break(former, 0)
            both.open("webrtc")
          } else if (each.type === "deliver") both.deliver(path ?? relay!, each.end, each.count)
          else if (!path) continue
          else if (each.type === "break") both.break(path, each.end)
          else path.isStalled = each.type === "stall"
        }
        for (const path of both.paths) path.isStalled = false
        both.pass(500)
        both.pass(500, 0)
        expect(both.faults).toEqual([])
        for (const index of [0, 1] as const) {
          const arrived = both.received[index]
          expect(arrived).toEqual(Array.from({ length: both.sent[1 - index]! }, (_, each) => each))
        }
        changes += both.changes
      }),
      { numRuns: 3_000 },
    )
    expect(changes).toBeGreaterThan(10_000)
  })

  test("is direct again at both ends when a member was silent and its relay slow", () => {
    const tenths = fc.integer({ min: 0, max: 20 })
    const pause = fc.record({ ok: tenths, silent: tenths, relay: fc.tuple(tenths, tenths) })
    fc.assert(
      fc.property(fc.array(pause, { minLength: 3, maxLength: 20 }), (pauses) => {
        const both = new TwoEnds()
        both.open("server")
        both.open("webrtc")
        const [relay, direct] = both.paths
        for (const {
          ok,
          silent,
          relay: [low, high],
        } of pauses) {
          both.pass(100 * ok)
          for (const half of [...relay!.halves, ...direct!.halves]) half.isStalled = true
          both.pass(100 * silent)
          for (const half of direct!.halves) half.isStalled = false
          both.pass(100 * Math.min(low, high))
          relay!.halves[low < high ? 0 : 1].isStalled = false
          both.pass(100 * Math.abs(low - high))
          for (const half of relay!.halves) half.isStalled = false
        }
        both.pass(12_000)
        expect(both.links.map(({ path }) => path)).toEqual(["direct", "direct"])
        expect(both.faults).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test("is relayed a second after its direct path stalls, and down only without a path", () => {
    const both = new TwoEnds()
    both.open("server")
    both.pass(200)
    both.open("webrtc")
    both.pass(500)
    expect(both.links.map(({ path }) => path)).toEqual(["direct", "direct"])
    const [relay, direct] = both.paths
    direct!.isStalled = true
    both.pass(900)
    both.pass(100, 0)
    expect(both.links.map(({ path }) => path)).toEqual(["relayed-by-server", "relayed-by-server"])
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
    expect(both.faults).toEqual([])
    for (const path of [relay!, direct!]) both.break(path, 0)
    both.break(direct!, 1)
    both.pass(RESUME_GRACE_MS + 200)
    expect(both.faults).toContain("down: broken")
  })

  /** A link whose two paths deliver nothing for so long, in which each end sends. */
  function stalledFor(ms: number, count = 1): TwoEnds {
    const both = new TwoEnds()
    both.open("server")
    both.open("webrtc")
    both.pass(500)
    for (const path of both.paths) path.isStalled = true
    both.pass(ms, count)
    return both
  }

  test("queues no message twice on one path when it returns to that", () => {
    const both = stalledFor(6_000, 2)
    const numbers = both.paths.map(({ halves: [{ sent }] }) =>
      sent.flatMap((item) => ("message" in item ? [item.message] : [])),
    )
    for (const queued of numbers) {
      expect(queued.length).toBeGreaterThan(10)
      expect(new Set(queued).size).toBe(queued.length)
    }
    // Both ends have gone to the relay twice, and to the direct path twice.
    expect(both.changes).toBe(8)
    for (const path of both.paths) path.isStalled = false
    both.pass(500, 0)
    expect(both.faults).toEqual([])
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
  })

  test("takes no heartbeat when messages wait for a second and nothing comes", () => {
    const both = stalledFor(LINK_SILENT_MS)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
    both.pass(100)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([true, true])
    for (const path of both.paths) path.isStalled = false
    both.pass(200)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
    both.pass(2 * LINK_SILENT_MS, 0)
    expect(both.links.map(({ heartbeatLane }) => heartbeatLane === null)).toEqual([false, false])
  })

  test("may lose a heartbeat on a direct path alone, while something small waits", () => {
    const both = new TwoEnds()
    both.open("server")
    both.pass(100, 0)
    const [link] = both.links
    both.send(0, 1)
    expect(link.heartbeatLane).toBe("reliable")
    both.open("webrtc")
    both.pass(500, 0)
    expect([link.path, link.unackedBytes, link.heartbeatLane]).toEqual(["direct", 0, "reliable"])
    both.send(0, 1)
    expect(link.heartbeatLane).toBe("unreliable")
    both.send(0, HEARTBEATS_LOSSY_BYTES_MAX / 4)
    expect(link.heartbeatLane).toBe("reliable")
  })

  test("holds back what is sent over a silent direct path until that is heard", () => {
    const both = new TwoEnds()
    both.open("webrtc")
    // The first messages after a rest wait for no sign of life.
    both.pass(3 * LINK_SILENT_MS, 0)
    both.pass(200)
    expect(both.received.map(({ length }) => length)).toEqual([2, 2])
    const [direct] = both.paths
    direct!.isStalled = true
    both.pass(4 * LINK_SILENT_MS)
    for (const { sent } of direct!.halves) {
      const messages = sent.filter((item) => "message" in item)
      expect(messages.length).toBeGreaterThanOrEqual(LINK_SILENT_MS / 100)
      expect(messages.length).toBeLessThan((1.2 * LINK_SILENT_MS) / 100)
    }
    direct!.isStalled = false
    both.pass(300, 0)
    expect(both.received.map(({ length }) => length)).toEqual(both.sent)
    expect(both.faults).toEqual([])
  })
})
