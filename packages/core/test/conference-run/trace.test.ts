import { afterEach, expect, onTestFinished, test } from "vitest"
import type { Conference } from "../../src/client/conference.ts"
import { formatDiagnostics } from "../../src/client/format-diagnostics.ts"
import { noteWiped, unmasked } from "../driver/memory.ts"
import { received, Room, SERVER, securedWith, traceSink } from "./harness.ts"

const room = new Room()
afterEach(() => room.close())

const TEXT = "Meet me at the harbour at nine"
const TITLE = "Plans for the Nautilus"
const FILE = "harbour-map.txt"
const NAMES = ["Ada Lovelace", "Bob Morane", "Eve Polastri"]

/** Every way in which a key of 32 bytes could be written. */
function spellings(note: string): string[] {
  const bytes = Buffer.from(unmasked(note))
  return [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url"), [...bytes].join(",")]
}

/** Three people meet, talk, draw and share a file. Then a host removes one of them, and the key changes. */
async function meet(): Promise<{ conference: Conference; secrets: string[] }> {
  const [ada, bob, eve] = NAMES as [string, string, string]
  const first = await room.create(ada, { title: TITLE })
  const second = await room.join(bob, first.invitation.url)
  const third = await room.join(eve, first.invitation.url)
  const conferences = [first, second, third]
  const { url } = first.invitation
  await Promise.all(conferences.map((conference) => securedWith(conference, 3)))
  const heard = received(second, "chat", 1)
  await first.channel("chat", { history: true }).send(TEXT)
  await heard
  third.document("board").doc.getText("notes").insert(0, TEXT)
  await expect.poll(() => second.document("board").doc.getText("notes").toString(), { timeout: 20_000 }).toBe(TEXT)
  await first.files.offer(new Blob([TEXT]), { name: FILE })
  const codes = [await first.conferenceCode(), (await first.pairCode(second.self.id)).digits]
  await first.remove(third.self.id)
  await Promise.all([securedWith(first, 2), securedWith(second, 2)])
  return { conference: second, secrets: [...codes, ...url.split(/[./#]/u).filter((part) => part.length > 15), SERVER] }
}

test("holds no name, text, key or address of a conference that was played", { timeout: 60_000 }, async () => {
  const wiped = noteWiped()
  onTestFinished(wiped.stop)
  const { conference, secrets } = await meet()
  const diagnostics = await conference.diagnostics()
  await room.close()
  const { entries } = traceSink.trace
  const written = JSON.stringify([entries, diagnostics, formatDiagnostics(diagnostics)])
  expect(new Set(entries.map(({ layer }) => layer))).toEqual(
    new Set(["network", "group", "secure-group", "admission", "content"]),
  )
  expect(wiped.secrets.size).toBeGreaterThan(20)
  const forbidden = [...NAMES, TEXT, TITLE, FILE, ...secrets, ...[...wiped.secrets].flatMap(spellings)]
  expect(forbidden.filter((each) => written.includes(each))).toEqual([])
  const texts = entries.flatMap(({ event, ids }) => [event, ...Object.values(ids).flat()])
  const unknown = texts.filter(
    (each) => typeof each === "string" && !/^(?:[A-Za-z]+(?:-[a-z]+)*|[\da-f]{32}|[\da-f]{64})$/u.test(each),
  )
  expect(unknown).toEqual([])
})

test("reports links, queues and how each member came and went", { timeout: 60_000 }, async () => {
  const { conference } = await meet()
  const { self, server, view, links, views, queues, security } = await conference.diagnostics()
  const others = conference.view.members.filter(({ id }) => id !== self)
  expect(self).toBe(conference.self.id)
  expect([server, view]).toEqual(["up", { epoch: conference.view.epoch, members: 2, status: "secured" }])
  // The connections of this test are no WebRTC, so nothing measures their round trips.
  expect(links).toMatchObject(others.map(({ id }) => ({ member: id, path: "direct", roundTripMs: null })))
  expect(views[0]).toMatchObject({ cause: "entered" })
  expect(views.at(-1)!.securedAtMs).not.toBeNull()
  expect(views.flatMap(({ gone }) => gone.map(({ departure }) => departure))).toEqual(["removed"])
  expect(security).toEqual([])
  expect(queues.map(({ queue }) => queue)).toEqual(["outbox", "unstable", "decryption"])
  expect(queues.filter(({ bytes, bytesMax }) => bytes > bytesMax)).toEqual([])
})
