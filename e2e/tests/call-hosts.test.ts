import {
  arriveWithDevices,
  enterCall,
  hears,
  hearsNothing,
  mediaOf,
  seesPicture,
  tile,
  toggle,
} from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import { meet } from "../support/scenes.ts"

test("a host mutes somebody, who sees by whom and can unmute", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "firefox")
  await meet(server.origin, ada, bob)
  await enterCall(ada)
  await enterCall(bob, "Microphone")
  await hears(ada)
  await ada.page.getByRole("tab", { name: "People" }).click()

  await ada.act("Bob", "Mute")
  await expect(bob.page.getByText("Ada muted your microphone.")).toBeVisible()
  const microphone = bob.page.getByRole("button", { name: "Microphone", exact: true })
  await expect(microphone).toHaveAttribute("aria-pressed", "false")
  await hearsNothing(ada)
  await bob.press("Unmute")
  await hears(ada)
  await expect(bob.page.getByText("Ada muted your microphone.")).toBeHidden()

  await toggle(bob, "Microphone", false)
  await expect(tile(ada, "Bob").getByRole("img", { name: "Microphone off" })).toBeVisible()
  await ada.act("Bob", "Ask to unmute")
  await expect(bob.page.getByText("Ada asks you to unmute.")).toBeVisible()
  await expect(microphone).toHaveAttribute("aria-pressed", "false")
  await hearsNothing(ada)
  await bob.press("Stay muted")
  await expect(bob.page.getByText("Ada asks you to unmute.")).toBeHidden()

  // Bob is no host.
  await toggle(ada, "Microphone", true)
  await bob.page.getByRole("tab", { name: "People" }).click()
  await bob.press("More about Ada")
  await expect(bob.page.getByRole("menuitem")).toHaveText(["Verify", "Follow"])
})

test("somebody who is made a viewer stops sending, and listens", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await meet(server.origin, ada, bob)
  await enterCall(ada, "Microphone")
  await enterCall(bob, "Microphone", "Camera")
  await seesPicture(ada, "Bob")

  await ada.page.getByRole("tab", { name: "People" }).click()
  await ada.act("Bob", "Viewer")
  await expect(bob.page.getByText("You can listen and watch. A host can let you speak.")).toBeVisible()
  for (const name of ["Microphone", "Camera", "Share screen"])
    await expect(bob.page.getByRole("button", { name, exact: true })).toBeHidden()
  await expect(tile(ada, "Bob").locator("video")).toBeHidden()
  await hearsNothing(ada)
  const sent = async (): Promise<number> => {
    const before = (await mediaOf(bob)).sent
    await bob.page.waitForTimeout(1000)
    return (await mediaOf(bob)).sent - before
  }
  await expect.poll(sent).toBe(0)
  await hears(bob)

  await ada.act("Bob", "Editor")
  await toggle(bob, "Camera", true)
  await seesPicture(ada, "Bob")
})
