import type { Locator } from "@playwright/test"
import { violationsLightAndDark } from "../../support/axe.ts"
import {
  arriveWithDevices,
  enterCall,
  hears,
  hearsNothing,
  mediaOf,
  seesPicture,
  tile,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { PHONE } from "../../support/people.ts"
import { meet } from "../../support/scenes.ts"
import { startSoundDevice } from "../../support/calls/sound-device.ts"

for (const kind of ["chromium", "firefox"] as const)
  test(`a person on a phone with ${kind} joins a call, and leaves it`, async ({ server, people }) => {
    // Playwright touches no page of Firefox, and tells it no phone. It has the size of one.
    const [isTouched, { viewport }] = [kind === "chromium", PHONE]
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const output = kind === "firefox" ? await startSoundDevice() : null
    const context = isTouched ? PHONE : { viewport }
    const bob = await arriveWithDevices(people, "Bob", kind, { context, sound: output?.server })
    const { page } = bob
    const tap = (control: Locator): Promise<void> => (isTouched ? control.tap() : control.click())
    const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
    const switches = async (device: string, on: boolean): Promise<void> => {
      await tap(button(device))
      await expect(button(device)).toHaveAttribute("aria-pressed", `${on}`)
    }
    const link = await meet(server.origin, ada)
    await enterCall(ada, "Microphone", "Camera")
    await bob.join(link)
    for (const person of [ada, bob]) await person.seesEncryptedFor(2)

    await tap(button("Call, 1 person is in it"))
    await expect(page.getByText("Others in the call can record it.")).toBeVisible()
    for (const device of ["Microphone", "Camera"]) await switches(device, true)
    await expect(page.getByRole("dialog").locator("video")).toBeVisible()
    const meter = page.getByRole("meter", { name: "Loudness of your microphone" })
    if (isTouched || output !== null)
      await expect.poll(() => meter.evaluate((element: HTMLMeterElement) => element.value)).toBeGreaterThan(0)
    else
      console.log("The meter of the microphone is not read: without a sound device, Firefox suspends an AudioContext.")
    expect((await mediaOf(bob)).sent, "media of the preview").toBe(0)
    await tap(button("Join call"))
    await seesPicture(bob, "Ada")
    await hears(bob)
    await seesPicture(ada, "Bob")
    await hears(ada)
    expect(await violationsLightAndDark(page, { without: ".excalidraw" })).toEqual([])

    await switches("Microphone", false)
    await hearsNothing(ada)
    await tap(button("Enlarge Ada"))
    await seesPicture(bob, "Ada")
    expect((await tile(bob, "Ada").boundingBox())!.width).toBeGreaterThan(350)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    await tap(button("Make Ada small"))
    await seesPicture(bob, "Ada")

    await tap(button("Leave call"))
    await expect(page.getByRole("region", { name: "Call" })).toBeHidden()
    await expect(tile(ada, "Bob")).toBeHidden()
    await expect(ada.page.getByText("Nobody else is in the call.")).toBeVisible()
    output?.end()
  })

test("a person on a phone in German sees who can hear and see them", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium", { context: { ...PHONE, locale: "de-DE" } })
  const { page } = bob
  const tap = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).tap()
  const link = await meet(server.origin, ada)
  await enterCall(ada, "Microphone", "Camera")
  await page.goto(link)
  await page.getByLabel("Ihr Name").fill("Bob")
  await tap("Teilnehmen")
  await expect(page.getByText("Verschlüsselt. 2 Personen können das lesen.")).toBeVisible()

  await tap("Anruf, 1 Person ist dabei")
  await expect(page.getByText("Andere im Anruf können ihn aufnehmen.")).toBeVisible()
  await tap("Mikrofon")
  await tap("Teilnehmen")
  await seesPicture(bob, "Ada")
  await hears(ada)
  const who = "Verschlüsselt. 1 andere Person kann Sie hören"
  await expect(page.getByText(`${who}. Niemand kann Sie sehen.`)).toBeVisible()
  await tap("Kamera")
  await seesPicture(ada, "Bob")
  await expect(page.getByText(`${who} und sehen.`)).toBeInViewport({ ratio: 1 })
  for (const name of ["Mikrofon", "Kamera", "Anruf verlassen"])
    await expect(page.getByRole("button", { name, exact: true }), name).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.viewport.width)
  expect(await violationsLightAndDark(page, { without: ".excalidraw" })).toEqual([])

  await tap("Anruf verlassen")
  await expect(tile(ada, "Bob")).toBeHidden()
})
