import { afterEach, expect, test } from "vitest"
import { received, Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const MODES = ["off", "hybrid"] as const

test.each(MODES)("a newcomer with one direct link is secured and loses nothing (%s)", async (postQuantum) => {
  // Otherwise every pair without a direct connection would meet there first.
  room.network.relays = false
  const ada = await room.create("Ada", { postQuantum })
  const others = []
  for (const name of ["Bob", "Carl"]) {
    room.network.cutDirect("Eve", name)
    others.push(await room.join(name, ada.invitation.url))
  }
  await Promise.all([ada, ...others].map((conference) => securedWith(conference, 3)))
  const eve = await room.join("Eve", ada.invitation.url)
  await Promise.all([ada, ...others, eve].map((conference) => securedWith(conference, 4)))
  const ways = () => [...eve.links.values()].toSorted()
  expect(ways()).toEqual(["direct", "relayed-by-member", "relayed-by-member"])

  const views: number[] = []
  eve.on("view", ({ members }) => views.push(members.length))
  const texts = Array.from({ length: 30 }, (_, index) => `${index}`)
  const [first, last] = [texts.slice(0, 15), texts.slice(15)]
  for (const text of first) await eve.channel("chat", { history: true }).send(text)
  for (const name of ["Bob", "Carl"]) room.network.mend("Eve", name)
  for (const text of last) await eve.channel("chat", { history: true }).send(text)
  await expect.poll(ways).toEqual(["direct", "direct", "direct"])
  for (const conference of others) {
    const messages = await received(conference, "chat", texts.length)
    expect(messages.map(({ text }) => text)).toEqual(texts)
  }
  // The one that was replayed to the listener: no link that moved has made another.
  expect(views).toEqual([4])
})
