/** An attacker has made a conference with the id of one that the victim was in, and sends the victim its link. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { createFileStore } from "../../../src/node/index.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

/** Both descriptors have this id: the attacker has found a collision, which takes 2^64 attempts. Everything else is real. */
vi.mock("../../../../transport/src/signaling-protocol/conference-id.ts", async (original) => ({
  ...(await original<typeof import("../../../../transport/src/signaling-protocol/conference-id.ts")>()),
  conferenceIdOf: () => "c0".repeat(16),
}))

const home = new Room()
/** A server of the attacker's own; or the same one, which has forgotten the conference since it expired. */
const elsewhere = new Room()
afterEach(async () => {
  await home.close()
  await elsewhere.close()
})

const board = (conference: Conference) => conference.document("board").doc.getMap("elements")

test("keeps the copy and the invitation when another conference has the same id", async () => {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const store = createFileStore(join(directory, "ada.json"))
  const identity = await home.openIdentity("Ada", store)
  const conference = await Conference.create({ server: SERVER, identity, history: "from-join" })
  await securedWith(conference, 1)
  board(conference).set("plan", "secret")
  await conference.channel("chat", { history: true }).send("secret")
  await expect.poll(() => keptRecords(store, conference.id)).toEqual([1, 1])
  await identity.close()
  const invitation = await store.loadInvitation(conference.id)

  const trap = await elsewhere.create("Mallory")
  const newcomers: string[] = []
  trap.on("view", (_, { joined }) => newcomers.push(...joined.map(({ name }) => name)))
  expect(trap.id).toBe(conference.id)
  const victim = await elsewhere.openIdentity("Ada", store)
  await expect(Conference.join({ url: trap.invitation.url, identity: victim })).rejects.toMatchObject({
    code: "descriptor-mismatch",
    message: expect.stringContaining("another conference"),
  })
  await victim.close()
  expect(newcomers).not.toContain("Ada")
  expect(await store.loadInvitation(conference.id)).toEqual(invitation)

  const later = await Conference.resume({ id: conference.id, identity: await home.identity("Ada", store, "later") })
  await expect.poll(() => board(later).toJSON()).toEqual({ plan: "secret" })
})

/** Copies of the log and of the board. */
async function keptRecords(store: IdentityStore, id: string): Promise<number[]> {
  const { keyPair } = (await store.load())!
  const owner = Buffer.from(await crypto.subtle.exportKey("raw", keyPair.publicKey)).toString("hex")
  const parts = ["log", "application/document/board"].map((part) => store.copies.read(`${owner}/${id}`, part))
  return (await Promise.all(parts)).map(({ length }) => length)
}
