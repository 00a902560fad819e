/** Members whose program hands over what it likes: newcomers take only what people said who were, or are, let in. */
import { afterEach, expect, test, vi } from "vitest"
import type { ChannelMessage, SecurityEvent } from "../../../src/api/index.ts"
import { Conference } from "../../../src/client/conference.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { LogKeeper } from "../../../src/content/log-keeper.ts"
import { LOG_CHANNEL, MessageKind } from "../../../src/multicast/message-kind.ts"
import { Sending } from "../../../src/content/sending.ts"
import { encodeSnapshot } from "../../../src/history/log-snapshot.ts"
import { type LogItem, signItem } from "../../../src/history/log-item.ts"
import { splitIntoChunks } from "../../../src/history/chunks.ts"
import { transferIn } from "../../../src/history/arrivals.ts"
import type { OwnIdentity } from "../../../src/identity/own-identity.ts"
import { deflate } from "../../../src/wire/index.ts"
import { newcomer } from "../../identity/people.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

const WAIT = { timeout: 60_000 }
let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const chat = (conference: Conference) => conference.channel("chat", { history: true })

/** In the first view, when nobody else was there to hear it. */
async function forged(conference: string, by: OwnIdentity, text: string): Promise<LogItem> {
  const payload = new TextEncoder().encode(text)
  const authored = await signItem(by.signer, conference, { channel: "chat", payload, sentAtMs: 1 })
  return { ...authored, position: { epoch: 0, view: "c".repeat(64), sequence: 0 } }
}

/** Every later history transfer carries these messages too, each as often as stated. */
function handingOver(items: readonly LogItem[], authors: readonly OwnIdentity[], times = 1): void {
  vi.spyOn(LogKeeper.prototype, "transferPieces").mockImplementation(async (view) => {
    const certificates = authors.map(({ certificate }) => certificate)
    const packed = await deflate(encodeSnapshot({ items, certificates }))
    return Array.from({ length: times }, () => splitIntoChunks(packed, transferIn(view.id))).flat()
  })
}

/** This member's program puts it into the others' logs, whenever it likes. */
async function intoTheLog(conference: Conference, item: LogItem, author: OwnIdentity): Promise<void> {
  const packed = await deflate(encodeSnapshot({ items: [item], certificates: [author.certificate] }))
  const { send } = Sending.prototype
  vi.spyOn(Sending.prototype, "send").mockImplementationOnce(function (this: Sending, ...call) {
    for (const chunk of splitIntoChunks(packed, transferIn(conference.view.id)))
      void this.sendPiece(LOG_CHANNEL, MessageKind.logChunk, chunk)
    return send.apply(this, call)
  })
  await chat(conference).send("now")
}

function observe(conference: Conference) {
  const messages: ChannelMessage[] = []
  const events: SecurityEvent[] = []
  chat(conference).on("message", (message) => messages.push(message))
  conference.on("security", (event) => events.push(event))
  return {
    messages,
    texts: () => messages.map(({ text }) => text),
    events,
    codes: () => events.map(({ code }) => code),
  }
}

/** The history transfer before it has been processed when this one has arrived. */
async function hears(speaker: Conference, seen: ReturnType<typeof observe>): Promise<void> {
  await chat(speaker).send("after all that")
  await expect.poll(() => seen.texts().at(-1), WAIT).toBe("after all that")
}

function rosterOf(creator: Identity, others: readonly Identity[]): Promise<Conference> {
  const admission = { policy: "roster", members: others.map(({ card }) => card) } as const
  return Conference.create({ server: SERVER, identity: creator, admission })
}

test("shows no message of somebody who is not in the roster", async () => {
  const [ada, bob] = [await room.identity("Ada"), await room.identity("Bob")]
  const first = await rosterOf(ada, [bob])
  await securedWith(first, 1)
  const falseAda = await newcomer("Ada")
  handingOver([await forged(first.id, falseAda, "send the money")], [falseAda])
  const second = await Conference.join({ url: first.invitation.url, identity: bob })
  const seen = observe(second)
  await Promise.all([first, second].map((conference) => securedWith(conference, 2)))
  await expect.poll(seen.codes, WAIT).toContain("foreign-author")
  expect(seen.events.find(({ code }) => code === "foreign-author")?.member).toBe(first.self.id)
  await hears(first, seen)
  expect(seen.texts()).not.toContain("send the money")
})

test("shows no message of an author that no host let in", async () => {
  const ada = await room.create("Ada", { admission: { policy: "approval" } })
  await securedWith(ada, 1)
  const ghost = await newcomer("Grace")
  handingOver([await forged(ada.id, ghost, "I was here")], [ghost])
  const bob = await room.join("Bob", ada.invitation.url)
  const seen = observe(bob)
  await expect.poll(() => ada.admissionState.knocks.length, WAIT).toBe(1)
  await ada.admit(bob.self.id)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect.poll(seen.codes, WAIT).toContain("foreign-author")
  await hears(ada, seen)
  expect(seen.texts()).not.toContain("I was here")
})

test("shows what somebody said who was let in by a host and removed later", async () => {
  const ada = await room.create("Ada", { admission: { policy: "approval" } })
  const enter = async (name: string): Promise<Conference> => {
    const entering = await room.join(name, ada.invitation.url)
    await expect.poll(() => ada.admissionState.knocks.map(({ name: knocking }) => knocking), WAIT).toContain(name)
    await ada.admit(entering.self.id)
    await expect.poll(() => ada.view.status === "secured" && ada.view.members.length, WAIT).toBe(2)
    return entering
  }
  const bob = await enter("Bob")
  const heard = received(ada, "chat", 1)
  await chat(bob).send("before I was removed")
  await heard
  await ada.remove(bob.self.id)
  await expect.poll(() => ada.view.status === "secured" && ada.view.members.length, WAIT).toBe(1)
  const cleo = await enter("Cleo")
  const seen = observe(cleo)
  await expect.poll(seen.texts, WAIT).toEqual(["before I was removed"])
  expect(seen.messages[0]?.transferred).toMatchObject({ by: { name: "Ada" }, authorKnown: true })
  expect(seen.codes()).not.toContain("foreign-author")
})

test("takes no log at all when newcomers are to see nothing from before", async () => {
  const ada = await room.create("Ada", { history: "from-join" })
  await securedWith(ada, 1)
  const author = await newcomer("Grace")
  const item = await forged(ada.id, author, "from before")
  const bob = await room.join("Bob", ada.invitation.url)
  const seen = observe(bob)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await intoTheLog(ada, item, author)
  await expect.poll(seen.codes, WAIT).toContain("unexpected-history")
  await hears(ada, seen)
  expect(seen.texts()).not.toContain("from before")
})

test("takes no log from a member that has sent one and not been away since", async () => {
  const ada = await room.create("Ada")
  await chat(ada).send("hello")
  const bob = await room.join("Bob", ada.invitation.url)
  const seen = observe(bob)
  await expect.poll(seen.texts, WAIT).toEqual(["hello"])
  const author = await newcomer("Grace")
  await intoTheLog(ada, await forged(ada.id, author, "you have missed this"), author)
  await expect.poll(seen.codes, WAIT).toContain("unexpected-history")
  await hears(ada, seen)
  expect(seen.texts()).not.toContain("you have missed this")
})

test("takes one log of a member and reports a second one", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const authors = [await newcomer("Grace")]
  handingOver([await forged(ada.id, authors[0]!, "once")], authors, 2)
  const bob = await room.join("Bob", ada.invitation.url)
  const seen = observe(bob)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect.poll(seen.codes, WAIT).toContain("unexpected-history")
  await hears(ada, seen)
  expect(seen.texts()).toEqual(["once", "after all that"])
})

test("says who passed a message on and that nobody vouches for its author", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const ghost = await newcomer("Grace")
  handingOver([await forged(ada.id, ghost, "I was here")], [ghost])
  const bob = await room.join("Bob", ada.invitation.url)
  const seen = observe(bob)
  await expect.poll(seen.texts, WAIT).toContain("I was here")
  expect(seen.messages[0]?.from).toMatchObject({ name: "Grace", verified: false })
  expect(seen.messages[0]?.transferred).toMatchObject({ by: { name: "Ada" }, authorKnown: false })
})

test("raises the alarm when history has a verified or present name with another key", async () => {
  const bobsIdentity = await room.identity("Bob")
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const bob = await Conference.join({ url: ada.invitation.url, identity: bobsIdentity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const [falseAda, falseCleo] = [await newcomer("Ada"), await newcomer("cleo")]
  const items = [await forged(ada.id, falseAda, "as Ada"), await forged(ada.id, falseCleo, "as Cleo")]
  handingOver(items, [falseAda, falseCleo])
  const cleo = await room.join("Cleo", ada.invitation.url)
  const seen = observe(cleo)
  await expect.poll(seen.texts, WAIT).toEqual(expect.arrayContaining(["as Ada", "as Cleo"]))
  for (const { from } of seen.messages) expect(from).toMatchObject({ changedKey: true, verified: false })
  const alarms = () => seen.events.filter(({ code }) => code === "changed-key").map(({ member }) => member)
  await expect.poll(alarms, WAIT).toEqual(expect.arrayContaining([falseAda.member, falseCleo.member]))
  expect(alarms()).toHaveLength(2)
})
