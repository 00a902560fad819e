import { afterEach, expect, test, vi } from "vitest"
import type { ChannelMessage } from "../../src/api/index.ts"
import { Conference } from "../../src/client/conference.ts"
import { FileExchange } from "../../src/files/exchange.ts"
import { createCertificate } from "../../src/identity/certificates/certificate.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { createIdentityId } from "../../src/identity/store.ts"
import { received, Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

/** Pairs of messages sent and not yet delivered. */
const UNDER_WAY = 32

const chat = (conference: Conference) => conference.channel("chat", { history: true })

function record(conference: Conference): string[] {
  const texts: string[] = []
  chat(conference).on("message", ({ text }: ChannelMessage) => texts.push(text))
  return texts
}

test("delivers messages once and in order while members come and go", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const [atAda, atBob] = [record(ada), record(bob)]
  // As much as the machine bears: a fixed rate above that would only ever lengthen the queue.
  const over = new AbortController()
  let count = 0
  const talk = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const text = count++
      await Promise.all([chat(ada).send(`ada ${text}`), chat(bob).send(`bob ${text}`)])
    }
  }
  const talks = Array.from({ length: UNDER_WAY }, talk)
  for (const name of ["Carl", "Dora", "Emil"]) {
    const guest = await room.join(name, ada.invitation.url)
    await Promise.all([securedWith(ada, 3), securedWith(guest, 3)])
    await guest.leave()
    await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  }
  over.abort()
  await Promise.all(talks)
  await expect.poll(() => [atAda.length, atBob.length]).toEqual([2 * count, 2 * count])
  expect(atBob).toEqual(atAda)
  for (const name of ["ada", "bob"]) {
    const own = atAda.filter((text) => text.startsWith(name))
    expect(own).toEqual(Array.from({ length: count }, (_, i) => `${name} ${i}`))
  }
  expect(count).toBeGreaterThan(UNDER_WAY)
})

test("a message sent just before leaving arrives, although signing it takes a while", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  // WebCrypto signs in a later task, as in browsers. Keys that Keymoot makes in Node sign at once.
  const keyPair = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair
  const certificate = await createCertificate("Bob", keyPair, Date.now())
  await store.save({ id: createIdentityId(), name: "Bob", keyPair, certificate })
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", store) })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const said = chat(bob).send("bye")
  await Promise.all([said, bob.leave({ forget: false })])
  expect(await received(ada, "chat", 1)).toMatchObject([{ text: "bye" }])
})

test("gives a newcomer earlier messages in order, marked as transferred", async () => {
  const ada = await room.create("Ada")
  for (const text of ["one", "two", "three"]) await chat(ada).send(text)
  const bob = await room.join("Bob", ada.invitation.url)
  const messages = await received(bob, "chat", 3)
  expect(messages.map(({ text, transferred }) => [text, transferred?.by?.name])).toEqual([
    ["one", "Ada"],
    ["two", "Ada"],
    ["three", "Ada"],
  ])
  expect(messages[0]!.from).toMatchObject({ name: "Ada", id: ada.self.id })
})

test("messages of every service arrive at all, those in order in one order", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const services = ["unreliable", "reliable", "fifo", "causal", "agreed", "safe"] as const
  const texts = [ada, bob].map((conference) => {
    const heard: string[] = []
    conference.channel("talk").on("message", ({ text }) => heard.push(text))
    return heard
  })
  const sends = [ada, bob].flatMap((conference) =>
    [1, 2, 3].flatMap((round) =>
      services.map((service) =>
        conference.channel("talk").send(`${service} ${round} of ${conference.self.name}`, { service }),
      ),
    ),
  )
  const sent = await Promise.all(sends)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(sends.length)
  await expect.poll(() => texts.map((heard) => heard.length)).toEqual([sends.length, sends.length])
  const inOrder = texts.map((heard) => heard.filter((text) => /^(agreed|safe)/.test(text)))
  expect(inOrder[1]).toEqual(inOrder[0])
  for (const heard of texts) {
    for (const name of ["Ada", "Bob"]) {
      const ofOne = heard.filter((text) => text.endsWith(name) && !text.startsWith("unreliable"))
      const asSent = [1, 2, 3].flatMap((round) => services.slice(1).map((service) => `${service} ${round} of ${name}`))
      expect(ofOne).toEqual(asSent)
    }
  }
  const wrong = ada.channel("talk").send("x", { service: "atomic" as never })
  await expect(wrong).rejects.toMatchObject({ code: "invalid-argument" })
})

test("gives a newcomer nothing earlier when the policy says from-join", async () => {
  const ada = await room.create("Ada", { history: "from-join" })
  await chat(ada).send("before Bob")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await chat(ada).send("with Bob")
  const [first] = await received(bob, "chat", 1)
  expect(first!.text).toBe("with Bob")
})

test("a message can be withdrawn while it waits for a key, and too large is reported", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  expect(bob.view.status).toBe("joining")
  const abort = new AbortController()
  const waiting = chat(bob).send("never mind", { signal: abort.signal })
  abort.abort()
  await expect(waiting).rejects.toMatchObject({ code: "aborted" })
  await expect(chat(bob).send(new Uint8Array(1024 * 1024))).rejects.toMatchObject({ code: "too-large" })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const texts = record(ada)
  await chat(bob).send("this one")
  await expect.poll(() => texts).toEqual(["this one"])
})

test("a channel with a history takes messages up to the limit that its error names", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const limit = 127 * 1024
  const channel = ada.channel("x".repeat(64), { history: true })
  expect((await channel.send(new Uint8Array(limit))).data).toHaveLength(limit)
  await expect(channel.send(new Uint8Array(limit + 1))).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining(`${limit} bytes`),
  })
})

test("with group-key proof only, all members are notified and messages arrive", async () => {
  const ada = await room.create("Ada", { authenticity: "group" })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  expect(bob.authenticity).toBe("group")
  const heard = received(bob, "chat", 1)
  await chat(ada).send("hello")
  expect((await heard)[0]).toMatchObject({ text: "hello", from: { name: "Ada" } })
  // Anybody could speak in an editor's name.
  await expect(ada.setRole(bob.self.id, "viewer")).rejects.toMatchObject({ code: "invalid-argument" })
})

test.each(["signature", "group"] as const)(
  "a channel with a history shows nothing that its author has not signed, under %s",
  async (authenticity) => {
    const ada = await room.create("Ada", { authenticity })
    const eve = await room.join("Eve", ada.invitation.url)
    await Promise.all([securedWith(ada, 2), securedWith(eve, 2)])
    const early: string[] = []
    const late: string[] = []
    chat(ada).on("message", ({ text }) => early.push(text))
    // As if Eve's program did not know of the history: for all, and for one.
    const plain = eve.channel("chat", { history: false })
    await plain.send("for all")
    await plain.send("for Ada alone", { targets: [ada.self.id] })
    await eve.channel("unopened").send("before it is opened")
    await chat(eve).send("signed")
    await expect.poll(() => early).toContain("signed")
    ada.channel("unopened", { history: true }).on("message", ({ text }) => late.push(text))
    expect(early).toEqual(["signed"])
    expect(late).toEqual([])
  },
)

test("refuses messages beyond the queue with queue-full, and sends the rest later", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const bob = await room.join("Bob", ada.invitation.url)
  const plain = bob.channel("numbers")
  const sends = Array.from({ length: 20_050 }, (_, i) => plain.send(String(i)))
  const results = await Promise.allSettled(sends)
  const refused = results.filter((result) => result.status === "rejected")
  expect(refused.length).toBe(50)
  for (const result of refused) expect(result.reason).toMatchObject({ code: "queue-full" })
})

test("sends nothing to a newcomer that the author did not know of", async () => {
  const ada = await room.create("Ada", { history: "from-join" })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  // Eve is in the next view, whose key is being agreed: what Ada sends now waits for it.
  const refusal = new Promise((refused) => {
    ada.on("status", ({ status, members }) => {
      if (status !== "agreeing" || members.length !== 3) return
      chat(ada)
        .send("for Bob only", { readers: [bob.self.id] })
        .catch(refused)
    })
  })
  const eve = await room.join("Eve", ada.invitation.url)
  const atEve = record(eve)
  await Promise.all([securedWith(ada, 3), securedWith(eve, 3)])
  expect(await refusal).toMatchObject({ code: "unseen-readers" })
  await chat(ada).send("for all of you", { readers: [bob.self.id, eve.self.id] })
  await expect.poll(() => atEve).toEqual(["for all of you"])
})

test("refuses readers that are no ids of members", async () => {
  const ada = await room.create("Ada")
  const readers = ["Bob" as typeof ada.self.id]
  await expect(chat(ada).send("hello", { readers })).rejects.toMatchObject({ code: "invalid-argument" })
})

test("rejects what is sent while the conference closes and a file delays it", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const closing = vi.spyOn(FileExchange.prototype, "close").mockReturnValue(held)
  const left = ada.leave({ forget: false })
  await expect.poll(() => closing.mock.calls.length).toBe(1)
  const heard = new Promise<void>((resolve) => bob.channel("side").on("message", () => resolve()))
  const sent = ada
    .channel("side")
    .send("too late")
    .catch(({ code }) => code)
  await Promise.race([heard, sent])
  release()
  await left
  expect(await sent).toBe("closed")
})
