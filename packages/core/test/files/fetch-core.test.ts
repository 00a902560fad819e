import { describe, expect, test } from "vitest"
import {
  AWAY_MS,
  BLOCKS_UNDER_WAY_MAX,
  FetchCore,
  type FetchOutput,
  pieceBytes,
  STALL_MS,
  UNANSWERED_REQUESTS_MAX,
} from "../../src/files/fetch-core.ts"
import { BLOCK_BYTES, BLOCK_CHUNKS, CHUNK_BYTES, listCount } from "../../src/files/layout.ts"
import { WANTED_MAX } from "../../src/files/messages.ts"
import { FILE_BYTES_MAX } from "../../src/files/layout.ts"

const BLOCKS = 7
const SIZE = (BLOCKS - 1) * BLOCK_BYTES + 3 * CHUNK_BYTES + 5
const piece = (part: "hashes" | "data", index: number, more = 0) =>
  ({ type: "piece", part, index, bytes: new Uint8Array(Math.max(0, pieceBytes(SIZE, part, index) + more)) }) as const

/** Answers every request at once, as an honest owner over a link that keeps order does. */
function run(core: FetchCore, first: readonly FetchOutput[], onBlock: (block: number) => boolean = () => true) {
  const seen: FetchOutput[] = []
  const todo = [...first]
  for (let output = todo.shift(); output; output = todo.shift()) {
    seen.push(output)
    if (output.type === "want")
      for (let i = 0; i < output.count; i++) todo.push(...core.step(piece(output.part, output.from + i)))
    if (output.type === "list") todo.push(...core.step({ type: "listed" }))
    if (output.type === "block" && onBlock(output.block)) todo.push(...core.step({ type: "kept", block: output.block }))
  }
  return seen
}
const blocksOf = (outputs: readonly FetchOutput[]) => outputs.flatMap((o) => (o.type === "block" ? [o.block] : []))

describe("fetching a file", () => {
  test("the list of hashes comes first, then every block once, in order", () => {
    const core = new FetchCore(SIZE, 0)
    const seen = run(core, core.step({ type: "reach", reachable: true }))
    expect(seen[0]).toEqual({ type: "want", part: "hashes", from: 0, count: 1 })
    expect(blocksOf(seen)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(seen.at(-1)).toEqual({ type: "done" })
  })

  test("does not ask again for what an earlier run has stored", () => {
    const core = new FetchCore(SIZE, 4)
    const seen = run(core, core.step({ type: "reach", reachable: true }))
    const wants = seen.filter((o) => o.type === "want" && o.part === "data")
    expect(wants[0]).toMatchObject({ from: 4 * BLOCK_CHUNKS })
    expect(blocksOf(seen)).toEqual([4, 5, 6])
  })

  test("no more is asked for than may be in memory, however slow the disk", () => {
    const core = new FetchCore(SIZE, 0)
    const seen = run(core, core.step({ type: "reach", reachable: true }), () => false)
    expect(blocksOf(seen)).toHaveLength(BLOCKS_UNDER_WAY_MAX)
    expect(core.step({ type: "kept", block: 0 })).toMatchObject([{ type: "want", from: 4 * BLOCK_CHUNKS }])
  })

  test.each([-1, 1, 1_000_000])("calls the source altered when a piece is %i bytes longer", (more) => {
    const core = new FetchCore(SIZE, BLOCKS - 1)
    core.step({ type: "reach", reachable: true })
    expect(core.step(piece("hashes", 0, more))).toEqual([{ type: "altered" }])
    core.step(piece("hashes", 0))
    core.step({ type: "listed" })
    const first = (BLOCKS - 1) * BLOCK_CHUNKS
    expect(core.step(piece("data", first, more))).toEqual([{ type: "altered" }])
    for (let i = 0; i < 3; i++) core.step(piece("data", first + i))
    expect(core.step(piece("data", first + 3, more))).toEqual([{ type: "altered" }])
  })

  test("a request is never longer than what an owner answers", () => {
    expect(listCount(FILE_BYTES_MAX)).toBeLessThanOrEqual(WANTED_MAX)
    expect(BLOCK_CHUNKS).toBeLessThanOrEqual(WANTED_MAX)
  })

  test("continues in the middle of a block when a lost link is back", () => {
    const core = new FetchCore(SIZE, 0)
    core.step({ type: "reach", reachable: true })
    core.step(piece("hashes", 0))
    core.step({ type: "listed" })
    for (let i = 0; i < 10; i++) core.step(piece("data", i))
    core.step({ type: "reach", reachable: false })
    const again = core.step({ type: "reach", reachable: true })
    expect(again[0]).toEqual({ type: "want", part: "data", from: 10, count: BLOCK_CHUNKS - 10 })
    expect(run(core, again).at(-1)).toEqual({ type: "done" })
  })

  test("ignores what comes out of turn, twice or unasked", () => {
    const core = new FetchCore(SIZE, 0)
    core.step({ type: "reach", reachable: true })
    expect(core.step(piece("data", 0))).toEqual([])
    expect(core.step(piece("hashes", 1))).toEqual([])
    core.step(piece("hashes", 0))
    expect(core.step(piece("hashes", 0))).toEqual([])
    core.step({ type: "listed" })
    expect(core.step(piece("data", 1))).toEqual([])
    for (let i = 0; i < BLOCK_CHUNKS * BLOCKS_UNDER_WAY_MAX; i++) core.step(piece("data", i))
    expect(core.step(piece("data", BLOCK_CHUNKS * BLOCKS_UNDER_WAY_MAX))).toEqual([])
    expect(core.arrivedChunks).toBe(BLOCK_CHUNKS * BLOCKS_UNDER_WAY_MAX)
  })

  test("asks again for what was turned away, and not sooner than needed", () => {
    const core = new FetchCore(SIZE, 0)
    core.step({ type: "tick", nowMs: 0 })
    core.step({ type: "reach", reachable: true })
    expect(core.step({ type: "tick", nowMs: 1000 })).toEqual([])
    expect(core.step({ type: "tick", nowMs: 6000 })).toEqual([{ type: "want", part: "hashes", from: 0, count: 1 }])
    expect(core.step({ type: "tick", nowMs: 7000 })).toEqual([])
  })

  test.each([
    ["stays linked", false],
    ["drops its link before each answer", true],
  ])("calls a source silent when it answers nothing and %s", (_, drops) => {
    const core = new FetchCore(SIZE, 0)
    const seen: string[] = []
    for (let i = 0; i <= UNANSWERED_REQUESTS_MAX; i++) {
      if (drops) core.step({ type: "reach", reachable: false })
      const outputs = core.step({ type: "reach", reachable: true })
      seen.push(
        ...[...outputs, ...core.step({ type: "tick", nowMs: drops ? 0 : i * STALL_MS })].map(({ type }) => type),
      )
    }
    expect(seen).toEqual([...Array.from({ length: UNANSWERED_REQUESTS_MAX }, () => "want"), "silent"])
  })

  test("calls a slow source never silent", () => {
    const core = new FetchCore(SIZE, 0)
    core.step({ type: "reach", reachable: true })
    core.step(piece("hashes", 0))
    core.step({ type: "listed" })
    for (let i = 0; i < 4 * UNANSWERED_REQUESTS_MAX; i++) {
      const outputs = core.step({ type: "tick", nowMs: i * STALL_MS })
      expect(outputs.some(({ type }) => type === "silent")).toBe(false)
      if (i % UNANSWERED_REQUESTS_MAX === 0) core.step(piece("data", i / UNANSWERED_REQUESTS_MAX))
    }
  })

  test("waits for nobody without end, and says so once", () => {
    const core = new FetchCore(SIZE, 0)
    expect(core.step({ type: "tick", nowMs: 1 })).toEqual([])
    expect(core.step({ type: "tick", nowMs: AWAY_MS })).toEqual([])
    expect(core.step({ type: "tick", nowMs: AWAY_MS + 2 })).toEqual([{ type: "away" }])
    expect(core.step({ type: "tick", nowMs: AWAY_MS + 3 })).toEqual([])
  })
})
