import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { received, Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

test.each(KEY_AGREEMENT_NAMES)("%s: three come, one goes, and each time there is a new key for all", async (module) => {
  const ada = await room.create("Ada", { keyAgreement: module })
  const bob = await room.join("Bob", ada.invitation.url)
  const two = await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const eve = await room.join("Eve", ada.invitation.url)
  const three = await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  await ada.leave()
  const left = await Promise.all([bob, eve].map((conference) => securedWith(conference, 2)))
  for (const views of [two, three, left]) expect(new Set(views.map(({ id }) => id)).size).toBe(1)
  expect(bob.keyAgreement).toBe(module)
  const [said] = await Promise.all([received(eve, "chat", 1), bob.channel("chat", { history: true }).send("hello")])
  expect(said[0]!.text).toBe("hello")
})

test("two conferences of one engine use two modules at once", async () => {
  const identity = await room.identity("Ada")
  const first = await room.create("Host", { keyAgreement: "str" })
  const second = await Conference.create({ server: "http://localhost:1", identity, keyAgreement: "gdh" })
  const joined = await Conference.join({ url: first.invitation.url, identity })
  const guest = await room.join("Guest", second.invitation.url)
  await Promise.all([first, joined, second, guest].map((conference) => securedWith(conference, 2)))
  expect([joined.keyAgreement, second.keyAgreement]).toEqual(["str", "gdh"])
})

test.each(KEY_AGREEMENT_NAMES)("has a new key for all in a hybrid %s conference", async (module) => {
  const ada = await room.create("Ada", { keyAgreement: module, postQuantum: "hybrid" })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const eve = await room.join("Eve", ada.invitation.url)
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  await ada.leave()
  await Promise.all([bob, eve].map((conference) => securedWith(conference, 2)))
  expect([ada, bob, eve].map(({ postQuantum }) => postQuantum)).toEqual(["hybrid", "hybrid", "hybrid"])
  expect(bob.keyAgreement).toBe(module)
  const [said] = await Promise.all([received(eve, "chat", 1), bob.channel("chat", { history: true }).send("hello")])
  expect(said[0]!.text).toBe("hello")
})
