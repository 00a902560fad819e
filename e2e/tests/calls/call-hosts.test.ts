import {
  arriveWithDevices,
  enterCall,
  hears,
  hearsNothing,
  mediaOf,
  seesPicture,
  tile,
  toggle,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

/** A changed program: its next state in the call becomes a request to mute, whatever its member may do. */
async function forgeRequests(person: Person): Promise<() => Promise<void>> {
  await person.page.context().addInitScript(() => {
    type Signal = { kind: string; session: number; request?: string }
    const forger = { armed: false, session: 0 }
    Object.assign(globalThis, { forger })
    const signalsIn = (value: unknown): Signal[] => {
      if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return []
      const found = Object.values(value).flatMap(signalsIn)
      return "kind" in value && value.kind === "state" && "sources" in value
        ? [...found, value as unknown as Signal]
        : found
    }
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        this.addEventListener("message", ({ data }) => {
          for (const { session } of signalsIn(data)) if (session !== 0) forger.session = session
        })
      }
      override postMessage(message: unknown, ...rest: unknown[]): void {
        if (forger.armed)
          for (const signal of signalsIn(message))
            Object.assign(signal, { kind: "request", session: forger.session, request: "mute" })
        Reflect.apply(super.postMessage, this, [message, ...rest])
      }
    }
  })
  return async () => {
    const arm = (armed: boolean): Promise<void> =>
      person.page.evaluate((value) => {
        ;(globalThis as unknown as { forger: { armed: boolean } }).forger.armed = value
      }, armed)
    await arm(true)
    await toggle(person, "Camera", true)
    await arm(false)
  }
}

test("a host mutes somebody, who sees the host's name and can unmute", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "firefox")
  await meet(server.origin, ada, bob)
  await enterCall(ada)
  await enterCall(bob, "Microphone")
  // The pressed button has gone with the preview.
  for (const { page } of [ada, bob]) await expect(page.getByRole("region", { name: "Call" })).toBeFocused()
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
  await expect(bob.page.getByRole("region", { name: "Call" })).toBeFocused()
  await bob.page.getByRole("button", { name: "Leave call" }).press("Enter")
  await expect(bob.page.getByRole("button", { name: /^Call/u })).toBeFocused()

  // Bob is no host.
  await toggle(ada, "Microphone", true)
  await bob.page.getByRole("tab", { name: "People" }).click()
  await bob.press("More about Ada")
  await expect(bob.page.getByRole("menuitem")).toHaveText(["Verify", "Follow"])
})

test("stops sending and listens when a person is made a viewer", async ({ server, people }) => {
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

test("a request to mute is refused unless a host sends it", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  const [adaAsks, bobAsks] = [await forgeRequests(ada), await forgeRequests(bob)]
  await meet(server.origin, ada, bob)
  await enterCall(ada, "Microphone")
  await enterCall(bob, "Microphone")
  await hears(bob)
  await hears(ada)

  await bobAsks()
  await ada.lock.click()
  await expect(ada.page.getByRole("dialog", { name: "Security" })).toContainText(
    "Bob tried what its role does not allow.",
  )
  await hears(bob)
  await expect(ada.page.getByText("muted your microphone")).toBeHidden()
  // The same bytes from the host.
  await ada.page.keyboard.press("Escape")
  await adaAsks()
  await expect(bob.page.getByText("Ada muted your microphone.")).toBeVisible()
  await hearsNothing(ada)
})
