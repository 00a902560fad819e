import { launchFirefox } from "../../browsers.ts"
import {
  arriveWithDevices,
  enterCall,
  hears,
  seesMovement,
  seesPicture,
  tile,
  toggle,
  watchMedia,
} from "../../support/calls/call.ts"
import { startDisplay } from "../../support/calls/display.ts"
import { expect, test } from "../../support/fixtures.ts"
import { shareDrawing } from "../../support/calls/moving-drawing.ts"
import { meet } from "../../support/scenes.ts"

for (const kind of ["chromium", "firefox"] as const) {
  // Two Firefoxes and a display fill two processors.
  const tag = kind === "firefox" ? "@deep" : []
  test(`Firefox shares a screen, and ${kind} sees it until it ends`, { tag }, async ({ server, people }) => {
    const display = await startDisplay()
    const ada = await watchMedia(await people.arriveIn(await launchFirefox({}, { display: display?.name }), "Ada"))
    if (display === null) {
      console.log(
        "A drawing stands for the screen: Firefox captures none without a display, and Xvfb is not installed.",
      )
      await shareDrawing(ada.page)
    }
    const bob = await arriveWithDevices(people, "Bob", kind)
    await meet(server.origin, ada, bob)
    await enterCall(ada)
    // His picture moves on the screen that Ada shares.
    await enterCall(bob, "Camera")
    await seesPicture(ada, "Bob")
    await toggle(ada, "Share screen", true)
    await expect(ada.page.getByText("They can see your screen.")).toBeVisible()
    await seesPicture(bob, "Screen of Ada")
    await seesMovement(bob, "Screen of Ada")

    await toggle(ada, "Share screen", false)
    await expect(tile(bob, "Screen of Ada")).toBeHidden()
    display?.end()
  })
}

/** Values of Firefox's preferences: the browser allows a device, or refuses it without asking. */
const [ALLOWED, REFUSED] = [1, 2]

test("Firefox explains a refused camera, and its microphone is heard", async ({ server, people }) => {
  const firefox = await launchFirefox({
    "media.navigator.permission.disabled": false,
    "permissions.default.camera": REFUSED,
    "permissions.default.microphone": ALLOWED,
  })
  const ada = await watchMedia(await people.arriveIn(firefox, "Ada"))
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await meet(server.origin, ada, bob)
  await enterCall(bob)
  await enterCall(ada, "Microphone")
  const camera = ada.page.getByRole("button", { name: "Camera", exact: true })
  await camera.click()
  await expect(ada.page.getByText("Press the crossed-out icon to the left of the address")).toBeVisible()
  await expect(camera).toHaveAttribute("aria-pressed", "false")
  await hears(bob)
  await expect(tile(bob, "Ada").locator("video")).toBeHidden()
  await expect(ada.page.getByText("1 other person can hear you. Nobody can see you.")).toBeVisible()
})
