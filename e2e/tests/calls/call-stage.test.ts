import {
  arriveWithDevices,
  decodedInASecond,
  enterCall,
  hears,
  hearsNothing,
  seesMovement,
  seesPicture,
  tile,
  toggle,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

/** As when the person looks at another tab. Headless browsers never hide a page. */
async function hide(person: Person, hidden: boolean): Promise<void> {
  await person.page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value })
    document.dispatchEvent(new Event("visibilitychange"))
  }, hidden)
}

for (const kind of ["chromium", "firefox"] as const) {
  const tag = kind === "firefox" ? "@deep" : []
  test(`${kind} enlarges a tile, and a hidden tab receives sound only`, { tag }, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const bob = await arriveWithDevices(people, "Bob", kind)
    await meet(server.origin, ada, bob)
    await enterCall(ada, "Microphone", "Camera")
    await enterCall(bob, "Camera")
    await seesPicture(bob, "Ada")
    const small = (await tile(bob, "Ada").boundingBox())!
    const resize = (name: string) => bob.page.getByRole("button", { name })
    await resize("Enlarge Ada").press("Enter")
    const stage = bob.page.getByRole("group", { name: "Enlarged" })
    await expect(stage.getByRole("figure", { name: "Ada", exact: true })).toBeVisible()
    await seesPicture(bob, "Ada")
    expect((await tile(bob, "Ada").boundingBox())!.width).toBeGreaterThan(1.3 * small.width)

    await hide(bob, true)
    await expect.poll(() => decodedInASecond(bob), { message: "frames in a hidden tab" }).toBe(0)
    await hears(bob)
    // The own camera goes on.
    await seesMovement(ada, "Bob")
    await hide(bob, false)
    await expect.poll(() => decodedInASecond(bob), { message: "frames in a visible tab" }).toBeGreaterThan(0)
    await seesPicture(bob, "Ada")

    // The other browser encodes.
    await hide(ada, true)
    await expect.poll(() => decodedInASecond(ada), { message: "frames in Ada's hidden tab" }).toBe(0)
    await hide(ada, false)
    await seesPicture(ada, "Bob")

    await resize("Make Ada small").press("Enter")
    await expect(stage).toBeHidden()
    await expect(resize("Enlarge Ada")).toBeFocused()
    await resize("Enlarge Ada").press("Enter")
    await expect(resize("Make Ada small")).toBeFocused()
    await resize("Make Ada small").press("Enter")
    await seesPicture(bob, "Ada")
  })
}

test("the space bar speaks while it is held, and a speaker is outlined", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await meet(server.origin, ada, bob)
  await enterCall(ada)
  await enterCall(bob)
  // Behind a dialog it is hidden from the tree that assistive programs read.
  const microphone = bob.page.getByRole("button", { name: "Microphone", exact: true, includeHidden: true })
  const isOn = (on: boolean): Promise<void> => expect(microphone).toHaveAttribute("aria-pressed", `${on}`)
  await bob.page.getByRole("group", { name: "People in the call" }).focus()
  await bob.page.keyboard.down("Space")
  await isOn(true)
  await hears(ada)
  const border = (): Promise<string> => tile(ada, "Bob").evaluate((figure) => getComputedStyle(figure).borderTopColor)
  await expect(tile(ada, "Bob").getByRole("img", { name: "Speaking" })).toBeVisible()
  const outlined = await border()
  const look = (): Promise<readonly unknown[]> =>
    tile(ada, "Bob").evaluate((figure) => [figure.dataset["speaking"], getComputedStyle(figure).transitionDuration])
  await expect.poll(look).toEqual(["true", "0.15s"])
  await ada.page.emulateMedia({ reducedMotion: "reduce" })
  await expect.poll(look, "with reduced motion").toEqual(["true", "0s"])
  await bob.page.keyboard.up("Space")
  await isOn(false)
  await hearsNothing(ada)
  await expect(tile(ada, "Bob").getByRole("img", { name: "Speaking" })).toBeHidden()
  await expect.poll(border).not.toBe(outlined)

  // Messages scroll with it, and a dialog has the keyboard for itself.
  const presses = async (): Promise<void> => {
    await bob.page.keyboard.down("Space")
    await bob.page.waitForTimeout(500)
    await isOn(false)
    await bob.page.keyboard.up("Space")
  }
  await bob.page.getByRole("log").focus()
  await presses()
  await bob.page.keyboard.press("?")
  await bob.page.getByRole("dialog").focus()
  await presses()
  await bob.page.keyboard.press("Escape")

  // A text takes its spaces, and shortcuts work in it.
  await bob.page.getByLabel("Message", { exact: true }).click()
  await presses()
  await bob.page.keyboard.press("Alt+M")
  await isOn(true)
  await hears(ada)
  await bob.page.keyboard.press("Alt+M")
  await isOn(false)
  // A click on a button leaves it to the call.
  await toggle(bob, "Camera", true)
  await bob.page.keyboard.down("Space")
  await isOn(true)
  await bob.page.keyboard.up("Space")
  await isOn(false)
  await bob.page.keyboard.press("Alt+V")
  await expect(tile(ada, "Bob").locator("video")).toBeHidden()
})

/** Frames of the sources whose places in a connection are those of the camera and the screen. */
function framesFrom(person: Person): Promise<{ readonly camera: number; readonly screen: number }> {
  return person.page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const frames = [0, 0, 0, 0]
    for (const connection of connections.filter(({ connectionState }) => connectionState === "connected")) {
      const places = connection.getTransceivers()
      const counts = places.map(async ({ receiver }) => {
        const stats = [...((await receiver.getStats()) as Map<string, Record<string, number | string>>).values()]
        return Number(stats.find(({ type }) => type === "inbound-rtp")?.["framesReceived"] ?? 0)
      })
      for (const [place, count] of (await Promise.all(counts)).entries()) frames[place]! += count
    }
    return { camera: frames[1]!, screen: frames[2]! }
  })
}

test("a tile scrolled out of the list receives no frames until it is back", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await meet(server.origin, ada, bob)
  await enterCall(ada, "Camera")
  await enterCall(bob)
  await toggle(ada, "Share screen", true)
  await seesPicture(bob, "Screen of Ada")
  await seesPicture(bob, "Ada")
  await bob.press("Make Screen of Ada small")
  // The screen, his own tile and Ada's no longer fit beside each other.
  await bob.page.setViewportSize({ width: 300, height: 800 })
  const growth = async () => {
    const before = await framesFrom(bob)
    await bob.page.waitForTimeout(1000)
    const after = await framesFrom(bob)
    return { camera: after.camera > before.camera, screen: after.screen > before.screen }
  }
  const list = bob.page.getByRole("group", { name: "People in the call" })
  await expect.poll(growth, { message: "with the screen in view" }).toEqual({ camera: false, screen: true })
  await list.evaluate((element) => element.scrollTo(element.scrollWidth, 0))
  await expect.poll(growth, { message: "with the camera in view" }).toEqual({ camera: true, screen: false })
  await seesPicture(bob, "Ada")
  await list.evaluate((element) => element.scrollTo(0, 0))
  await expect.poll(growth, { message: "with the screen in view again" }).toEqual({ camera: false, screen: true })
  await seesPicture(bob, "Screen of Ada")
})
