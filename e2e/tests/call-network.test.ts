import { arriveTogether, enterCall, hears, seesMovement, seesPicture, tile } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"

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
