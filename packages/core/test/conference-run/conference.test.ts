import { afterEach, expect, test } from "vitest"
import { received, Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

test("the creator is alone and secured, and can write before anybody comes", async () => {
  const ada = await room.create("Ada")
  expect((await securedWith(ada, 1)).epoch).toBeGreaterThan(0)
  const message = await ada.channel("chat", { history: true }).send("hello?")
  expect(message.text).toBe("hello?")
})

test("two are secured in one epoch, and see what they write in one order", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const [atAda, atBob] = await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  expect(atAda.id).toBe(atBob.id)
  expect(atAda.epoch).toBe(atBob.epoch)
  expect(atAda.members.map(({ name }) => name).sort()).toEqual(["Ada", "Bob"])
  expect(await ada.conferenceCode()).toBe(await bob.conferenceCode())
  expect((await ada.pairCode(bob.self.id)).digits).toBe((await bob.pairCode(ada.self.id)).digits)

  const [all, same] = [received(ada, "chat", 40), received(bob, "chat", 40)]
  for (let i = 0; i < 20; i++) {
    void ada.channel("chat", { history: true }).send(`a${i}`)
    void bob.channel("chat", { history: true }).send(`b${i}`)
  }
  const texts = (await all).map(({ text }) => text)
  expect((await same).map(({ text }) => text)).toEqual(texts)
  expect(texts.filter((text) => text.startsWith("a"))).toEqual(Array.from({ length: 20 }, (_, i) => `a${i}`))
})
