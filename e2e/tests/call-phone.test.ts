import { violationsLightAndDark } from "../support/axe.ts"
import { arriveWithDevices, enterCall, hears, hearsNothing, mediaOf, seesPicture, tile } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import { PHONE } from "../support/people.ts"
import { meet } from "../support/scenes.ts"

test("a person on a phone joins a call from the invitation, and leaves it", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium", { context: PHONE })
  const { page } = bob
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true })
  const switches = async (device: string, on: boolean): Promise<void> => {
    await button(device).tap()
    await expect(button(device)).toHaveAttribute("aria-pressed", `${on}`)
  }
  const link = await meet(server.origin, ada)
  await enterCall(ada, "Microphone", "Camera")
  await bob.join(link)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)

  await button("Call, 1 person is in it").tap()
  await expect(page.getByText("Others in the call can record it.")).toBeVisible()
  for (const device of ["Microphone", "Camera"]) await switches(device, true)
  await expect(page.getByRole("dialog").locator("video")).toBeVisible()
  const meter = page.getByRole("meter", { name: "Loudness of your microphone" })
  await expect.poll(() => meter.evaluate((element: HTMLMeterElement) => element.value)).toBeGreaterThan(0)
  expect((await mediaOf(bob)).sent, "media of the preview").toBe(0)
  await button("Join call").tap()
  await seesPicture(bob, "Ada")
  await hears(bob)
  await seesPicture(ada, "Bob")
  await hears(ada)
  expect(await violationsLightAndDark(page, { without: ".excalidraw" })).toEqual([])

  await switches("Microphone", false)
  await hearsNothing(ada)
  await button("Enlarge Ada").tap()
  await seesPicture(bob, "Ada")
  expect((await tile(bob, "Ada").boundingBox())!.width).toBeGreaterThan(350)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.viewport.width)
  await button("Make Ada small").tap()
  await seesPicture(bob, "Ada")

  await button("Leave call").tap()
  await expect(page.getByRole("region", { name: "Call" })).toBeHidden()
  await expect(tile(ada, "Bob")).toBeHidden()
  await expect(ada.page.getByText("Nobody else is in the call yet.")).toBeVisible()
})
