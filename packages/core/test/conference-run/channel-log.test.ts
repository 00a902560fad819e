import { afterEach, expect, test } from "vitest"
import type { Conference } from "../../src/client/conference.ts"
import { Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const chat = (conference: Conference) => conference.channel("chat", { history: true })
const textsOf = (conference: Conference) =>
  chat(conference)
    .log()
    .getSnapshot()
    .map(({ text }) => text)

test("shows a newcomer what was said before, in its order and before its own words", async () => {
  const ada = await room.create("Ada")
  for (const text of ["one", "two", "three"]) await chat(ada).send(text)
  const bob = await room.join("Bob", ada.invitation.url)
  // Said while the log is still being handed over, perhaps.
  await Promise.all([securedWith(bob, 2), chat(bob).send("four")])
  const all = ["one", "two", "three", "four"]
  await expect.poll(() => textsOf(bob)).toEqual(all)
  await expect.poll(() => textsOf(ada)).toEqual(all)
})

test("shows a newcomer the whole log when the member that sends it leaves halfway", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString("base64")
  for (let i = 0; i < 60; i++) await chat(ada).send(noise())
  await expect.poll(() => textsOf(bob)).toEqual(textsOf(ada))
  const cleo = await room.join("Cleo", ada.invitation.url)
  const [sender, other] = [ada, bob].toSorted((a, b) => (a.self.id < b.self.id ? -1 : 1))
  await securedWith(sender!, 3)
  await sender!.leave()
  await expect.poll(() => textsOf(cleo), { timeout: 20_000 }).toEqual(textsOf(other!))
})

test("puts both sides' words into one order when a partition merges", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await chat(ada).send("together")
  await expect.poll(() => textsOf(bob)).toEqual(["together"])

  room.network.cut("Ada", "Bob")
  await Promise.all([securedWith(ada, 1), securedWith(bob, 1)])
  for (const text of ["Ada alone", "Ada still alone"]) await chat(ada).send(text)
  for (const text of ["Bob alone", "Bob still alone"]) await chat(bob).send(text)
  const arrivals = [ada, bob].map((person) => {
    const texts: string[] = []
    chat(person).on("message", ({ text }) => texts.push(text))
    return texts
  })
  const before = chat(ada).log().getSnapshot()

  room.network.mend("Ada", "Bob")
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await chat(ada).send("together again")
  await expect.poll(() => textsOf(ada)).toHaveLength(6)
  await expect.poll(() => textsOf(bob)).toEqual(textsOf(ada))
  expect(textsOf(ada)[0]).toBe("together")
  expect(textsOf(ada).at(-1)).toBe("together again")
  // Each has heard its own side first.
  expect(arrivals[0]).not.toEqual(arrivals[1])
  // A list that a subscriber holds is never mutated.
  expect(before.map(({ text }) => text)).toEqual(["together", "Ada alone", "Ada still alone"])
  // A late subscriber gets this order too.
  const replayed: string[] = []
  chat(ada).on("message", ({ text }) => replayed.push(text))()
  expect(replayed).toEqual(textsOf(ada))
})

test("tells its subscribers of a message and of its erasure", async () => {
  const ada = await room.create("Ada")
  const log = chat(ada).log()
  const seen: string[][] = []
  log.subscribe(() => seen.push(textsOf(ada)))
  const { id } = await chat(ada).send("secret")
  await expect.poll(() => seen).toEqual([["secret"]])
  const shown = log.getSnapshot()
  expect(log.getSnapshot()).toBe(shown)
  await chat(ada).erase([id])
  await expect.poll(() => seen.at(-1)).toEqual([])
  expect(chat(ada).log()).toBe(log)
})

test("shows messages of a channel without a history as they were delivered", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const scores = ada.channel("scores")
  for (const text of ["1", "2"]) await scores.send(text, { service: "fifo" })
  await expect
    .poll(() =>
      bob
        .channel("scores")
        .log()
        .getSnapshot()
        .map(({ text }) => text),
    )
    .toEqual(["1", "2"])
})
