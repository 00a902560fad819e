import { violationsLightAndDark } from "../../support/axe.ts"
import {
  arriveWithDevices,
  endScreen,
  enterCall,
  hears,
  hearsNothing,
  seesMovement,
  seesPicture,
  tile,
  toggle,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

for (const kind of ["chromium", "firefox"] as const) {
  const tag = kind === "chromium" ? "@deep" : []
  const title = `${kind} sees a shared screen beside the board until its owner ends it`
  test(title, { tag }, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const bob = await arriveWithDevices(people, "Bob", kind)
    await meet(server.origin, ada, bob)
    await enterCall(ada, "Camera")
    await enterCall(bob)
    await toggle(ada, "Share screen", true)
    await expect(ada.page.getByText("They can see your screen.")).toBeVisible()
    await seesPicture(bob, "Screen of Ada")
    await seesMovement(bob, "Screen of Ada")
    await seesPicture(bob, "Ada")

    const box = async (name: string) => (await tile(bob, name).boundingBox())!
    const board = (await bob.page.locator(".board").boundingBox())!
    const screen = await box("Screen of Ada")
    expect(screen.x + screen.width).toBeLessThanOrEqual(board.x)
    expect(screen.width).toBeGreaterThan(2 * (await box("Ada")).width - 1)
    expect(await violationsLightAndDark(bob.page, { without: ".excalidraw" })).toEqual([])

    await bob.press("Make Screen of Ada small")
    await expect.poll(async () => (await box("Screen of Ada")).width).toBeLessThan(screen.width)
    await seesPicture(bob, "Screen of Ada")
    await bob.press("Enlarge Screen of Ada")
    await bob.page.setViewportSize({ width: 390, height: 844 })
    await seesPicture(bob, "Screen of Ada")
    expect((await box("Screen of Ada")).width).toBeGreaterThan(350)

    await endScreen(ada)
    await expect(tile(bob, "Screen of Ada")).toBeHidden()
    await expect(ada.page.getByRole("button", { name: "Share screen", exact: true })).toHaveAttribute(
      "aria-pressed",
      "false",
    )
    await seesPicture(bob, "Ada")
    await toggle(ada, "Share screen", true)
    await seesPicture(bob, "Screen of Ada")
    await toggle(ada, "Share screen", false)
    await expect(tile(bob, "Screen of Ada")).toBeHidden()
  })
}

test("firefox hears the sound of a shared screen until its owner ends it", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "firefox")
  // A tone stands for the sound of a tab, of which there is no fake.
  await ada.page.addInitScript(() => {
    // An empty page has none.
    const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
    if (!mediaDevices) return
    const share = mediaDevices.getDisplayMedia.bind(mediaDevices)
    mediaDevices.getDisplayMedia = async (wanted) => {
      const [picture] = (await share(wanted)).getVideoTracks()
      const context = new AudioContext()
      const [tone, end] = [new OscillatorNode(context), context.createMediaStreamDestination()]
      tone.connect(end)
      tone.start()
      return new MediaStream([picture!, ...end.stream.getTracks()])
    }
  })
  await meet(server.origin, ada, bob)
  // Nobody has a microphone on.
  for (const person of [ada, bob]) await enterCall(person)
  await toggle(ada, "Share screen", true)
  await seesPicture(bob, "Screen of Ada")
  await hears(bob)
  await toggle(ada, "Share screen", false)
  await hearsNothing(bob)
})
