import { expect, test } from "vitest"
import { memberIdFromBytes } from "../../src/members/ids.ts"
import { connectionEvent, traceMesh, type NetworkEvent } from "../../src/network/shared/network-trace.ts"
import { formatEntry, TRACE_EVENTS_MAX, TraceSink, type AnyEvent } from "../../src/trace/trace-sink.ts"

const SELF = memberIdFromBytes(new Uint8Array(16).fill(0xaa))
const PEER = memberIdFromBytes(new Uint8Array(16).fill(0xbb))

function event(layer: AnyEvent["layer"], level: AnyEvent["level"], number = 0): AnyEvent {
  return { layer, level, event: "path", ids: { number } }
}

function recorded(setting: string | null): string[] {
  const sink = new TraceSink().set(setting)
  for (const layer of ["network", "group"] as const)
    for (const level of ["debug", "info", "warn"] as const) sink.record(0, SELF, event(layer, level))
  return sink.trace.entries.map(({ layer, level }) => `${layer} ${level}`)
}

test("records nothing unless it is switched on", () => {
  expect(recorded(null)).toEqual([])
  expect(recorded("")).toEqual([])
})

test("records the level and above, of the layers that the setting names", () => {
  expect(recorded("info:group")).toEqual(["group info", "group warn"])
  expect(recorded("warn")).toEqual(["network warn", "group warn"])
  expect(recorded("1")).toHaveLength(6)
})

test("drops the oldest events beyond its bound, and counts them", () => {
  const sink = new TraceSink().set("debug")
  for (let number = 0; number < TRACE_EVENTS_MAX + 10; number++) sink.record(0, SELF, event("group", "info", number))
  const { entries, dropped } = sink.trace
  expect(dropped).toBe(10)
  expect(entries.map(({ ids }) => ids["number"])).toEqual(Array.from({ length: TRACE_EVENTS_MAX }, (_, i) => i + 10))
})

test("formats an entry as one line with short ids", () => {
  const ids = { member: PEER, drops: [SELF, PEER], alone: false, by: null }
  const entry = { atMs: 1250, self: SELF, layer: "group", level: "info", event: "view-change", ids } as const
  expect(formatEntry(entry)).toBe(
    "00:00:01.250 aaaaaaaa group info view-change member=bbbbbbbb drops=aaaaaaaa,bbbbbbbb alone=false by=null",
  )
})

test("reports why a link ended in known words only", () => {
  const events: NetworkEvent[] = []
  const emit = (each: NetworkEvent): void => void events.push(each)
  traceMesh(emit, { type: "linkDown", peer: PEER, reason: "closed by the other side" })
  traceMesh(emit, { type: "linkDown", peer: PEER, reason: "the room of Ada Lovelace is closed" })
  const facts = { peer: { member: PEER }, carrier: { type: "webrtc" }, attempt: 3 } as const
  const event = connectionEvent(facts, { event: "connection-ended", reason: "negotiating took too long" })
  traceMesh(emit, { type: "traced", event })
  expect(events.map(({ ids }) => ids)).toEqual([
    { member: PEER, reason: "closed-by-peer" },
    { member: PEER, reason: "failed" },
    { member: PEER, carrier: "webrtc", attempt: 3, reason: "negotiation-timeout" },
  ])
})
