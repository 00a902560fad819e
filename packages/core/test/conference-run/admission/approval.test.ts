import { afterEach, expect, test, vi } from "vitest"
import type { Conference } from "../../../src/client/conference.ts"
import { received, Room, securedWith } from "../harness.ts"
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
const knocking = async (host: Conference, names: string[]): Promise<void> =>
  expect.poll(() => host.admissionState.knocks.map(({ name }) => name).toSorted(), WAIT).toEqual(names)

/** @throws other errors */
function notPermitted(error: unknown): false {
  expect(error).toMatchObject({ code: "not-permitted" })
  return false
}

test("a host admits one waiting person and refuses the other, and nobody else hears", async () => {
  const ada = await room.create("Ada", { admission })
  expect(ada.self.role).toBe("host")
  const { url } = ada.invitation
  const bob = await room.join("Bob", url)
  expect(bob.admissionState).toMatchObject({ waiting: true, hostHere: false, vouched: false, knocks: [] })
  await knocking(ada, ["Bob"])
  await expect.poll(() => bob.admissionState.hostHere, WAIT).toBe(true)
  await ada.admit(bob.self.id)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  expect(bob.admissionState).toMatchObject({ waiting: false, hostHere: false, vouched: true, knocks: [] })

  const eve = await room.join("Eve", url)
  await knocking(ada, ["Eve"])
  expect(bob.admissionState.knocks).toEqual([])
  await expect(bob.admit(eve.self.id)).rejects.toMatchObject({ code: "not-permitted" })
  expect(eve.view.status).toBe("joining")
  const refused = closing(eve)
  await ada.refuse(eve.self.id)
  expect(await refused).toBe("refused")
  await knocking(ada, [])

  const tom = await room.join("Tom", url)
  await knocking(ada, ["Tom"])
  await ada.admit(tom.self.id, { role: "viewer" })
  const views = await Promise.all([ada, bob, tom].map((conference) => securedWith(conference, 3)))
  for (const { members } of views) expect(members.find(({ name }) => name === "Tom")?.role).toBe("viewer")

  const cleo = await room.join("Cleo", url)
  await expect.poll(() => cleo.admissionState.hostHere, WAIT).toBe(true)
  await ada.leave()
  await expect.poll(() => cleo.admissionState, WAIT).toMatchObject({ waiting: true, hostHere: false })
})

test("ignores what a viewer sends, and refuses it at the viewer", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.setRole(bob.self.id, "viewer")
  for (const conference of [ada, bob]) {
    const role = (): unknown => conference.view.members.find(({ name }) => name === "Bob")?.role
    await expect.poll(() => conference.view.status === "secured" && role(), WAIT).toBe("viewer")
  }
  await expect(bob.channel("chat", { history: true }).send("may I?")).rejects.toMatchObject({ code: "not-permitted" })
  const codes: string[] = []
  ada.on("security", ({ code }) => codes.push(code))

  // Bob's program does not care what it may do; the others' does.
  ignoreOwnRole()
  void bob
    .channel("chat", { history: true })
    .send("forbidden")
    .catch(() => undefined)
  bob.document("board").doc.getMap("shapes").set("a", 1)
  await expect.poll(() => codes, WAIT).toContain("beyond-role")
  vi.restoreAllMocks()
  const [first] = await Promise.all([received(ada, "chat", 1), ada.channel("chat", { history: true }).send("allowed")])
  expect(first[0]!.text).toBe("allowed")
  expect(ada.document("board").doc.getMap("shapes").size).toBe(0)

  await ada.setRole(bob.self.id, "editor")
  const role = (): unknown => bob.view.members.find(({ self }) => self)?.role
  await expect.poll(() => bob.view.status === "secured" && role(), WAIT).toBe("editor")
  await bob.channel("chat", { history: true }).send("thank you")
})

test("delivers what a viewer sends as soon as it becomes an editor", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const roleOfBob = (): unknown => bob.view.members.find(({ self }) => self)?.role
  const codes: string[] = []
  ada.on("security", ({ code }) => codes.push(code))
  for (const text of ["one", "two"]) {
    await ada.setRole(bob.self.id, "viewer")
    await expect.poll(() => bob.view.status === "secured" && roleOfBob(), WAIT).toBe("viewer")
    await ada.setRole(bob.self.id, "editor")
    const chat = bob.channel("chat", { history: true })
    const accepted = (): Promise<boolean> => chat.send(text).then(() => true, notPermitted)
    // Bob knows the host's statement before the view that has it.
    await vi.waitUntil(accepted, { ...WAIT, interval: 0 })
  }
  expect((await received(ada, "chat", 2)).map(({ text }) => text)).toEqual(["one", "two"])
  expect(codes).not.toContain("beyond-role")
})

test("only hosts remove and give roles, and none of them one of a higher rank", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect(bob.remove(ada.self.id)).rejects.toMatchObject({ code: "not-permitted" })
  await expect(bob.setRole(bob.self.id, "host")).rejects.toMatchObject({ code: "invalid-argument" })
  await ada.setRole(bob.self.id, "host")
  await expect.poll(() => bob.view.members.find(({ self }) => self)?.role, WAIT).toBe("host")
  await expect(bob.remove(ada.self.id)).rejects.toMatchObject({ code: "not-permitted" })
  await expect(bob.setRole(ada.self.id, "viewer")).rejects.toMatchObject({ code: "not-permitted" })
})
