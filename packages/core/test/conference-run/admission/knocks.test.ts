import { afterEach, expect, test } from "vitest"
import type { Knock } from "../../../src/api/index.ts"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const trustIn = (host: Conference): readonly Pick<Knock, "name" | "verified" | "changedKey">[] =>
  host.admissionState.knocks.map(({ name, verified, changedKey }) => ({ name, verified, changedKey }))

test("a host sees before it admits anybody whether a known name has the verified key", async () => {
  const ada = await room.create("Ada", { admission: { policy: "approval" } })
  const { url } = ada.invitation
  const bobs = createMemoryStore()
  const bob = await Conference.join({ url, identity: await room.identity("Bob", bobs) })
  await expect.poll(() => trustIn(ada), WAIT).toEqual([{ name: "Bob", verified: false, changedKey: false }])
  await ada.admit(bob.self.id)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.verify(bob.self.id)
  await bob.leave()
  await securedWith(ada, 1)

  // The first letter is a Cyrillic one.
  const mallory = await room.join("Вob", url)
  await expect.poll(() => trustIn(ada), WAIT).toEqual([{ name: "Вob", verified: false, changedKey: true }])
  await ada.refuse(mallory.self.id)
  await Conference.join({ url, identity: await room.identity("BOB", bobs) })
  await expect.poll(() => trustIn(ada), WAIT).toEqual([{ name: "BOB", verified: true, changedKey: false }])
})
