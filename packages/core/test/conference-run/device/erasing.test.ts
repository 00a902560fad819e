import { afterEach, expect, test } from "vitest"
import type { ChannelMessage } from "../../../src/api/index.ts"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { openIdentity } from "../../../src/identity/own-identity.ts"
import { LocalCopy } from "../../../src/device/stores/local-copy.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

const SECRET = "the safe is behind the picture"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const chat = (conference: Conference) => conference.channel("chat", { history: true })
function texts(conference: Conference): string[] {
  const all: ChannelMessage[] = []
  chat(conference).on("message", (message) => all.push(message))()
  return all.map(({ text }) => text)
}

test("an erased message leaves every log and device, and no newcomer gets it", async () => {
  const [adasStore, bobsStore] = [createMemoryStore(), createMemoryStore()]
  const ada = await Conference.create({ server: SERVER, identity: await room.identity("Ada", adasStore) })
  const { url } = ada.invitation
  const bob = await Conference.join({ url, identity: await room.identity("Bob", bobsStore) })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await chat(ada).send("hello")
  const secret = await chat(ada).send(SECRET)
  await received(bob, "chat", 2)
  /** Opened: what a thief of the device's profile would read. */
  const kept = async (store: typeof adasStore) => {
    const { publicKey } = await openIdentity({ store })
    const records = await new LocalCopy(store.copies, publicKey, ada.id).read("log")
    return Buffer.concat(records).toString("latin1")
  }
  for (const store of [adasStore, bobsStore]) await expect.poll(() => kept(store)).toContain(SECRET)

  const erased: string[][] = []
  for (const person of [ada, bob]) chat(person).on("erased", (messages) => erased.push([...messages]))
  await expect(chat(bob).erase([secret.id])).rejects.toMatchObject({ code: "invalid-argument" })
  await expect(chat(ada).erase([])).rejects.toMatchObject({ code: "invalid-argument" })
  await chat(ada).erase([secret.id])

  await expect.poll(() => erased).toEqual([[secret.id], [secret.id]])
  for (const person of [ada, bob]) expect(texts(person)).toEqual(["hello"])
  for (const store of [adasStore, bobsStore]) await expect.poll(() => kept(store)).not.toContain(SECRET)
  for (const store of [adasStore, bobsStore]) expect(await kept(store)).toContain("hello")

  const eve = await room.join("Eve", url)
  const transferred = await received(eve, "chat", 1)
  expect(transferred[0]).toMatchObject({ text: "hello", transferred: { by: { name: expect.any(String) } } })
  await chat(ada).send("welcome")
  await expect.poll(() => texts(eve)).toEqual(["hello", "welcome"])
})

test("erases the message that was named when the array is used again", async () => {
  const ada = await room.create("Ada")
  const [first, second] = [await chat(ada).send("first"), await chat(ada).send("second")]
  const messages = [first.id]
  const erasing = chat(ada).erase(messages)
  messages[0] = second.id
  await erasing
  await expect.poll(() => texts(ada)).toEqual(["second"])
})
