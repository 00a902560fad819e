import { afterEach, expect, test } from "vitest"
import type { HostCommand } from "@keymoot/transport/host"
import { Conference } from "../../src/client/conference.ts"
import { Directory } from "../../src/engine/directory.ts"
import { listKept } from "../../src/engine/kept-conferences.ts"
import { createCredentialChecker, createMemoryStore, type IdentityStore } from "../../src/identity/index.ts"
import { Room, securedWith, SERVER } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

async function made(store: IdentityStore, title: string) {
  const identity = await room.openIdentity("Ada", store, title)
  const conference = await Conference.create({ server: SERVER, identity, title, durationMs: 3_600_000 })
  await securedWith(conference, 1)
  conference.document("board").doc.getMap("elements").set("a", 1)
  return { conference, identity }
}

test("a link says who made the conference, whether that person is verified, and who may enter, before anybody enters", async () => {
  const ada = await room.create("Ada", { title: "The roof", admission: { policy: "approval" } })
  const { url } = ada.invitation
  const identity = await room.identity("Bob")
  const preview = await Conference.preview({ url, identity })
  expect(preview).toMatchObject({ id: ada.id, title: "The roof", admission: { policy: "approval" } })
  expect(preview.creator).toMatchObject({ name: "Ada", self: false, verified: false, changedKey: false })
  expect(preview.timeFrame.endsAtMs).toBeGreaterThan(Date.now())
  expect(ada.admissionState.knocks).toEqual([])
  expect(ada.view.members).toHaveLength(1)

  const other = await room.create("Ada, elsewhere")
  const bob = await Conference.join({ url: other.invitation.url, identity })
  await securedWith(bob, 2)
  await bob.verify(other.self.id)
  expect((await Conference.preview({ url: other.invitation.url, identity })).creator.verified).toBe(true)
  const impostor = await Conference.create({
    server: SERVER,
    identity: await room.identity("Ada, elsewhere", createMemoryStore(), "an impostor"),
  })
  expect((await Conference.preview({ url: impostor.invitation.url, identity })).creator).toMatchObject({
    verified: false,
    changedKey: true,
  })
  await expect(Conference.preview({ url: `${url}x`, identity })).rejects.toMatchObject({ code: "invalid-link" })
})

test("a device lists what it has not left, by titles that nobody tells it, and forgets it at a word", async () => {
  const store = createMemoryStore()
  const roof = await made(store, "The roof")
  const wall = await made(store, "The wall")
  const { url } = roof.conference.invitation
  expect((await Conference.kept(roof)).map(({ about }) => about?.title)).toEqual(["The wall", "The roof"])
  // The title is not in what is stored: the secret beside it opens it.
  expect(JSON.stringify(await store.listInvitations())).not.toContain("The roof")
  await expect(Conference.forget({ id: roof.conference.id, identity: roof.identity })).rejects.toMatchObject({
    code: "already-open",
  })

  await wall.conference.leave()
  expect((await Conference.kept(roof)).map(({ id }) => id)).toEqual([roof.conference.id])
  await roof.identity.close()
  const later = await room.identity("Ada", store, "Ada's later life")
  await expect
    .poll(() => Conference.forget({ id: roof.conference.id, identity: later }).then(() => "forgotten", String))
    .toBe("forgotten")
  expect(await Conference.kept({ identity: later })).toEqual([])
  await expect(Conference.resume({ id: roof.conference.id, identity: later })).rejects.toMatchObject({
    code: "no-invitation",
  })
  const again = await Conference.join({ url, identity: later })
  await securedWith(again, 1)
  expect(again.document("board").doc.getMap("elements").toJSON()).toEqual({})
  await wall.identity.close()
})

test("what is over is forgotten when somebody looks, unless it is still open", async () => {
  const store = createMemoryStore()
  const { identity } = await made(store, "The roof")
  const look = (nowMs: number) => listKept(store, createCredentialChecker(), nowMs)
  const afterwards = Date.now() + 7_200_000
  await look(afterwards)
  expect(await store.listInvitations()).toHaveLength(1)
  await identity.close()
  await expect
    .poll(async () => {
      await look(afterwards)
      return store.listInvitations()
    })
    .toEqual([])
})

test("a person who will not wait gets a new connection to a server that is away, and keeps one that is there", () => {
  const posted: HostCommand["type"][] = []
  const directory = new Directory(({ type }) => posted.push(type))
  directory.retry(SERVER)
  expect(posted).toEqual([])
  directory.use(SERVER)
  directory.retry(SERVER)
  expect(posted).toEqual(["bootstrap-connect", "bootstrap-disconnect", "bootstrap-connect"])
  directory.handle({ type: "bootstrap-state", server: SERVER, state: "up" })
  directory.retry(SERVER)
  expect(posted).toHaveLength(3)
})
