import type { BrowserKind } from "../../browsers.ts"
import {
  arriveTogether,
  arriveWithDevices,
  breakLink,
  enterCall,
  seeEachOther,
  tile,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { MediaPaths } from "../../support/calls/media-paths.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import type { ServerProcess } from "../../support/server-process.ts"

const RELAYED = "Connected through the server, which can’t read anything."

/** States of all connections for calls that the page has made. */
function callConnections(person: Person): Promise<string[]> {
  return person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const calls = connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")
    return calls.map(({ connectionState }) => connectionState)
  })
}

/** Has server and link fail, so both are alone in the call. Resolves when they see and hear each other again. */
async function comeBack(ada: Person, bob: Person, server: ServerProcess): Promise<void> {
  await server.stop()
  await breakLink(ada)
  for (const [person, other] of [
    [ada, "Bob"],
    [bob, "Ada"],
  ] as const) {
    await expect(tile(person, other)).toBeHidden()
    await expect(person.page.getByText("Nobody else is in the call.")).toBeVisible()
  }
  expect(await callConnections(ada)).toEqual(["closed"])
  await server.startAgain()
  await seeEachOther(ada, bob)
  for (const person of [ada, bob])
    await expect(person.page.getByText("Encrypted. 1 other person can hear and see you.")).toBeVisible()
}

test("a call outlives a link, and its tiles come back after a partition", async ({ server, people }) => {
  const [ada, bob] = (await arriveTogether(people, ["Ada", "Bob"])) as [Person, Person]
  await meet(server.origin, ada, bob)
  for (const person of [ada, bob]) await enterCall(person, "Microphone", "Camera")
  await seeEachOther(ada, bob)

  // The link goes through the server for a while. Sound and picture have a connection of their own.
  await ada.page.getByRole("tab", { name: "People" }).click()
  // It can be a short while, so each frame is looked at.
  const relayed = ada.page.waitForFunction((text) => document.body.textContent.includes(text), RELAYED)
  await breakLink(ada)
  await relayed
  await seeEachOther(ada, bob)
  expect(await callConnections(ada)).toEqual(["connected"])
  await expect(ada.page.getByText(RELAYED)).toBeHidden()
  await seeEachOther(ada, bob)
  expect([await callConnections(ada), await callConnections(bob)]).toEqual([["connected"], ["connected"]])

  await comeBack(ada, bob, server)
})

async function outliveDeadPath(ada: Person, bob: Person, origin: string): Promise<void> {
  const paths = new MediaPaths(false)
  try {
    for (const { page } of [ada, bob]) await paths.lead(page)
    await meet(origin, ada, bob)
    for (const person of [ada, bob]) await enterCall(person, "Microphone", "Camera")
    await seeEachOther(ada, bob)
    paths.die()
    await expect.poll(() => paths.packets, { message: "packets on a new path" }).toBeGreaterThan(0)
    await seeEachOther(ada, bob)
    // Another connection has replaced the first one, which both ends have closed.
    for (const person of [ada, bob])
      expect(new Set(await callConnections(person))).toEqual(new Set(["closed", "connected"]))
  } finally {
    paths.close()
  }
}

for (const [one, other] of [
  ["chromium", "firefox"],
  ["firefox", "chromium"],
  ["firefox", "firefox"],
] as const)
  test(`tiles of ${one} and ${other} come back after a partition @deep`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", one)
    const bob = await arriveWithDevices(people, "Bob", other)
    await meet(server.origin, ada, bob)
    for (const person of [ada, bob]) await enterCall(person, "Microphone", "Camera")
    await seeEachOther(ada, bob)
    await comeBack(ada, bob, server)
  })

const PAIRS: readonly (readonly [BrowserKind, BrowserKind])[] = [
  ["chromium", "chromium"],
  ["chromium", "firefox"],
  ["firefox", "firefox"],
]
for (const [one, other] of PAIRS) {
  const tag = other === "firefox" ? "@deep" : []
  test(`a call of ${one} and ${other} gets another path when its path dies`, { tag }, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", one)
    const bob = await arriveWithDevices(people, "Bob", other)
    await outliveDeadPath(ada, bob, server.origin)
  })
}

test("a call gets another path when only one direction of its path dies", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  const paths = new MediaPaths(false)
  try {
    for (const { page } of [ada, bob]) await paths.lead(page)
    await meet(server.origin, ada, bob)
    for (const person of [ada, bob]) await enterCall(person, "Microphone", "Camera")
    await seeEachOther(ada, bob)
    // One of them offers connections. The other one can only ask for them.
    for (const [index, mute] of [ada, bob].entries()) {
      paths.die(mute.page)
      for (const person of [ada, bob]) {
        const ended = async (): Promise<number> =>
          (await callConnections(person)).filter((state) => state === "closed").length
        // Browsers give such a path up after five seconds.
        const options = { message: `replaced connections of ${person.name}`, timeout: 4000 }
        await expect.poll(ended, options).toBeGreaterThan(index)
      }
      await seeEachOther(ada, bob)
    }
  } finally {
    paths.close()
  }
})
