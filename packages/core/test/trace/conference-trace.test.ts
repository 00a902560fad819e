import { memberIdFromBytes, TraceSink, type GroupEvent, type MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { ConferenceTrace, DIAGNOSTIC_RECORDS_MAX } from "../../src/trace/conference-trace.ts"
import type { LayerEvent } from "../../src/trace/layer-event.ts"

function idOf(number: number): MemberId {
  return memberIdFromBytes(new Uint8Array(16).fill(number))
}

const [SELF, STAYING, REMOVED] = [idOf(1), idOf(2), idOf(3)]

function started(): { trace: ConferenceTrace; take: (...events: LayerEvent[]) => void } {
  let nowMs = 0
  const rules = { isRemoved: (member: MemberId) => member === REMOVED }
  const trace = new ConferenceTrace({ self: SELF, sink: new TraceSink(), clock: { now: () => ++nowMs }, rules })
  return { trace, take: (...events) => events.forEach(trace.take) }
}

function view(epoch: number): GroupEvent {
  const ids = { view: "00" as never, epoch, coordinator: SELF, members: 2, cause: "changed" } as const
  return { level: "info", layer: "group", event: "view", ids }
}

function secured(epoch: number): LayerEvent {
  return { level: "info", layer: "secure-group", event: "secured", ids: { epoch } }
}

test("keeps each view with its changes, and when it was secured", () => {
  const { trace, take } = started()
  const came = { member: STAYING, incarnation: 1, merged: false }
  take({ level: "info", layer: "group", event: "member-in", ids: came })
  take({ level: "info", layer: "group", event: "member-out", ids: { member: REMOVED, departure: "link-lost" } })
  take(view(7), secured(7), view(8))
  expect(trace.views).toEqual([
    {
      epoch: 7,
      members: 2,
      cause: "changed",
      installedAtMs: 3,
      securedAtMs: 4,
      joined: [STAYING],
      gone: [{ member: REMOVED, departure: "removed" }],
    },
    { epoch: 8, members: 2, cause: "changed", installedAtMs: 5, securedAtMs: null, joined: [], gone: [] },
  ])
})

test("drops the oldest view and security event beyond the bound", () => {
  const { trace, take } = started()
  for (let epoch = 1; epoch <= DIAGNOSTIC_RECORDS_MAX + 5; epoch++) {
    const ids = { code: epoch === 1 ? "bad-frame" : "flooding", member: STAYING } as const
    take(view(epoch), { level: "warn", layer: "content", event: "reported", ids })
  }
  expect(trace.views.map(({ epoch }) => epoch)).toEqual(Array.from({ length: DIAGNOSTIC_RECORDS_MAX }, (_, i) => i + 6))
  expect(trace.security).toHaveLength(DIAGNOSTIC_RECORDS_MAX)
  expect(trace.security[0]).toMatchObject({ code: "flooding", member: STAYING })
})
