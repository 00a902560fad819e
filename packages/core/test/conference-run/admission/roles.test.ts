/** A role that a host has given outlives the invitation under which it was given. */
import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { Room } from "../harness.ts"
import { ignoreOwnRole } from "./ignore-own-role.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const admission = { policy: "approval" } as const
const closing = (conference: Conference): Promise<string> => new Promise((resolve) => conference.on("closed", resolve))
const names = (conference: Conference): string[] => conference.view.members.map(({ name }) => name).toSorted()
const roleOf = (conference: Conference, name: string): string | undefined =>
  conference.view.members.find((member) => member.name === name)?.role

/** All of these are in one secured view, and nobody else is. */
async function together(...conferences: readonly Conference[]): Promise<void> {
  const expected = conferences.map(({ self }) => self.name).toSorted()
  const views = (): Set<string> => new Set(conferences.map(({ view }) => `${view.status} ${view.id}`))
  const isOne = (): boolean => views().size === 1 && [...views()][0]!.startsWith("secured")
  await expect.poll(() => (isOne() ? names(conferences[0]!) : []), WAIT).toEqual(expected)
}

async function letIn(host: Conference, identity: Identity, role: "editor" | "viewer" = "editor"): Promise<Conference> {
  const guest = await Conference.join({ url: host.invitation.url, identity })
  await expect.poll(() => host.admissionState.knocks.map(({ id }) => id), WAIT).toContain(guest.self.id)
  await host.admit(guest.self.id, { role })
  return guest
}

/** The viewer's program ignores its role. Its messages, strokes and files reach none of these. */
async function isIgnored(viewer: Conference, by: readonly Conference[]): Promise<void> {
  const everybody = [viewer, ...by]
  await together(...everybody)
  for (const each of everybody)
    expect([each.self.name, roleOf(each, viewer.self.name)]).toEqual([each.self.name, "viewer"])
  expect(viewer.self.role).toBe("viewer")
  const reports = by.map((): string[] => [])
  by.forEach((each, at) =>
    each.on("security", ({ code, member }) => {
      if (member === viewer.self.id) reports[at]!.push(code)
    }),
  )
  const texts = by.map((): string[] => [])
  for (const channel of ["chat", "files"])
    by.forEach((each, at) =>
      each.channel(channel, { history: true }).on("message", ({ text }) => texts[at]!.push(text)),
    )
  ignoreOwnRole()
  for (const channel of ["chat", "files"]) {
    const sent = viewer.channel(channel, { history: true }).send("forbidden")
    void sent.catch(() => undefined)
  }
  viewer.document("board").doc.getMap("shapes").set("forbidden", 1)
  await expect.poll(() => reports.filter((codes) => codes.includes("beyond-role")).length, WAIT).toBe(by.length)
  vi.restoreAllMocks()
  await by[0]!.channel("chat", { history: true }).send("allowed")
  await expect.poll(() => texts, WAIT).toEqual(by.map(() => ["allowed"]))
  for (const each of by) expect([...each.document("board").doc.getMap("shapes").keys()]).toEqual([])
}

test("ignores a viewer at all members when a host has removed somebody else", async () => {
  const ada = await room.create("Ada", { admission })
  const bob = await letIn(ada, await room.identity("Bob"))
  const tom = await letIn(ada, await room.identity("Tom"), "viewer")
  const eve = await letIn(ada, await room.identity("Eve"))
  await together(ada, bob, tom, eve)
  await ada.remove(eve.self.id)
  await together(ada, bob, tom)
  await expect.poll(() => tom.invitation.url, WAIT).toBe(ada.invitation.url)
  const cleo = await letIn(ada, await room.identity("Cleo"))
  await isIgnored(tom, [ada, bob, cleo])
})

test("ignores a viewer when it comes back after somebody was removed", async () => {
  const ada = await room.create("Ada", { admission })
  const stores = { Bob: createMemoryStore(), Tom: createMemoryStore() }
  const before = { Bob: await room.identity("Bob", stores.Bob, "B"), Tom: await room.identity("Tom", stores.Tom, "T") }
  const bob = await letIn(ada, before.Bob)
  const tom = await letIn(ada, before.Tom, "viewer")
  const eve = await letIn(ada, await room.identity("Eve"))
  await together(ada, bob, tom, eve)
  await before.Bob.close()
  await before.Tom.close()
  await together(ada, eve)
  await ada.remove(eve.self.id)
  await together(ada)
  const resume = async (name: "Bob" | "Tom"): Promise<Conference> =>
    Conference.resume({ id: ada.id, identity: await room.identity(name, stores[name]) })
  const back = { Bob: await resume("Bob"), Tom: await resume("Tom") }
  await isIgnored(back.Tom, [ada, back.Bob])
})

test("ignores a viewer when partitions merge that have both removed somebody", async () => {
  const ada = await room.create("Ada", { admission })
  const bob = await letIn(ada, await room.identity("Bob"))
  const tom = await letIn(ada, await room.identity("Tom"), "viewer")
  const eve = await letIn(ada, await room.identity("Eve"))
  const mallory = await letIn(ada, await room.identity("Mallory"))
  await together(ada, bob, tom, eve, mallory)
  await ada.setRole(bob.self.id, "host")
  await expect.poll(() => roleOf(bob, "Bob"), WAIT).toBe("host")
  await together(ada, bob, tom, eve, mallory)
  const parted = ["Ada", "Eve"].flatMap((one) => ["Bob", "Tom", "Mallory"].map((other) => [one, other] as const))
  for (const [one, other] of parted) room.network.cut(one, other)
  await Promise.all([together(ada, eve), together(bob, tom, mallory)])
  const out = [closing(eve), closing(mallory)]
  await Promise.all([ada.remove(eve.self.id), bob.remove(mallory.self.id)])
  await Promise.all([together(ada), together(bob, tom), ...out])
  for (const each of [bob, tom]) expect(roleOf(each, "Tom")).toBe("viewer")
  for (const [one, other] of parted) room.network.mend(one, other)
  await isIgnored(tom, [ada, bob])
})
