import { arriveWithDevices, enterCall, mediaOf, seesPicture, tile } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import { meet } from "../support/scenes.ts"

test("a missing path is named, and used once there is one", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await bob.page.context().addInitScript(() => {
    const network = { blocked: true }
    Object.assign(globalThis, { network })
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration: RTCConfiguration = {}) {
        // Connections of calls bundle, links do not. Without a server, "relay" leaves no address to try.
        const isCall = configuration.bundlePolicy === "max-bundle"
        const none: RTCConfiguration = { iceServers: [], iceTransportPolicy: "relay" }
        super(isCall && network.blocked ? { ...configuration, ...none } : configuration)
      }
    }
  })
  await meet(server.origin, ada, bob)
  await enterCall(ada, "Camera")
  await enterCall(bob, "Camera")
  await expect(tile(bob, "Ada").getByText("No media path to Ada")).toBeVisible()
  await expect(tile(ada, "Bob").getByText("No media path to Bob")).toBeVisible()
  expect((await mediaOf(bob)).decoded).toBe(0)

  await bob.page.evaluate(() => {
    ;(globalThis as unknown as { network: { blocked: boolean } }).network.blocked = false
  })
  await seesPicture(bob, "Ada")
  await seesPicture(ada, "Bob")
  for (const person of [ada, bob]) await expect(person.page.getByText("No media path to")).toBeHidden()
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
