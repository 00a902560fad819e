/** Entering that its caller gives up. */
import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const calledOff = { code: "aborted" }

type How = { readonly identity: Identity; readonly signal: AbortSignal }

test("cancelling a join ends the wait, leaves nothing behind, and nobody sees it", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const bob = await room.identity("Bob")
  const joining = (signal: AbortSignal) => Conference.join({ url: ada.invitation.url, identity: bob, signal })
  await expect(joining(AbortSignal.abort())).rejects.toMatchObject(calledOff)
  const patience = new AbortController()
  // The server's answers are delayed for now.
  const held: (() => void)[] = []
  room.network.onDelivery = (to, event) => {
    if (to !== "Bob") return [event]
    held.push(() => room.network.inject(to, event))
    return []
  }
  const waiting = joining(patience.signal)
  await expect.poll(() => held.length, WAIT).toBeGreaterThan(0)
  patience.abort()
  await expect(waiting).rejects.toMatchObject(calledOff)
  room.network.onDelivery = null
  for (const deliver of held) deliver()
  await expect.poll(() => Conference.kept({ identity: bob }), WAIT).toEqual([])
  const again = await Conference.join({ url: ada.invitation.url, identity: bob })
  await securedWith(again, 2)
})

const waysBack = [
  { way: "its id", enter: (id: string, _: string, how: How) => Conference.resume({ id, ...how }) },
  { way: "its link", enter: (_: string, url: string, how: How) => Conference.join({ url, ...how }) },
]

test.each(waysBack)("cancelling a return by $way keeps what this device has", async ({ enter }) => {
  const store = createMemoryStore()
  const before = await room.openIdentity("Ada", store)
  const ada = await Conference.create({ server: SERVER, identity: before })
  const { url } = ada.invitation
  await ada.channel("chat", { history: true }).send("said before")
  await before.close()
  const identity = await room.identity("Ada", store)
  const patience = new AbortController()
  const returning = enter(ada.id, url, { identity, signal: patience.signal })
  patience.abort()
  await expect(returning).rejects.toMatchObject(calledOff)
  // The one that was given up may still be on its way out.
  const again = async (): Promise<Conference | null> => Conference.resume({ id: ada.id, identity }).catch(() => null)
  let back: Conference | null = null
  await expect.poll(async () => (back ??= await again()), WAIT).not.toBeNull()
  expect((await received(back!, "chat", 1))[0]).toMatchObject({ text: "said before" })
})
