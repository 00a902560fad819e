import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Arrivals, transferIn } from "../../src/history/arrivals.ts"
import { IncomingTransfers } from "../../src/history/incoming-transfers.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"

const [ada, bob] = ["a".repeat(32), "b".repeat(32)] as [MemberId, MemberId]
const BEGINS_WITHIN_MS = 1000
/** Three chunks. */
const CONTENT = new Uint8Array(150_000).fill(1)

const idOf = (view: number): string => `${view}`.padStart(32, "0").padEnd(64, "0")
const chunksFor = (view: number, content = CONTENT): Uint8Array[] => splitIntoChunks(content, transferIn(idOf(view)))

function open() {
  const arrivals = new Arrivals()
  const transfers = new IncomingTransfers(arrivals, { bytesMax: 1_000_000, beginsWithinMs: BEGINS_WITHIN_MS })
  let views = 0
  const view = (newcomers: readonly MemberId[], { atMs = 0, awaited = newcomers, along = false } = {}): number => {
    const transitional = along ? [ada, bob] : []
    const here = { view: { id: idOf(++views), epoch: views * 10 }, present: [ada, bob] }
    const viewStart = { ...here, newcomers, transitional, awaited }
    arrivals.onView(viewStart, atMs)
    transfers.onView()
    return views
  }
  const take = (from: MemberId, chunks: readonly Uint8Array[], atMs = 0): string[] =>
    chunks.map((chunk) => transfers.accept(from, chunk, atMs).type)
  const settle = (): void => [1, 2, 3, 4].forEach(() => void view([]))
  return { transfers, view, take, settle }
}
const WHOLE = ["incomplete", "incomplete", "complete"]

test("takes one transfer of a member that has just come", () => {
  const { transfers, view, take } = open()
  const chunks = chunksFor(view([ada]))
  expect(take(ada, chunks.slice(0, 2))).toEqual(["incomplete", "incomplete"])
  expect(transfers.accept(ada, chunks[2]!, 0)).toMatchObject({ bytes: CONTENT, arrival: { view: 1, epoch: 10 } })
})

test("reports a second transfer for the same view once and takes nothing of it", () => {
  const { view, take } = open()
  const present = view([ada])
  take(ada, chunksFor(present))
  expect(take(ada, [...chunksFor(present), ...chunksFor(present)])).toEqual(["unexpected", ...Array(5).fill("ignored")])
})

test("reports a member that transfers while nobody has come for a while", () => {
  const { view, take, settle } = open()
  view([])
  expect(take(bob, chunksFor(1))).toEqual(["unexpected", "ignored", "ignored"])
  settle()
  expect(take(bob, chunksFor(5))).toEqual(["unexpected", "ignored", "ignored"])
})

test("drops without a report what is meant for others who have come", () => {
  const { view, take } = open()
  expect(take(bob, chunksFor(view([ada])))).toEqual(Array(3).fill("ignored"))
})

test("drops what comes again for a later view when it had all of it", () => {
  const { view, take } = open()
  expect(take(ada, chunksFor(view([ada])))).toEqual(WHOLE)
  expect(take(ada, chunksFor(view([])))).toEqual(Array(3).fill("ignored"))
})

test("begins again when the view changes in the middle of a transfer", () => {
  const { view, take } = open()
  const [first, second] = chunksFor(view([ada]))
  expect(take(ada, [first!, second!])).toEqual(["incomplete", "incomplete"])
  expect(take(ada, chunksFor(view([])))).toEqual(WHOLE)
})

test("continues a transfer when the view changes and nobody is new", () => {
  const { view, take } = open()
  const [first, ...others] = chunksFor(view([ada]))
  take(ada, [first!])
  view([])
  expect(take(ada, others)).toEqual(["incomplete", "complete"])
})

test("takes the transfer for this view when the rest of an earlier one comes first", () => {
  const { view, take } = open()
  // Begun for others, in a view that this member has not seen.
  const earlier = splitIntoChunks(CONTENT, "f".repeat(32))
  const present = view([ada])
  expect(take(ada, [earlier[2]!, ...chunksFor(present)])).toEqual(["ignored", ...WHOLE])
  expect(take(ada, earlier)).toEqual(Array(3).fill("ignored"))
})

test("takes a transfer for its sender's arrival view when that was not secured here", () => {
  const { view, take } = open()
  const came = view([ada])
  view([ada], { along: true })
  expect(take(ada, chunksFor(came))).toEqual(WHOLE)
})

test("takes nothing for a view before its sender came back", () => {
  const { view, take } = open()
  const before = view([ada])
  view([ada])
  expect(take(ada, chunksFor(before))).toEqual(Array(3).fill("ignored"))
})

test("takes another transfer when its sender was away and is back", () => {
  const { view, take } = open()
  expect(take(ada, chunksFor(view([ada])))).toEqual(WHOLE)
  expect(take(ada, chunksFor(view([ada])))).toEqual(WHOLE)
})

test("takes no transfer that begins long after its sender came", () => {
  const { view, take, settle } = open()
  view([ada])
  settle()
  expect(take(ada, chunksFor(5), BEGINS_WITHIN_MS + 1)).toEqual(["unexpected", "ignored", "ignored"])
})

test("takes nothing of a stranger that may not transfer", () => {
  const { view, take } = open()
  expect(take(ada, chunksFor(view([ada], { awaited: [] })))).toEqual(Array(3).fill("ignored"))
})

test("refuses what is no chunk", () => {
  const { view, take } = open()
  view([ada])
  expect(take(ada, [Uint8Array.of(1, 2, 3)])).toEqual(["rejected"])
})
