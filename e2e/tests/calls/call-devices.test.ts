import type { Locator } from "@playwright/test"
import {
  arriveWithDevices,
  enterCall,
  hears,
  hearsNothing,
  mediaOf,
  seesMovement,
  seesPicture,
  tile,
  toggle,
  type Watched,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import { addSecondDevices } from "../../support/calls/second-devices.ts"
import { allowUnplugging, unplug } from "../../support/calls/unplugging.ts"

/** Undefined while the video has no stream yet. */
const deviceOf = (video: Locator): Promise<string | undefined> =>
  video.evaluate(
    (element: HTMLVideoElement) =>
      (element.srcObject as MediaStream | null)?.getVideoTracks()[0]?.getSettings().deviceId,
  )

/** The second of Chromium's fake cameras sees depth, and the third sends JPEG. */
const CAMERAS = 4

/** Chooses the last device of a list. */
async function chooseLast(person: Person, label: string): Promise<string> {
  const list = person.page.getByLabel(label, { exact: true })
  const last = await list.locator("option").last().getAttribute("value")
  await list.selectOption(last)
  return last!
}

for (const kind of ["chromium", "firefox"] as const)
  test(`the microphone, camera and speaker of ${kind} can be changed in a call`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", kind, { count: CAMERAS })
    const bob = await arriveWithDevices(people, "Bob", kind === "firefox" ? "chromium" : "firefox")
    if (kind === "firefox") {
      console.log("A drawing and a tone stand for second devices: Firefox has one fake camera and one fake microphone.")
      await addSecondDevices(ada)
    }
    await meet(server.origin, ada, bob)
    await enterCall(bob, "Microphone")
    await enterCall(ada, "Microphone", "Camera")
    await seesPicture(bob, "Ada")
    const own = tile(ada, "Ada (you)").locator("video")
    await expect.poll(() => deviceOf(own)).toBeDefined()
    const before = await deviceOf(own)

    await ada.press("Devices")
    const camera = await chooseLast(ada, "Use this camera")
    expect(camera).not.toBe(before)
    await expect.poll(() => deviceOf(own)).toBe(camera)
    await seesPicture(ada, "Ada (you)")
    await seesPicture(bob, "Ada")
    await seesMovement(bob, "Ada")
    await chooseLast(ada, "Use this microphone")
    await hears(bob)
    if (kind === "firefox") console.log("The speaker is not changed: Firefox has no fake one.")
    else {
      const speaker = await chooseLast(ada, "Play sound on")
      const sinks = (): Promise<string[]> =>
        ada.page.locator("audio").evaluateAll((all) => all.map((element) => (element as HTMLAudioElement).sinkId))
      await expect.poll(sinks).toEqual([speaker])
    }
    await hears(ada)

    // A microphone is plugged in.
    await ada.page.evaluate(async () => {
      const known = await navigator.mediaDevices.enumerateDevices()
      const added = { kind: "audioinput", deviceId: "new", groupId: "", label: "New headset" } as MediaDeviceInfo
      navigator.mediaDevices.enumerateDevices = async () => [...known, added]
      navigator.mediaDevices.dispatchEvent(new Event("devicechange"))
    })
    await expect(ada.page.getByLabel("Use this microphone").locator("option").last()).toHaveText("New headset")
  })

test("the speaker can be tested before the call, and nobody hears it", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  await ada.start(server.origin)
  await ada.page.getByRole("button", { name: /^Call/u }).click()
  // It looks within the page, since the tone is short.
  const playing = ada.page.evaluate(async () => {
    const next = (): Promise<void> => new Promise((done) => setTimeout(done, 20))
    let audio: HTMLAudioElement | null = null
    while (!audio?.srcObject) {
      await next()
      audio = document.querySelector("audio")
    }
    const says = document.body.textContent.includes("You should hear a tone now.")
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(audio.srcObject as MediaStream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let isLoud = false
    while (!isLoud && audio.isConnected) {
      await next()
      analyser.getFloatTimeDomainData(samples)
      isLoud = samples.some((sample) => Math.abs(sample) > 0.01)
    }
    return { says, isLoud }
  })
  await ada.press("Test speaker")
  expect(await playing).toEqual({ says: true, isLoud: true })
  await expect(ada.page.locator("audio")).toHaveCount(0)
  expect((await mediaOf(ada)).sent).toBe(0)
})

test("the buttons of the preview stay in place when a device comes on", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  await ada.start(server.origin)
  await ada.page.getByRole("button", { name: /^Call/u }).click()
  const join = ada.page.getByRole("button", { name: "Join call" })
  const hint = ada.page.getByText("You start with the microphone and the camera off.")
  await expect(hint).toBeVisible()
  const before = await join.boundingBox()
  await toggle(ada, "Camera", true)
  await expect(hint).toBeHidden()
  await expect(ada.page.locator(".call-preview video")).toBeVisible()
  expect(await join.boundingBox()).toEqual(before)
})

for (const kind of ["chromium", "firefox"] as const)
  test(`an unplugged camera of ${kind} leaves initials, and can be tried again`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada Lovelace", kind)
    const bob = await arriveWithDevices(people, "Bob", "chromium")
    await allowUnplugging(ada)
    await meet(server.origin, ada, bob)
    await enterCall(ada, "Camera")
    await enterCall(bob)
    await seesPicture(bob, "Ada Lovelace")

    await unplug(ada, "camera")
    await expect(ada.page.getByText("Your camera was disconnected.")).toBeVisible()
    await expect(tile(bob, "Ada Lovelace").locator("video")).toBeHidden()
    await expect(tile(bob, "Ada Lovelace").getByText("AL", { exact: true })).toBeVisible()
    await ada.press("Retry")
    await seesPicture(bob, "Ada Lovelace")
    await expect(ada.page.getByText("Your camera was disconnected.")).toBeHidden()
  })

// Chromium passes on no sound that a page has received.
test("an unplugged microphone of Firefox is silent until a retry", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "firefox")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await allowUnplugging(ada)
  await meet(server.origin, ada, bob)
  await enterCall(ada, "Microphone")
  await enterCall(bob)
  await hears(bob)

  await unplug(ada, "microphone")
  await expect(ada.page.getByText("Your microphone was disconnected.")).toBeVisible()
  await hearsNothing(bob)
  await ada.press("Retry")
  await hears(bob)
  await expect(ada.page.getByText("Your microphone was disconnected.")).toBeHidden()
})

test("a refused permission is explained, and can be tried again", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium", { allowed: false })
  await ada.start(server.origin)
  const context = ada.page.context()
  // All other permissions are refused then.
  await context.grantPermissions(["camera"], { origin: server.origin })
  await ada.page.getByRole("button", { name: /^Call/u }).click()
  const microphone = ada.page.getByRole("button", { name: "Microphone", exact: true })
  await microphone.click()
  await expect(ada.page.getByText("Press the icon to the left of the address")).toBeVisible()
  await expect(microphone).toHaveAttribute("aria-pressed", "false")
  await context.grantPermissions(["camera", "microphone"], { origin: server.origin })
  await ada.press("Retry")
  await expect(microphone).toHaveAttribute("aria-pressed", "true")
  const meter = ada.page.getByRole("meter", { name: "Loudness of your microphone" })
  await expect.poll(() => meter.evaluate((element: HTMLMeterElement) => element.value)).toBeGreaterThan(0)
})

test("a microphone that the system mutes is named until it is unmuted", async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await meet(server.origin, ada, bob)
  await enterCall(bob)
  await enterCall(ada, "Microphone")
  await hears(bob)
  const [note, who] = ["Your microphone is muted outside of this page.", "1 other person can hear you."].map((text) =>
    ada.page.getByText(text),
  ) as [Locator, Locator]
  await expect(who).toBeVisible()
  for (const isMuted of [true, false]) {
    // No system mutes a fake microphone, so the page gets the event of one.
    await ada.page.evaluate((muted) => {
      const { connections } = (globalThis as unknown as { watched: Watched }).watched
      const senders = connections.flatMap((each) => each.getSenders())
      const { track } = senders.find((each) => each.track?.kind === "audio")!
      Object.defineProperty(track, "muted", { value: muted, configurable: true })
      track!.dispatchEvent(new Event(muted ? "mute" : "unmute"))
    }, isMuted)
    await expect(note).toBeVisible({ visible: isMuted })
    await expect(who).toBeVisible({ visible: !isMuted })
  }
})
