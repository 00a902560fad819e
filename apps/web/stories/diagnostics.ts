import type { ConferenceHandle, Diagnostics } from "@keymoot/core"

export const AT_MS = Date.UTC(2026, 0, 15, 9, 30)

/** As after a while in which people came, one did not respond for a moment, and one was lost. */
export function diagnosticsOf({ self, server, view, links }: ConferenceHandle): Diagnostics {
  const [first, second] = [...links.keys()]
  const record = { installedAtMs: AT_MS, securedAtMs: AT_MS + 120, members: view.members.length, joined: [], gone: [] }
  const others = [...links].map(([member, path], index) => ({
    member,
    path,
    roundTripMs: path === "direct" ? 12 + 30 * index : null,
    unacknowledgedBytes: index * 12_000,
    windowBytes: 65_536,
  }))
  return {
    self: self.id,
    server,
    view: { epoch: view.epoch, members: view.members.length, status: view.status },
    links: others,
    queues: [
      { queue: "outbox", bytes: 12_345, bytesMax: 33_554_432 },
      { queue: "unstable", bytes: 0, bytesMax: 4_194_304 },
      { queue: "decryption", bytes: 0, bytesMax: 8_388_608 },
    ],
    views: [
      { ...record, epoch: 3, cause: "entered" },
      { ...record, epoch: 4, cause: "lost", ...(first && { gone: [{ member: first, departure: "silent" }] }) },
      { ...record, epoch: 5, cause: "merged", securedAtMs: null, ...(first && { joined: [first] }) },
      { ...record, epoch: 6, cause: "lost", ...(second && { gone: [{ member: second, departure: "coordinator" }] }) },
      { ...record, epoch: 7, cause: "rekeyed" },
    ],
    security: [{ atMs: AT_MS, code: "obstruction", member: first ?? null }],
    trace: { entries: [], dropped: 0 },
  }
}
