import { expect, type Locator } from "@playwright/test"
import { launch, type BrowserKind } from "../browsers.ts"
import type { People } from "./people.ts"
import type { Person } from "./person.ts"

type Watched = { readonly connections: RTCPeerConnection[] }

/** Somebody with a fake camera, microphone and screen. */
export async function arriveWithDevices(people: People, name: string, kind: BrowserKind): Promise<Person> {
  const devices = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
  const person = await people.arriveIn(await launch(kind, kind === "chromium" ? devices : []), name)
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

/** Waits for frames that the tile really shows. */
export async function seesPicture(person: Person, name: string, frames = 10): Promise<void> {
  const video = tile(person, name).locator("video")
  await expect(video, `the picture of ${name} at ${person.name}`).toBeVisible()
  await video.evaluate(
    (element: HTMLVideoElement, wanted) =>
      new Promise<void>((done) => {
        let shown = 0
        const count = (): void => (++shown === wanted ? done() : void element.requestVideoFrameCallback(count))
        element.requestVideoFrameCallback(count)
      }),
    frames,
  )
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

/** Waits for sound that is really played. */
export async function hears(person: Person): Promise<void> {
  const { energy } = await mediaOf(person)
  await expect
    .poll(async () => (await mediaOf(person)).energy, { message: `${person.name} hears` })
    .toBeGreaterThan(energy)
}
