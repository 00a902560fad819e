import { type Browser, type BrowserContextOptions, expect, type Locator } from "@playwright/test"
import { type BrowserKind, type FirefoxPreferences, launch, launchFirefox } from "../../browsers.ts"
import type { People } from "../people.ts"
import type { Person } from "../person.ts"

/** Connections of a page. */
export type Watched = { readonly connections: RTCPeerConnection[] }

type Devices = {
  /** Cameras and microphones of a Chromium. */
  readonly count?: number
  /** false: the browser asks, and so refuses what the test has not granted. */
  readonly allowed?: boolean
  /** Further switches of a Chromium, and what starts it instead of itself. */
  readonly switches?: readonly string[]
  readonly started?: (program: string) => string
  /** Preferences of a Firefox, and PulseAudio's server that plays its sound. */
  readonly preferences?: FirefoxPreferences
  readonly sound?: string | undefined
  /** Variables of a Firefox's environment. */
  readonly variables?: Readonly<Record<string, string>>
  readonly context?: BrowserContextOptions
}

/** Somebody with a fake camera, microphone and screen. */
export async function arriveWithDevices(
  people: People,
  name: string,
  kind: BrowserKind,
  devices: Devices = {},
): Promise<Person> {
  return watchMedia(await people.arriveIn(await launchWithDevices(kind, devices), name, devices.context))
}

/** The same for several people who share one browser, which costs less. */
export async function arriveTogether(
  people: People,
  names: readonly string[],
  devices: Devices = {},
  kind: BrowserKind = "chromium",
): Promise<Person[]> {
  const browser = await launchWithDevices(kind, devices)
  return Promise.all(names.map(async (name) => watchMedia(await people.arriveIn(browser, name, devices.context))))
}

function launchWithDevices(
  kind: BrowserKind,
  { count = 1, allowed = true, switches = [], started, preferences = {}, sound, variables }: Devices = {},
): Promise<Browser> {
  if (kind === "firefox" && !started) return launchFirefox(preferences, { sound, variables })
  const ui = allowed ? ["--use-fake-ui-for-media-stream"] : []
  const devices = [`--use-fake-device-for-media-stream=device-count=${count}`, ...ui, ...switches]
  return launch(kind, kind === "chromium" ? devices : [], started)
}

/** Lets the functions of this file look at the connections of somebody's page. */
export async function watchMedia(person: Person): Promise<Person> {
  // The test looks at frames and sound that the connections really carry.
  await person.page.context().addInitScript(() => {
    const watched = globalThis as unknown as { watched: Watched }
    watched.watched = { connections: [] }
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        watched.watched.connections.push(this)
      }
    }
  })
  return person
}

/** Enters the call from the preview, with these devices on. */
export async function enterCall(person: Person, ...devices: readonly ("Microphone" | "Camera")[]): Promise<void> {
  await person.page.getByRole("button", { name: /^Call/u }).click()
  for (const device of devices) await toggle(person, device, true)
  await person.press("Join call")
  await expect(person.page.getByRole("region", { name: "Call" })).toBeVisible()
}

export async function toggle(person: Person, device: string, on: boolean): Promise<void> {
  const button = person.page.getByRole("button", { name: device, exact: true })
  await button.click()
  await expect(button).toHaveAttribute("aria-pressed", `${on}`)
}

export function tile(person: Person, name: string): Locator {
  return person.page.getByRole("figure", { name, exact: true })
}

/** Until a full machine shows the first picture of another person, or plays its sound. */
const FIRST_MS_MAX = 90_000

/** Waits for frames that the tile really shows. A tile that comes back has another video, so it looks again. */
export async function seesPicture(person: Person, name: string, frames = 10): Promise<void> {
  const video = tile(person, name).locator("video")
  const shownIn = (timeoutMs: number): Promise<number> =>
    video.evaluate(
      (element: HTMLVideoElement, [wanted, timeout]) =>
        new Promise<number>((done) => {
          let shown = 0
          const count = (): void => (++shown === wanted ? done(shown) : void element.requestVideoFrameCallback(count))
          element.requestVideoFrameCallback(count)
          setTimeout(() => done(shown), timeout)
        }),
      [frames, timeoutMs] as const,
    )
  await expect(async () => {
    await expect(video).toBeVisible()
    expect(await shownIn(5000), `frames of ${name} at ${person.name}`).toBe(frames)
  }).toPass({ timeout: FIRST_MS_MAX })
}

export type Sums = {
  readonly energy: number
  readonly decoded: number
  readonly sent: number
  readonly received: number
}

/** Sums over all connections: sound that was played, frames decoded, bytes of media sent and received. */
export function mediaOf(person: Person): Promise<Sums> {
  return person.page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const sums = { energy: 0, decoded: 0, sent: 0, received: 0 }
    for (const connection of connections.filter(({ connectionState }) => connectionState !== "closed")) {
      for (const stats of (await connection.getStats()).values() as IterableIterator<Record<string, number | string>>) {
        const number = (name: string): number => Number(stats[name] ?? 0)
        if (stats["type"] === "outbound-rtp") sums.sent += number("bytesSent")
        if (stats["type"] !== "inbound-rtp") continue
        sums.received += number("bytesReceived")
        sums.energy += number("totalAudioEnergy")
        sums.decoded += number("framesDecoded")
      }
    }
    return sums
  })
}

/** Frames of pictures that are decoded in a second. */
export async function decodedInASecond(person: Person): Promise<number> {
  const { decoded } = await mediaOf(person)
  await person.page.waitForTimeout(1000)
  return (await mediaOf(person)).decoded - decoded
}

/** Sound that was played and frames that were decoded, over each connection that has both. */
export function receivedByPeer(person: Person): Promise<{ readonly energy: number; readonly decoded: number }[]> {
  return person.page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const live = connections.filter(({ connectionState }) => connectionState === "connected")
    const reports = await Promise.all(live.map((connection) => connection.getStats()))
    const sums = reports.map((report) => {
      const all = [...(report as Map<string, Record<string, number | string>>).values()]
      const sum = (name: string): number =>
        all.reduce((total, stats) => total + (stats["type"] === "inbound-rtp" ? Number(stats[name] ?? 0) : 0), 0)
      return { energy: sum("totalAudioEnergy"), decoded: sum("framesDecoded") }
    })
    return sums.filter(({ energy, decoded }) => energy > 0 && decoded > 0)
  })
}

/** Frames a second of each picture in the next while. */
export async function frameRates(person: Person, forMs = 3000): Promise<number[]> {
  const before = await receivedByPeer(person)
  const sinceMs = performance.now()
  await person.page.waitForTimeout(forMs)
  const after = await receivedByPeer(person)
  const seconds = (performance.now() - sinceMs) / 1000
  return after.map(({ decoded }, i) => Math.round((decoded - (before[i]?.decoded ?? 0)) / seconds))
}

/** Lines of each picture that arrives. */
export function linesOf(person: Person): Promise<number[]> {
  return person.page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const reports = await Promise.all(connections.map((connection) => connection.getStats()))
    const all = reports.flatMap((report) => [...(report as Map<string, Record<string, number | string>>).values()])
    const pictures = all.filter(
      ({ type, kind, framesDecoded }) => type === "inbound-rtp" && kind === "video" && framesDecoded,
    )
    return pictures.map(({ frameHeight }) => Number(frameHeight))
  })
}

/** Least growth of a connection's energy of sound that is a sound. Below it, a decoder fills silence. */
export const SOUND_ENERGY_MIN = 1e-6

/** Energy of the sound that was played, over each connection. A closed one stays in its place, with 0. */
function energiesOf({ page }: Person): Promise<number[]> {
  return page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    return Promise.all(
      connections.map(async (connection) => {
        if (connection.connectionState === "closed") return 0
        const all = [...((await connection.getStats()) as Map<string, Record<string, number | string>>).values()]
        const inbound = all.filter(({ type }) => type === "inbound-rtp")
        return inbound.reduce((sum, { totalAudioEnergy }) => sum + Number(totalAudioEnergy ?? 0), 0)
      }),
    )
  })
}

/** Largest growth of the energy of one connection since `before`. */
async function loudestSince(person: Person, before: readonly number[]): Promise<number> {
  return Math.max(0, ...(await energiesOf(person)).map((energy, index) => energy - (before[index] ?? 0)))
}

/** Waits for sound that is really played. */
export async function hears(person: Person): Promise<void> {
  const before = await energiesOf(person)
  await expect
    .poll(() => loudestSince(person, before), { message: `${person.name} hears`, timeout: FIRST_MS_MAX })
    .toBeGreaterThan(SOUND_ENERGY_MIN)
}

/** Waits until no more sound is played, without a pause that a network could make. */
export async function hearsNothing(person: Person): Promise<void> {
  const growth = async (): Promise<number> => {
    const before = await energiesOf(person)
    await person.page.waitForTimeout(1000)
    return loudestSince(person, before)
  }
  await expect.poll(growth, { message: `${person.name} hears nothing` }).toBeLessThan(SOUND_ENERGY_MIN)
}

/** Waits until the picture is another one than now. */
export async function seesMovement(person: Person, name: string): Promise<void> {
  const video = tile(person, name).locator("video")
  const pixels = (): Promise<string> =>
    video.evaluate((element: HTMLVideoElement) => {
      const canvas = document.createElement("canvas")
      Object.assign(canvas, { width: 64, height: 36 })
      const context = canvas.getContext("2d")!
      context.drawImage(element, 0, 0, 64, 36)
      return context.getImageData(0, 0, 64, 36).data.join()
    })
  const before = await pixels()
  await expect.poll(pixels, { message: `the picture of ${name} at ${person.name} moves` }).not.toBe(before)
}

/** Waits until two people in a call see and hear each other. */
export async function seeEachOther(one: Person, other: Person): Promise<void> {
  for (const [person, seen] of [
    [one, other],
    [other, one],
  ] as const) {
    await seesPicture(person, seen.name)
    await seesMovement(person, seen.name)
    await hears(person)
  }
}

/** Closes this person's link to the other one. Connections of calls bundle, links do not. */
export async function breakLink(person: Person): Promise<void> {
  const broken = await person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const links = connections.filter((each) => each.getConfiguration().bundlePolicy !== "max-bundle")
    const open = links.filter(({ connectionState }) => connectionState === "connected")
    for (const link of open) link.close()
    return open.length
  })
  expect(broken, `links of ${person.name}`).toBeGreaterThan(0)
}

/** Ends the shared screen as the browser does when its bar is pressed. */
export async function endScreen(person: Person): Promise<void> {
  const ended = await person.page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const tracks = connections.flatMap((each) => each.getSenders()).flatMap(({ track }) => (track ? [track] : []))
    const found = tracks.find(({ contentHint }) => contentHint === "detail")
    found?.stop()
    // A page that stops a track gets no event. The browser fires it when it does so itself.
    found?.dispatchEvent(new Event("ended"))
    return found !== undefined
  })
  expect(ended, `${person.name} sends a screen`).toBe(true)
}
