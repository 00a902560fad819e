/** Entering that its caller gives up. */
import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { EngineConnection } from "../../../src/client/connection/engine-connection.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { LeaveParams } from "../../../src/rpc/protocol.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
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

const inAnHour = (): number => Date.now() + 3_600_000
/** All calls that take a signal. `forgets`: cancelling deletes the data of what had been entered; "if-new": if it was new. */
const CALLS = [
  { call: "create", forgets: true, run: ({ how }) => Conference.create({ server: SERVER, ...how }) },
  {
    call: "schedule",
    forgets: true,
    run: ({ how }) => Conference.schedule({ server: SERVER, opensAtMs: inAnHour(), ...how }),
  },
  { call: "join", forgets: "if-new", run: ({ url, how }) => Conference.join({ url, ...how }) },
  { call: "resume", forgets: false, run: ({ id, how }) => Conference.resume({ id, ...how }) },
  { call: "openKept", forgets: false, run: ({ id, how }) => Conference.openKept({ id, ...how }) },
] satisfies {
  readonly call: keyof typeof Conference
  readonly forgets: LeaveParams["forget"]
  readonly run: (of: { readonly id: string; readonly url: string; readonly how: How }) => Promise<unknown>
}[]

test.each(CALLS)("$call stops before and while it runs when its signal says so", async ({ forgets, run }) => {
  const store = createMemoryStore()
  const before = await room.openIdentity("Ada", store)
  const { id, invitation } = await Conference.create({ server: SERVER, identity: before })
  await before.close()
  const identity = await room.identity("Ada", store)
  const calls = vi.spyOn(EngineConnection.prototype, "call")
  const running = (signal: AbortSignal) => run({ id, url: invitation.url, how: { identity, signal } })
  await expect(running(AbortSignal.abort())).rejects.toMatchObject(calledOff)
  expect(calls).not.toHaveBeenCalled()

  const patience = new AbortController()
  const entering = running(patience.signal)
  patience.abort()
  await expect(entering).rejects.toMatchObject(calledOff)
  const undone = { id: expect.any(String), forget: forgets }
  await expect.poll(() => calls.mock.calls, WAIT).toContainEqual(["conference.leave", undone])
  // The cancelled call leaves what it has entered. The data that this device had before stays.
  const kept = async () => (await Conference.kept({ identity })).map((each) => each.id)
  await expect.poll(kept, WAIT).toEqual([id])
  await expect.poll(() => Conference.openKept({ id, identity }).catch(() => null), WAIT).not.toBeNull()
})
