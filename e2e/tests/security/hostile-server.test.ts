import { randomBytes } from "node:crypto"
import { arriveWithDevices, enterCall, seeEachOther } from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { fetchDescriptor, flipBit, HostileServer, type Payload } from "../../support/security/hostile-server.ts"
import type { Person } from "../../support/person.ts"
import { linkOverServer, negotiatedBy } from "../../support/calls/relayed-call.ts"
import { meet, seeSameChat, talkAtOnce } from "../../support/scenes.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

const idOf = (link: string) => new URL(link).pathname.replace("/c/", "")

test("detects a server's wrong or altered descriptor before anybody enters", async ({ server, people }) => {
  const hostile = await HostileServer.start(server.origin)
  const ada = await people.arrive("Ada")
  const mallory = await people.arrive("Mallory")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = await ada.copyLink()
  await mallory.start(server.origin)
  const others = await fetchDescriptor(server.origin, idOf(await mallory.copyLink()))
  const own = await fetchDescriptor(server.origin, idOf(link))

  for (const descriptor of [others, flipBit(own, 0.1), flipBit(own, 0.9), own.subarray(1)]) {
    hostile.treachery = { reply: (name, reply) => (name === "conference:get" ? { ...reply, descriptor } : reply) }
    await bob.page.goto(hostile.lure(link))
    await expect(bob.problem).toContainText("The server showed another conference than the one this link belongs to")
    await expect(bob.page.getByRole("button", { name: "Join", exact: true })).toHaveCount(0)
  }
  for (const person of [ada, mallory]) await person.seesLock("Only you are here.")

  hostile.treachery = {}
  await bob.join(hostile.lure(link))
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await hostile.close()
})

test("a server that changes signals connects nobody and harms nobody; then people meet", async ({ server, people }) => {
  const hostile = await HostileServer.start(server.origin)
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve", "firefox")
  const link = await meet(server.origin, ada, eve)

  let changed = 0
  const change = (name: string, payload: Payload): Payload => {
    if (name !== "signal") return payload
    // Now near the begin, now in the middle, now near the end.
    return { ...payload, envelope: flipBit(payload["envelope"], (changed++ % 10) / 10) }
  }
  hostile.treachery = { request: change, delivery: (name, payload) => [change(name, payload)] }
  await bob.join(hostile.lure(link))
  await expect.poll(() => changed, { message: "signals that were changed" }).toBeGreaterThan(5)

  const texts = await talkAtOnce([ada, eve], 3, "tea")
  await seeSameChat([ada, eve], texts)
  for (const person of [ada, eve]) await person.seesEncryptedFor(2)
  await expect(bob.page.getByText("Ada")).toHaveCount(0)

  hostile.treachery = {}
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
  await seeSameChat([ada, bob, eve], texts)
  await hostile.close()
})

test("replayed signals and invented members change nothing for the members", async ({ server, people }) => {
  const hostile = await HostileServer.start(server.origin)
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")

  const heard: { name: string; payload: Payload }[] = []
  let invented = 0
  hostile.treachery = {
    delivery: (name, payload) => {
      // Everything of this kind once more, and again under the address of somebody who is not there.
      const old = heard.filter((entry) => entry.name === name).map((entry) => entry.payload)
      heard.push({ name, payload })
      const ghost = { ...payload, from: randomBytes(16).toString("hex") }
      const noise =
        name === "signal" ? { ...ghost, envelope: randomBytes(400) } : { ...ghost, advertisement: randomBytes(200) }
      invented += 2
      return [payload, ...old, ghost, noise]
    },
  }
  await ada.start(hostile.origin)
  const link = await ada.copyLink()
  await bob.join(link)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await eve.join(link)
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)

  await seeSameChat([ada, bob, eve], await talkAtOnce([ada, bob, eve], 5, "ghosts"))
  expect(invented).toBeGreaterThan(5)
  expect(await ada.people()).toEqual(["Ada (you)", "Bob", "Eve"])
  await eve.leave()
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await hostile.close()
})

/** Each returns what a server delivers instead of a frame between two members. Held frames follow the next one. */
const ATTACKS: readonly ((frame: Payload, held: Payload[]) => readonly Payload[])[] = [
  (altered) => [{ ...altered, frame: flipBit(altered["frame"]) }],
  () => [],
  (repeated) => [repeated, repeated],
  (late, held) => (held.push(late), []),
]
const ATTACKED_EVERY = 4

/** Their connections for calls have each other's certificates and the agreed codecs, and encrypt all frames. */
async function areBound(ada: Person, bob: Person): Promise<void> {
  for (const [one, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    const { remote, codecs, unencrypted } = await negotiatedBy(one)
    const { own } = await negotiatedBy(other)
    expect(remote.filter((fingerprint) => !own.includes(fingerprint))).toEqual([])
    expect(codecs.filter((codec) => !["video/VP9", "audio/opus", "audio/red"].includes(codec))).toEqual([])
    expect(unencrypted).toBe(0)
  }
}

test("a server that alters, drops, repeats or reorders signals changes no call", async ({ server, people }) => {
  const hostile = await HostileServer.start(server.origin)
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "firefox")
  for (const person of [ada, bob]) await linkOverServer(person)
  await meet(hostile.origin, ada, bob)
  await enterCall(ada, "Microphone", "Camera")
  let [frames, attacked] = [0, 0]
  const held: Payload[] = []
  hostile.treachery = {
    delivery: (event, payload) => {
      if (event !== "relay") return [payload]
      if (++frames % ATTACKED_EVERY > 0) return [payload, ...held.splice(0)]
      return ATTACKS[attacked++ % ATTACKS.length]!(payload, held)
    },
  }
  await enterCall(bob, "Microphone", "Camera")
  await expect.poll(() => attacked, { message: "frames attacked" }).toBeGreaterThanOrEqual(2 * ATTACKS.length)
  await areBound(ada, bob)

  hostile.treachery = {}
  await seeEachOther(ada, bob)
  await areBound(ada, bob)
  for (const person of [ada, bob]) expect((await negotiatedBy(person)).remote).not.toEqual([])
  await hostile.close()
})
