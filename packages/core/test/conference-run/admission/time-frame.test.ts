import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { CLOCKS_BEHIND_MS } from "../../../src/runtime/time-frame.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

const HOUR_MS = 60 * 60 * 1000
const NOON_MS = Date.UTC(2026, 0, 15, 12)

let room: Room
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON_MS })
  room = new Room()
})
afterEach(async () => {
  await room.close()
  vi.useRealTimers()
})

test("admits nobody before the conference opens, and tells visitors when it does", async () => {
  const store = createMemoryStore()
  const identity = await room.identity("Ada", store)
  const opensAtMs = NOON_MS + HOUR_MS
  const scheduled = await Conference.schedule({
    server: SERVER,
    identity,
    title: "Later",
    opensAtMs,
    durationMs: HOUR_MS,
  })
  expect(scheduled.timeFrame).toEqual({
    opensAtMs,
    endsAtMs: opensAtMs + HOUR_MS,
    latestEndMs: opensAtMs + 25 * HOUR_MS,
  })
  const { url } = scheduled.invitation
  const bob = await room.identity("Bob")
  const refusal = { code: "not-yet-open", opensAtMs }
  vi.setSystemTime(opensAtMs - 1)
  await expect(Conference.join({ url, identity: bob })).rejects.toMatchObject(refusal)
  await expect(Conference.resume({ id: scheduled.id, identity })).rejects.toMatchObject(refusal)
  const [kept] = await Conference.kept({ identity })
  const about = { title: "Later", timeFrame: scheduled.timeFrame }
  expect(kept).toMatchObject({ id: scheduled.id, invitation: { url }, about })

  vi.setSystemTime(opensAtMs)
  const there = await Promise.all([
    Conference.resume({ id: scheduled.id, identity }),
    Conference.join({ url, identity: bob }),
  ])
  await Promise.all(there.map((conference) => securedWith(conference, 2)))
  expect(there.map(({ timeFrame }) => timeFrame)).toEqual([scheduled.timeFrame, scheduled.timeFrame])
  expect(there[1].title).toBe("Later")
})

test("at its end a conference closes for those who are in it, and says why", async () => {
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const bob = await room.join("Bob", ada.invitation.url)
  const closed = [ada, bob].map((conference) => new Promise((resolve) => conference.on("closed", resolve)))
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  vi.setSystemTime(ada.timeFrame.endsAtMs)
  expect(await Promise.all(closed)).toEqual(["conference-over", "conference-over"])
  const cleo = await room.join("Cleo", ada.invitation.url)
  expect(await new Promise((resolve) => cleo.on("closed", resolve))).toBe("conference-over")
  expect(cleo.view.status).toBe("joining")
  vi.setSystemTime(ada.timeFrame.latestEndMs)
  await expect(room.join("Dan", ada.invitation.url)).rejects.toMatchObject({ code: "conference-over" })
})

test("continues until a host's new end, also for a newcomer", async () => {
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const planned = ada.timeFrame
  const longer = planned.endsAtMs + HOUR_MS
  await expect(bob.setEnd(longer)).rejects.toMatchObject({ code: "not-permitted" })
  for (const beyond of [planned.latestEndMs + 1, NOON_MS - 1, Number.NaN])
    await expect(ada.setEnd(beyond)).rejects.toMatchObject({ code: "invalid-argument" })
  await ada.setEnd(longer)
  await expect.poll(() => bob.timeFrame.endsAtMs).toBe(longer)
  expect([ada, bob].map(({ admissionState }) => admissionState.maySetEnd)).toEqual([true, false])

  vi.setSystemTime(planned.endsAtMs + 1)
  const cleo = await room.join("Cleo", ada.invitation.url)
  await Promise.all([ada, bob, cleo].map((conference) => securedWith(conference, 3)))
  expect(cleo.timeFrame.endsAtMs).toBe(longer)

  const closed = [ada, bob, cleo].map((conference) => new Promise((resolve) => conference.on("closed", resolve)))
  await ada.setEnd("now")
  expect(await Promise.all(closed)).toEqual(Array.from({ length: 3 }, () => "conference-over"))
})

test("admits an invited person at once when its clock is behind", async () => {
  const ada = await room.create("Ada")
  vi.setSystemTime(NOON_MS - CLOCKS_BEHIND_MS)
  const bob = await room.join("Bob", ada.invitation.url)
  await securedWith(bob, 2)
})

test.each([
  ["no time", Number.NaN],
  ["an end that has passed", NOON_MS - 2 * HOUR_MS],
  ["an end in more than 30 days", NOON_MS + 31 * 24 * HOUR_MS],
])("makes no conference with %s, and reports it", async (_, opensAtMs) => {
  const identity = await room.identity("Ada")
  const wanted = { server: SERVER, identity, opensAtMs, durationMs: HOUR_MS }
  await expect(Conference.schedule(wanted)).rejects.toMatchObject({ code: "invalid-argument" })
})

test("lets a member back in late when it missed the extension, and not at once", async () => {
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const identity = await room.identity("Bob")
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  await securedWith(bob, 2)
  const { id } = bob
  const { endsAtMs } = ada.timeFrame
  await bob.leave({ forget: false })
  await securedWith(ada, 1)
  await ada.setEnd(endsAtMs + HOUR_MS)
  vi.setSystemTime(endsAtMs + 1)
  await expect(Conference.resume({ id, identity })).rejects.toMatchObject({ code: "conference-over" })
  const back = await Conference.resume({ id, identity, late: true })
  await Promise.all([ada, back].map((conference) => securedWith(conference, 2)))
  expect(back.timeFrame.endsAtMs).toBe(endsAtMs + HOUR_MS)
})
