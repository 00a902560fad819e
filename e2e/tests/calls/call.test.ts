import {
  arriveWithDevices,
  decodedInASecond,
  enterCall,
  hears,
  seesPicture,
  tile,
  toggle,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

for (const [one, other] of [
  ["chromium", "chromium"],
  ["firefox", "chromium"],
] as const) {
  const tag = one === "chromium" ? "@deep" : []
  test(`${one} and ${other} see and hear each other in a call`, { tag }, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", one)
    const bob = await arriveWithDevices(people, "Bob", other)
    await meet(server.origin, ada, bob)
    await enterCall(ada, "Microphone", "Camera")
    await expect(bob.page.getByRole("button", { name: "Call, 1 person is in it" })).toBeVisible()
    await enterCall(bob)
    await seesPicture(bob, "Ada")
    await hears(bob)
    await toggle(bob, "Camera", true)
    await toggle(bob, "Microphone", true)
    await seesPicture(ada, "Bob")
    await hears(ada)
    await expect(ada.page.getByText("Encrypted. 1 other person can hear and see you.")).toBeVisible()

    await toggle(ada, "Camera", false)
    await expect(tile(bob, "Ada").locator("video")).toBeHidden()
    // Firefox sends a black picture now and then.
    await expect.poll(() => decodedInASecond(bob), { message: "frames of a camera that is off" }).toBeLessThanOrEqual(1)
    await hears(bob)
    await toggle(ada, "Camera", true)
    await seesPicture(bob, "Ada")

    await bob.press("Leave call")
    await expect(tile(ada, "Bob")).toBeHidden()
    await expect(ada.page.getByText("Nobody else is in the call.")).toBeVisible()
    await enterCall(bob, "Camera")
    await seesPicture(ada, "Bob")
    await seesPicture(bob, "Ada")
  })
}
