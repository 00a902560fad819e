import type { Locator } from "@playwright/test"
import { arriveWithDevices, enterCall, hears, mediaOf, seesPicture, tile, toggle } from "../../support/calls/call.ts"
import type { BrowserKind } from "../../browsers.ts"
import { expect, test } from "../../support/fixtures.ts"
import { watchFrames } from "../../support/calls/frame-counts.ts"
import { type Attack, honestFrames, receivedFrom, sendHostileFrames } from "../../support/calls/hostile-frames.ts"
import type { People } from "../../support/people.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import { addPlace, allowUnannounced, fillPlaces } from "../../support/calls/unannounced-tracks.ts"

// A forged frame that is played now and then is played: no second try.
test.describe.configure({ retries: 0 })

const REFUSED_MIN = 30
const HUGE_MIN = 2
/** Honest frames that were sent before a look at the sender, and arrive after the one at the receiver. */
const IN_FLIGHT_MAX = 10
/** A busy machine takes this long for 2 MiB of a frame that its encoder never made. */
const REFUSED_WITHIN_MS = 90_000

/** Each attack, and why its frames are refused. null: for any reason, since the first bytes are those of an encoder. */
type Attacks = readonly (readonly [Attack, string | null, number?])[]
const OF_OTHERS: Attacks = [
  ["replayed", "replayed"],
  ["camera", "forged"],
  ["foreign", "foreign-key"],
]
const FORGED: Attacks = [
  ["altered", "forged"],
  ["malformed", "malformed"],
  ["unknown-key", "late"],
  ["unencrypted", null],
  ["withheld", "replayed"],
]
const HUGE: Attacks = [["huge", "forged", HUGE_MIN]]

/** Eve attacks Bob, who hears her honest frames and sees Ada's picture meanwhile. */
async function refuses(
  origin: string,
  people: People,
  [hostile, receiver]: readonly [BrowserKind, BrowserKind],
  attacks: Attacks,
): Promise<void> {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", receiver)
  const eve = await arriveWithDevices(people, "Eve", hostile)
  await watchFrames(bob)
  const attackBy = await sendHostileFrames(eve)
  await meet(origin, ada, bob, eve)
  await enterCall(ada, "Camera")
  await enterCall(bob)
  await enterCall(eve, "Microphone", "Camera")
  await seesPicture(bob, "Eve")
  for (const [attack, reason, least = REFUSED_MIN] of attacks)
    await test.step(attack, async () => {
      const source = attack === "huge" ? "camera" : "microphone"
      const refused = async (): Promise<number> => {
        const counts = (await receivedFrom(bob, source)).refused
        return reason === null ? Object.values(counts).reduce((sum, count) => sum + count, 0) : (counts[reason] ?? 0)
      }
      const before = await refused()
      const honest = await honestFrames(eve)
      const { passed } = await receivedFrom(bob, "microphone")
      await attackBy(attack)
      await expect
        .poll(async () => (await refused()) - before, { message: `frames ${attack}`, timeout: REFUSED_WITHIN_MS })
        .toBeGreaterThanOrEqual(least)
      await expect
        .poll(async () => (await receivedFrom(bob, "microphone")).passed - passed, `honest frames beside ${attack}`)
        .toBeGreaterThan(REFUSED_MIN)
      await seesPicture(bob, "Ada")
      const passedMeanwhile = (await receivedFrom(bob, "microphone")).passed - passed
      const honestMeanwhile = Object.entries(await honestFrames(eve)).map(([to, sent]) => sent - (honest[to] ?? 0))
      expect(passedMeanwhile, `frames ${attack} pass`).toBeLessThanOrEqual(Math.max(...honestMeanwhile) + IN_FLIGHT_MAX)
    })
  await attackBy("altered")
  await expect((await openReports(bob, "Eve")).first()).toBeVisible()
  await bob.page.keyboard.press("Escape")
  await attackBy("none")
  await seesPicture(bob, "Eve")
  await hears(bob)
}

/** Reports of somebody's bad frames in the Security panel of another person, which it opens. */
async function openReports(person: Person, name: string): Promise<Locator> {
  await person.lock.click()
  const panel = person.page.getByRole("dialog", { name: "Security" })
  await panel.getByText("Details", { exact: true }).click()
  return panel.getByText(`Malformed data from ${name} was ignored.`)
}

/** Tracks that elements of somebody's page play. */
function playedBy({ page }: Person): Promise<number> {
  return page.evaluate(() => {
    const streams = [...document.querySelectorAll<HTMLMediaElement>("audio, video")].map(({ srcObject }) => srcObject)
    return streams.flatMap((stream) => (stream as MediaStream | null)?.getTracks() ?? []).length
  })
}

/** Sources of which somebody's media worker has opened frames of Eve. */
async function openedBy(bob: Person): Promise<string[]> {
  const sources = ["microphone", "camera", "screen", "screen-audio"]
  const passed = await Promise.all(sources.map(async (source) => (await receivedFrom(bob, source)).passed))
  return sources.filter((_, index) => passed[index]! > REFUSED_MIN)
}

for (const pair of [
  ["chromium", "firefox"],
  ["firefox", "chromium"],
] as const) {
  const [hostile, receiver] = pair
  test(`frames that ${hostile} replays, swaps or passes on are refused in ${receiver}`, async ({ server, people }) => {
    await refuses(server.origin, people, pair, OF_OTHERS)
  })
  test(`frames that ${hostile} forges or withholds are refused in ${receiver}`, async ({ server, people }) => {
    await refuses(server.origin, people, pair, FORGED)
  })
  test(`a call continues in ${receiver} when ${hostile} sends frames beyond the bound`, async ({ server, people }) => {
    await refuses(server.origin, people, pair, HUGE)
  })
}

for (const [hostile, receiver] of [
  ["chromium", "firefox"],
  ["firefox", "chromium"],
] as const)
  test(`tracks that ${hostile} has not announced are not played in ${receiver}`, async ({ server, people }) => {
    const bob = await arriveWithDevices(people, "Bob", receiver)
    const eve = await arriveWithDevices(people, "Eve", hostile)
    await watchFrames(bob)
    await allowUnannounced(eve)
    await meet(server.origin, bob, eve)
    await enterCall(bob)
    await enterCall(eve)
    await expect(tile(bob, "Eve").getByText("Connecting…")).toBeHidden()
    // A further track: the browser has no receiver for it.
    const packets = await addPlace(eve)
    await expect.poll(packets, { message: "packets of the further track" }).toBeGreaterThan(10 * REFUSED_MIN)
    expect(await mediaOf(bob)).toMatchObject({ decoded: 0, energy: 0 })
    expect(await openedBy(bob)).toEqual([])
    // Tracks in the places of the call: the statistics count their frames.
    await fillPlaces(eve)
    await expect.poll(() => openedBy(bob)).toEqual(["microphone", "camera", "screen", "screen-audio"])
    expect(await playedBy(bob)).toBe(0)
    await expect(tile(bob, "Eve").locator("video")).toBeHidden()
    await expect(tile(bob, "Eve").getByRole("img", { name: "Speaking" })).toBeHidden()
    await expect(tile(bob, "Screen of Eve")).toBeHidden()

    for (const device of ["Microphone", "Camera"]) await toggle(eve, device, true)
    await seesPicture(bob, "Eve")
    await hears(bob)
    await expect.poll(() => playedBy(bob)).toBe(2)
  })

/** Fifteen looks in a row, two seconds apart, have to find ten such frames each. */
const STRAYS_MIN = 150
const REPORTED_WITHIN_MS = 120_000

for (const [hostile, receiver, strays] of [
  ["chromium", "firefox", "under a key that nobody has"],
  ["firefox", "chromium", "that it has not announced"],
] as const)
  test(`${receiver} reports ${hostile} when it sends frames ${strays}`, async ({ server, people }) => {
    const bob = await arriveWithDevices(people, "Bob", receiver)
    const eve = await arriveWithDevices(people, "Eve", hostile)
    await watchFrames(bob)
    const isKeyless = strays === "under a key that nobody has"
    const attackBy = isKeyless ? await sendHostileFrames(eve) : await allowUnannounced(eve)
    await meet(server.origin, bob, eve)
    for (const person of [bob, eve]) await enterCall(person, "Microphone", "Camera")
    await seesPicture(bob, "Eve")
    await seesPicture(eve, "Bob")

    // Beside them, each sends a camera and a microphone that the other one can use.
    if (attackBy) await attackBy("unknown-key")
    else await fillPlaces(eve)
    await expect(await openReports(bob, "Eve")).toHaveCount(1, { timeout: REPORTED_WITHIN_MS })
    const received = await Promise.all(["microphone", "screen", "screen-audio"].map((from) => receivedFrom(bob, from)))
    const [keyless, ...unannounced] = [received[0]!.refused["late"] ?? 0, received[1]!.passed, received[2]!.passed]
    expect(isKeyless ? keyless : unannounced.reduce((sum, passed) => sum + passed)).toBeGreaterThanOrEqual(STRAYS_MIN)
    await expect(await openReports(eve, "Bob")).toHaveCount(0)
    for (const { page } of [bob, eve]) await page.keyboard.press("Escape")

    await expect(tile(bob, "Screen of Eve")).toBeHidden()
    for (const [person, other] of [
      [bob, "Eve"],
      [eve, "Bob"],
    ] as const) {
      await seesPicture(person, other)
      await hears(person)
    }
  })
