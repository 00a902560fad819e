import { arriveWithDevices, enterCall, hears, mediaOf, seesPicture, tile, toggle } from "../../support/calls/call.ts"
import { changeTransformers, tellWorker } from "../../support/calls/changed-worker.ts"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

for (const kind of ["chromium", "firefox"] as const)
  test(`a member in ${kind} that only the server reaches is named, and seen later`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const bob = await arriveWithDevices(people, "Bob", kind)
    await bob.page.context().addInitScript(() => {
      const network = { blocked: true }
      Object.assign(globalThis, { network })
      globalThis.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(configuration: RTCConfiguration = {}) {
          // Without a TURN server, "relay" leaves no address to try. Links then take the server's own relay.
          const none: RTCConfiguration = { iceServers: [], iceTransportPolicy: "relay" }
          super(network.blocked ? { ...configuration, ...none } : configuration)
        }
      }
    })
    await meet(server.origin, ada, bob)
    await enterCall(ada, "Camera")
    await enterCall(bob, "Camera")
    await expect(tile(bob, "Ada").getByText("No sound or picture with Ada.")).toBeVisible()
    await expect(tile(ada, "Bob").getByText("No sound or picture with Bob.")).toBeVisible()
    expect((await mediaOf(bob)).decoded).toBe(0)
    await bob.say("Can you read this?")
    await expect.poll(() => ada.texts()).toEqual(["Can you read this?"])

    await bob.page.evaluate(() => {
      ;(globalThis as unknown as { network: { blocked: boolean } }).network.blocked = false
    })
    await seesPicture(bob, "Ada")
    await seesPicture(ada, "Bob")
    for (const person of [ada, bob]) await expect(person.page.getByText("No sound or picture")).toBeHidden()
  })

test("a member whose frames cannot be decrypted is named", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "firefox")
  // Ada's program encrypts the camera as a screen.
  await ada.page.context().addInitScript(() => {
    globalThis.RTCRtpScriptTransform = class extends RTCRtpScriptTransform {
      constructor(worker: Worker, options: { readonly direction: string; readonly source: string }) {
        const isCamera = options.direction === "send" && options.source === "camera"
        super(worker, isCamera ? { ...options, source: "screen" } : options)
      }
    }
  })
  await meet(server.origin, ada, bob)
  await enterCall(bob, "Camera")
  await enterCall(ada, "Camera")
  await expect(tile(bob, "Ada").getByText("Cannot decrypt Ada")).toBeVisible()
  const { decoded, received } = await mediaOf(bob)
  expect(received).toBeGreaterThan(0)
  expect(decoded).toBe(0)
  await seesPicture(ada, "Bob")
})

for (const kind of ["chromium", "firefox"] as const)
  test(`a call in ${kind} ends, and says so, when its media worker fails`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", kind)
    const bob = await arriveWithDevices(people, "Bob", "chromium")
    await changeTransformers(ada, (original) => {
      new BroadcastChannel("failure").addEventListener("message", ({ data }) => {
        throw new Error(String(data))
      })
      return original
    })
    await meet(server.origin, ada, bob)
    await enterCall(bob)
    await enterCall(ada, "Microphone", "Camera")
    await seesPicture(bob, "Ada")
    await hears(bob)

    await tellWorker(ada, "failure", "the media worker fails")
    await expect(ada.page.getByText("The call stopped in this browser")).toBeVisible()
    await expect(ada.page.getByRole("button", { name: "Microphone", exact: true })).toHaveAttribute(
      "aria-pressed",
      "false",
    )
    await expect(tile(bob, "Ada")).toBeHidden()
    await toggle(ada, "Camera", true)
    await ada.press("Join call")
    await seesPicture(bob, "Ada")
    // Firefox passes the worker's error on to the page.
    expect(ada.complaints.splice(0).filter((each) => !each.includes("the media worker fails"))).toEqual([])
  })
