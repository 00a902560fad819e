import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { Directory, type FoundConference } from "../../../src/runtime/directory.ts"
import { Room, SERVER, securedWith } from "../harness.ts"

const HOUR_MS = 3_600_000

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

/** Asks as somebody who has the link and is not inside. */
async function outsider(): Promise<(url: string) => Promise<number | null>> {
  const identity = await room.identity("Vera")
  return (url) => Conference.preview({ url, identity }).then(({ endedAtMs }) => endedAtMs)
}

test("tells people with the link when the creator has ended the conference early", async () => {
  const endedAt = await outsider()
  const ada = await room.create("Ada")
  const { url } = ada.invitation
  expect(await endedAt(url)).toBe(null)
  const closed = new Promise((resolve) => ada.on("closed", resolve))
  const beforeMs = Date.now()
  await ada.setEnd("now")
  await expect.poll(() => endedAt(url)).toBeGreaterThanOrEqual(beforeMs)
  expect(await endedAt(url)).toBeLessThanOrEqual(Date.now())
  expect(await closed).toBe("conference-over")
})

test("refuses a join or a return when the creator has ended the conference", async () => {
  const endedAt = await outsider()
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const { url } = ada.invitation
  const identity = await room.identity("Bob")
  const bob = await Conference.join({ url, identity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  // He is away when it ends, so he has no statement about it.
  await bob.leave({ forget: false })
  const closed = new Promise((resolve) => ada.on("closed", resolve))
  await ada.setEnd("now")
  await expect.poll(() => endedAt(url)).not.toBe(null)
  await expect(room.join("Cleo", url)).rejects.toMatchObject({ code: "conference-over" })
  await expect(
    Conference.preview({ url, identity }).then(() => Conference.resume({ id: bob.id, identity })),
  ).rejects.toMatchObject({ code: "conference-over" })
  await closed
  const late = await Conference.resume({ id: bob.id, identity, late: true })
  expect(await new Promise((resolve) => late.on("closed", resolve))).toBe("conference-over")
  expect(late.view.status).toBe("joining")
})

/** Bob was there while the creator extended the conference, and is away when she ends it. */
async function endedAfterExtension() {
  const endedAt = await outsider()
  const creator = await room.identity("Ada")
  const ada = await Conference.create({ server: SERVER, identity: creator, durationMs: HOUR_MS })
  const { url } = ada.invitation
  const identity = await room.identity("Bob")
  const bob = await Conference.join({ url, identity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.setEnd(ada.timeFrame.endsAtMs + HOUR_MS)
  await expect.poll(() => bob.timeFrame.endsAtMs).toBe(ada.timeFrame.endsAtMs)
  await bob.leave({ forget: false })
  const closed = new Promise((resolve) => ada.on("closed", resolve))
  await ada.setEnd("now")
  await expect.poll(() => endedAt(url)).not.toBe(null)
  await closed
  // His engine keeps the server's answer from when the conference went on.
  const resume = (of: typeof identity) => Conference.resume({ id: bob.id, identity: of, late: true })
  return { late: await resume(identity), returnOfCreator: () => resume(creator) }
}

test("ends a late return when the creator has ended what was extended before", async () => {
  const { late } = await endedAfterExtension()
  expect(late.timeFrame.endsAtMs).toBeLessThan(Date.now())
  expect(await new Promise((resolve) => late.on("closed", resolve))).toBe("conference-over")
  expect(late.view.status).toBe("joining")
})

test("lets a late return in when the creator takes the announced end back", async () => {
  const { late, returnOfCreator } = await endedAfterExtension()
  const creator = await returnOfCreator()
  const endsAtMs = Date.now() + HOUR_MS
  await creator.setEnd(endsAtMs)
  await Promise.all([creator, late].map((conference) => securedWith(conference, 2)))
  expect(late.timeFrame.endsAtMs).toBe(endsAtMs)
})

/** Bob knows that Ada has taken the announced end back, and is away while that end passes. Then he returns late. */
async function returnAfterExtension(extend: (ada: Conference, answered: () => Promise<unknown>) => Promise<void>) {
  const announced = vi.spyOn(Directory.prototype, "announceEnd")
  const allAnswered = () => Promise.all(announced.mock.results.map(({ value }) => value as Promise<void>))
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const { url } = ada.invitation
  const identity = await room.identity("Bob")
  const bob = await Conference.join({ url, identity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const earlyMs = Date.now() + 2_000
  await ada.setEnd(earlyMs)
  await allAnswered()
  // His engine keeps the answer.
  expect((await Conference.preview({ url, identity })).endedAtMs).toBe(null)
  await extend(ada, allAnswered)
  await expect.poll(() => bob.timeFrame.endsAtMs).toBe(ada.timeFrame.endsAtMs)
  await bob.leave({ forget: false })
  await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(earlyMs)
  const late = await Conference.resume({ id: bob.id, identity, late: true })
  const closed = new Promise((resolve) => late.on("closed", resolve))
  const secured = Promise.all([ada, late].map((conference) => securedWith(conference, 2))).then(() => "secured")
  expect(await Promise.race([closed, secured])).toBe("secured")
  // Only then it stays.
  expect(late.timeFrame.endsAtMs).toBe(ada.timeFrame.endsAtMs)
}

test("lets a late return in when the server was away during the extension", async () => {
  await returnAfterExtension(async (creator, answered) => {
    room.network.setServer("down")
    await creator.setEnd(Date.now() + HOUR_MS)
    await answered()
    room.network.setServer("up")
  })
})

test("lets a late return in when its engine asked the server before the extension", async () => {
  await returnAfterExtension(async (creator, answered) => {
    await creator.setEnd(Date.now() + HOUR_MS)
    await answered()
  })
})

test("tells an end apart from an earlier one when the creator sets the same again", async () => {
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const [first, second] = [Date.now() + HOUR_MS / 2, Date.now() + HOUR_MS]
  for (const endsAtMs of [first, second, first]) await ada.setEnd(endsAtMs)
  expect(ada.timeFrame.endsAtMs).toBe(first - 1)
})

test("tells nothing outside when the creator extends, or when another host ends it", async () => {
  const endedAt = await outsider()
  const announced = vi.spyOn(Directory.prototype, "announceEnd")
  const ada = await room.create("Ada", { durationMs: HOUR_MS })
  const { url } = ada.invitation
  const bob = await room.join("Bob", url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.setRole(bob.self.id, "host")
  await expect.poll(() => bob.self.role).toBe("host")
  const closed = [ada, bob].map((conference) => new Promise((resolve) => conference.on("closed", resolve)))
  await bob.setEnd("now")
  expect(await Promise.all(closed)).toEqual(["conference-over", "conference-over"])
  expect(announced).not.toHaveBeenCalled()
  expect(await endedAt(url)).toBe(null)

  const eve = await room.create("Eve", { durationMs: HOUR_MS })
  await eve.setEnd(eve.timeFrame.endsAtMs + HOUR_MS)
  await expect.poll(() => announced.mock.calls.length).toBe(1)
  expect(await endedAt(eve.invitation.url)).toBe(null)
})

test("ends inside all the same when the server is away", async () => {
  const ada = await room.create("Ada")
  room.network.setServer("down")
  const closed = new Promise((resolve) => ada.on("closed", resolve))
  await ada.setEnd("now")
  expect(await closed).toBe("conference-over")
})

test("ignores an end when the server passes that of another conference", async () => {
  const endedAt = await outsider()
  const [ada, other] = [await room.create("Ada"), await room.create("Eve")]
  await other.setEnd("now")
  await expect.poll(() => endedAt(other.invitation.url)).not.toBe(null)
  const { fetchConference } = Directory.prototype
  vi.spyOn(Directory.prototype, "fetchConference").mockImplementation(async function (
    this: Directory,
    server,
    id,
    anew,
  ) {
    const [found, foreign]: FoundConference[] = await Promise.all([
      fetchConference.call(this, server, id, anew),
      fetchConference.call(this, server, other.id),
    ])
    expect(foreign!.end).not.toBe(null)
    return { ...found!, end: foreign!.end }
  })
  expect(await endedAt(ada.invitation.url)).toBe(null)
})
