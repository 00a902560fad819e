import { findService, howToInstall, startTurn } from "@keymoot/tools"
import { arriveTogether, enterCall, hears, seesMovement, seesPicture, tile } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"
import { ServerProcess } from "../support/server-process.ts"

const missing = findService("turnserver") === null
if (missing) console.log(`Skipped: the path of a call through TURN. ${howToInstall("turnserver")}.`)

/** Time between two looks at the packets of sound. */
const LOOK_MS = 100
/** Looks in a row without a packet that a second of silence has. */
const SILENT_LOOKS_MAX = 10

/** Closes this person's link to the other one. Connections of calls bundle, links do not. */
async function breakLink(person: Person): Promise<void> {
  const broken = await person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const links = connections.filter((each) => each.getConfiguration().bundlePolicy !== "max-bundle")
    const open = links.filter(({ connectionState }) => connectionState === "connected")
    for (const link of open) link.close()
    return open.length
  })
  expect(broken, `links of ${person.name}`).toBeGreaterThan(0)
}

/** States of all connections for calls that the page has made. */
function callConnections(person: Person): Promise<string[]> {
  return person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const calls = connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")
    return calls.map(({ connectionState }) => connectionState)
  })
}

test("a call outlives a link, and its tiles come back after a partition", async ({ server, people }) => {
  const [ada, bob] = (await arriveTogether(people, ["Ada", "Bob"])) as [Person, Person]
  await meet(server.origin, ada, bob)
  for (const person of [ada, bob]) await enterCall(person, "Microphone", "Camera")
  const areSeen = async (): Promise<void> => {
    for (const [person, other] of [
      [ada, "Bob"],
      [bob, "Ada"],
    ] as const) {
      await seesPicture(person, other)
      await seesMovement(person, other)
      await hears(person)
    }
  }
  await areSeen()

  // The link goes through the server for a while. Sound and picture have a connection of their own.
  await breakLink(ada)
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("Connected through the server, which can’t read anything.")).toBeVisible()
  await areSeen()
  expect(await callConnections(ada)).toEqual(["connected"])
  await expect(ada.page.getByText("Connected through the server, which can’t read anything.")).toBeHidden()
  await areSeen()
  expect([await callConnections(ada), await callConnections(bob)]).toEqual([["connected"], ["connected"]])

  await server.stop()
  await breakLink(ada)
  for (const [person, other] of [
    [ada, "Bob"],
    [bob, "Ada"],
  ] as const) {
    await expect(tile(person, other)).toBeHidden()
    await expect(person.page.getByText("Nobody else is in the call yet.")).toBeVisible()
  }
  expect(await callConnections(ada)).toEqual(["closed"])
  await server.startAgain()
  await areSeen()
  for (const person of [ada, bob])
    await expect(person.page.getByText("Encrypted. 1 other person can hear and see you.")).toBeVisible()
})

/** Counts, from now on, looks in a row at which no packet of sound had come. */
function watchSilence({ page }: Person): Promise<void> {
  return page.evaluate((lookMs) => {
    const watch = { looks: 0, silent: 0, longest: 0 }
    Object.assign(globalThis, { watch })
    const packets = async (): Promise<number> => {
      const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
      const reports = await Promise.all(connections.map((connection) => connection.getStats()))
      const all = reports.flatMap((report) => [...(report as Map<string, Record<string, number | string>>).values()])
      const sound = all.filter(({ type, kind }) => type === "inbound-rtp" && kind === "audio")
      return sound.reduce((sum, { packetsReceived }) => sum + Number(packetsReceived ?? 0), 0)
    }
    let last = 0
    setInterval(async () => {
      const now = await packets()
      watch.looks++
      watch.silent = now > last ? 0 : watch.silent + 1
      watch.longest = Math.max(watch.longest, watch.silent)
      last = now
    }, lookMs)
  }, LOOK_MS)
}

const silenceOf = ({ page }: Person): Promise<{ readonly looks: number; readonly longest: number }> =>
  page.evaluate(() => (globalThis as unknown as { watch: { looks: number; longest: number } }).watch)

/** Has the calls of this page take only these paths from the next look for a path on. */
async function allowPaths(person: Person, iceTransportPolicy: RTCIceTransportPolicy): Promise<void> {
  await person.page.evaluate((policy) => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    for (const call of connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle"))
      call.setConfiguration({ ...call.getConfiguration(), iceTransportPolicy: policy })
  }, iceTransportPolicy)
}

/** As if the browser had noticed that the path is dead: the end that offers looks for another one. */
async function loseIce(person: Person): Promise<void> {
  await person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    for (const call of connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")) {
      Object.defineProperty(call, "iceConnectionState", { value: "disconnected", configurable: true })
      call.dispatchEvent(new Event("iceconnectionstatechange"))
      Reflect.deleteProperty(call, "iceConnectionState")
    }
  })
}

/** Kind of the own candidate on the path in use. */
function pathOf({ page }: Person): Promise<string | undefined> {
  return page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const call = connections.find((each) => each.getConfiguration().bundlePolicy === "max-bundle")!
    const report = (await call.getStats()) as Map<string, Record<string, string>>
    const transport = [...report.values()].find(({ type }) => type === "transport")
    const pair = report.get(transport?.["selectedCandidatePairId"] ?? "")
    return report.get(pair?.["localCandidateId"] ?? "")?.["candidateType"]
  })
}

test("a call moves to a relay and back with at most a second of silence", async ({ people }) => {
  test.skip(missing, howToInstall("turnserver"))
  const turn = await startTurn()
  const server = await ServerProcess.start({ TURN_URLS: turn.url, TURN_SECRET: turn.secret })
  try {
    const [ada, bob] = (await arriveTogether(people, ["Ada", "Bob"])) as [Person, Person]
    const pair = [ada, bob]
    await meet(server.origin, ada, bob)
    for (const person of pair) await enterCall(person, "Microphone")
    for (const person of pair) await hears(person)
    for (const person of pair) await watchSilence(person)
    for (const policy of ["relay", "all"] as const) {
      for (const person of pair) await allowPaths(person, policy)
      for (const person of pair) await loseIce(person)
      for (const person of pair) {
        const isRelayed = async (): Promise<boolean> => (await pathOf(person)) === "relay"
        await expect.poll(isRelayed, { message: `the path of ${person.name}` }).toBe(policy === "relay")
        await hears(person)
      }
      const all = await Promise.all(pair.map(silenceOf))
      console.log(
        `path "${policy}": longest silence ${all.map(({ longest }) => longest * LOOK_MS).join(" and ")} ms of ${all.map(({ looks }) => looks).join(" and ")} looks`,
      )
      for (const { longest } of all)
        expect(longest, "looks in a row without sound").toBeLessThanOrEqual(SILENT_LOOKS_MAX)
    }
  } finally {
    await server.dispose()
    await turn.stop()
  }
})
