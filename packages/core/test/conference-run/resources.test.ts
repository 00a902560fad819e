import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { Room, securedWith, SERVER } from "./harness.ts"
import { LiveTimers } from "./live-timers.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const CONFERENCES = 100
/** One in so many has two members: these take most of the time. */
const MEETING_EVERY = 5
const TIMEOUT_MS = 240_000
const NOTHING = { hosts: 0, links: 0, connections: 0, entries: 0 }

let timers: LiveTimers
let room: Room
beforeEach(() => {
  timers = new LiveTimers()
  room = new Room()
})
afterEach(async () => {
  await room.close()
  timers.uninstall()
})

/** A conference of these, in which each has sent, drawn, pointed and made a note. */
async function confer(identities: readonly Identity[]): Promise<Conference[]> {
  const conferences: Conference[] = []
  for (const identity of identities) {
    const url = conferences[0]?.invitation.url
    conferences.push(await (url ? Conference.join({ url, identity }) : Conference.create({ server: SERVER, identity })))
  }
  await Promise.all(conferences.map((conference) => securedWith(conference, identities.length)))
  await Promise.all(conferences.map(use))
  return conferences
}

async function use(conference: Conference): Promise<void> {
  const board = conference.document("board")
  board.awareness.setLocalState({ x: 1 })
  board.doc.getMap("elements").set(conference.self.name, 1)
  await conference.channel("chat", { history: true }).send("hello")
  await conference.note("draft").write("unsent")
}

async function expectCollected(objects: readonly WeakRef<object>[]): Promise<void> {
  const remaining = (): number => {
    collectGarbage()
    return objects.filter((object) => object.deref() !== undefined).length
  }
  await expect.poll(remaining, { timeout: 30_000, message: "objects that nothing lets go of" }).toBe(0)
}

// In functions of their own: the frame of the test would hold what a loop has held last.

async function conferAndLeave(identities: readonly Identity[]): Promise<WeakRef<object>[]> {
  const conferences = await confer(identities)
  for (const conference of conferences) await conference.leave()
  return conferences.map((conference) => new WeakRef(conference))
}

async function conferAndClose(names: readonly string[]): Promise<WeakRef<object>[]> {
  const identities = await Promise.all(names.map((name) => room.openIdentity(name)))
  const conferences = await confer(identities)
  for (const identity of identities) await identity.close()
  return [...identities, ...conferences].map((object) => new WeakRef(object))
}

test(
  `${CONFERENCES} left conferences leave no link, connection, timer or object`,
  { timeout: TIMEOUT_MS },
  async () => {
    const [ada, bob] = [await room.identity("Ada"), await room.identity("Bob")]
    const left: WeakRef<object>[] = []
    for (let i = 0; i < CONFERENCES; i++)
      left.push(...(await conferAndLeave(i % MEETING_EVERY === 0 ? [ada, bob] : [ada])))
    await expect.poll(() => timers.live).toEqual([])
    await expect.poll(() => room.network.inUse).toEqual({ ...NOTHING, hosts: 2 })
    await expectCollected(left)
  },
)

test(
  `${CONFERENCES} identities closed in a conference leave no link, timer or object`,
  { timeout: TIMEOUT_MS },
  async () => {
    const closed: WeakRef<object>[] = []
    for (let i = 0; i < CONFERENCES; i++)
      closed.push(...(await conferAndClose(i % MEETING_EVERY === 0 ? ["Ada", "Bob"] : ["Ada"])))
    await expect.poll(() => timers.live).toEqual([])
    expect(room.network.inUse).toEqual(NOTHING)
    await expectCollected(closed)
  },
)
