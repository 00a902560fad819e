import { memberIdFromBytes, type MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { formatDiagnostics } from "../../src/client/format-diagnostics.ts"

function idOf(number: number): MemberId {
  return memberIdFromBytes(new Uint8Array(16).fill(number))
}

const [SELF, PEER] = [idOf(0xaa), idOf(0xbb)]
const AT_MS = Date.UTC(2026, 0, 15, 9, 30)

test("formats links, queues, views, security events and the trace for a developer", () => {
  const text = formatDiagnostics({
    self: SELF,
    server: "up",
    view: { epoch: 4, members: 1, status: "secured" },
    links: [{ member: PEER, path: "direct", roundTripMs: 42, unacknowledgedBytes: 10, windowBytes: 65_536 }],
    queues: [{ queue: "outbox", bytes: 0, bytesMax: 100 }],
    views: [
      {
        epoch: 4,
        installedAtMs: AT_MS,
        securedAtMs: AT_MS + 120,
        members: 1,
        cause: "lost",
        joined: [],
        gone: [{ member: PEER, departure: "silent" }],
      },
    ],
    security: [{ atMs: AT_MS, code: "flooding", member: PEER }],
    trace: {
      dropped: 2,
      entries: [{ atMs: AT_MS, self: SELF, layer: "group", level: "info", event: "suspected", ids: { member: PEER } }],
    },
  })
  expect(text).toMatchInlineSnapshot(`
    "Keymoot diagnostics
    member aaaaaaaa, server up, epoch 4, members 1, secured

    links (1)
      bbbbbbbb direct, round trip 42 ms, 10 of 65536 bytes unacknowledged

    queues (1)
      outbox: 0 of 100 bytes

    views (1)
      2026-01-15T09:30:00.000Z epoch 4 lost, members 1, secured after 120 ms -bbbbbbbb (silent)

    security events (1)
      2026-01-15T09:30:00.000Z flooding bbbbbbbb

    trace, 2 earlier events dropped (1)
      09:30:00.000 aaaaaaaa group info suspected member=bbbbbbbb
    "
  `)
})
