/** How long two people in a call hear nothing of each other while a path of theirs changes. */
import { findService, howToInstall, startTurn } from "@keymoot/tools"
import { arriveWithDevices, breakLink, enterCall, hears, seeEachOther } from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { MediaPaths } from "../../support/calls/media-paths.ts"
import type { People } from "../../support/people.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import { ServerProcess } from "../../support/server-process.ts"
import { longestGap, watchGaps } from "../../support/calls/sound-gaps.ts"

const missing = findService("turnserver") === null
if (missing) console.log(`Skipped: calls whose path dies beside TURN. ${howToInstall("turnserver")}.`)

/** The browser plays what it has, so a gap is shorter than the time without packets. A busy machine makes shorter ones. */
const DEAD_PATH_MS = 200
const KINDS = ["chromium", "firefox"] as const

async function arriveInCall(people: People, kind: (typeof KINDS)[number], origin: string, paths: MediaPaths) {
  const pair = [
    await arriveWithDevices(people, "Ada", "chromium"),
    await arriveWithDevices(people, "Bob", kind),
  ] as const
  for (const { page } of pair) await paths.lead(page)
  await meet(origin, ...pair)
  for (const person of pair) await enterCall(person, "Microphone", "Camera")
  await seeEachOther(...pair)
  return pair
}

/** Resolves when both have heard nothing and hear each other again. */
async function silenceEnds(pair: readonly [Person, Person]): Promise<void> {
  for (const { name, page } of pair)
    await expect.poll(() => longestGap(page), { message: `silence at ${name}` }).toBeGreaterThan(DEAD_PATH_MS)
  await seeEachOther(...pair)
}

async function report(change: string, pair: readonly Person[]): Promise<void> {
  const gaps = await Promise.all(pair.map(({ page }) => longestGap(page)))
  console.log(`${change}: longest silence ${gaps.map((ms) => ms.toFixed(0)).join(" and ")} ms`)
}

for (const kind of KINDS) {
  test(`chromium and ${kind} hear each other while their link changes @deep`, async ({ server, people }) => {
    const paths = new MediaPaths(true)
    const pair = await arriveInCall(people, kind, server.origin, paths)
    const [ada] = pair
    await ada.page.getByRole("tab", { name: "People" }).click()
    for (const { page } of pair) await watchGaps(page)
    const relayed = ada.page.getByText("Connected through the server, which can’t read anything.")
    await breakLink(ada)
    await expect(relayed).toBeVisible()
    await expect(relayed).toBeHidden()
    for (const person of pair) await hears(person)
    await report(`chromium and ${kind}, link from direct to the relay and back`, pair)
    paths.close()
  })

  for (const change of ["from TURN to direct", "from direct to TURN"] as const) {
    test(`chromium and ${kind} hear each other again ${change} @deep`, async ({ people }) => {
      test.skip(missing, howToInstall("turnserver"))
      const turn = await startTurn()
      const server = await ServerProcess.start({ TURN_URLS: turn.url, TURN_SECRET: turn.secret })
      const paths = new MediaPaths(true)
      try {
        if (change === "from TURN to direct") paths.block()
        const pair = await arriveInCall(people, kind, server.origin, paths)
        expect(paths.packets > 0, "media is direct").toBe(change === "from direct to TURN")
        for (const { page } of pair) await watchGaps(page)
        if (change === "from direct to TURN") {
          paths.block()
        } else {
          paths.unblock()
          await turn.stop()
        }
        await silenceEnds(pair)
        expect(paths.packets > 0, "media is direct").toBe(change === "from TURN to direct")
        await report(`chromium and ${kind}, media ${change}`, pair)
      } finally {
        paths.close()
        await server.dispose()
        await turn.stop()
      }
    })
  }
}
