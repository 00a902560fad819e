import {
  arriveWithDevices,
  enterCall,
  hears,
  mediaOf,
  seesPicture,
  tile,
  type Watched,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

// A changed description that passes now and then has passed: no second try.
test.describe.configure({ retries: 0 })

/** Changes that a hostile page can make to its own description before it sends it. */
const CHANGES = [
  "second certificate",
  "further section",
  "20 sections",
  "20 tracks",
  "missing section",
  "no encryption",
  "other codec",
  "further codec",
  "foreign certificate",
]

/** Bytes of some seconds of sound and pictures. */
const RECEIVED_MIN = 100_000

/** Makes the page send changed descriptions of its calls. Call it before it loads. Its browser keeps the real ones. */
async function changeDescriptions({ page }: Person): Promise<(change: string) => Promise<void>> {
  await page.context().addInitScript(() => {
    // The suite's own class comes between.
    const ofBrowser = Object.getPrototypeOf(RTCPeerConnection.prototype) as RTCPeerConnection
    const description = Object.getOwnPropertyDescriptor(ofBrowser, "localDescription")!
    const fingerprint = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`
    const changes: Readonly<Record<string, (sdp: string) => string>> = {
      "second certificate": (sdp) => `${sdp}${fingerprint}\r\n`,
      "foreign certificate": (sdp) => sdp.replaceAll(/^a=fingerprint:.*$/gmu, `${fingerprint}\r`),
      "further section": (sdp) => `${sdp}${sdp.slice(sdp.lastIndexOf("m="))}`,
      // Short ones, since a description has 16 kB at most.
      "20 sections": (sdp) => `${sdp}${"m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n".repeat(16)}`,
      "20 tracks": (sdp) => sdp.replaceAll(/^(m=video .*\r\n(?:c=.*\r\n)?)/gmu, `$1${"a=msid:one two\r\n".repeat(20)}`),
      "missing section": (sdp) => sdp.slice(0, sdp.lastIndexOf("m=")),
      // As if the media were plain RTP.
      "no encryption": (sdp) => sdp.replaceAll(/^(m=.*) UDP\/TLS\/RTP\/SAVPF /gmu, "$1 RTP/AVPF "),
      "other codec": (sdp) => sdp.replaceAll(" VP9/90000", " VP8/90000"),
      // This end then sends streams that its description does not name.
      "other streams": (sdp) =>
        sdp
          .replaceAll(/^a=ssrc-group:.*\r\n/gmu, "")
          .replaceAll(/^a=ssrc:(\d+)/gmu, (_, stream: string) => `a=ssrc:${(Number(stream) ^ 1) >>> 0}`),
      "further codec": (sdp) =>
        sdp.replaceAll(/^(m=video .*)(\r\n[^]*?^a=mid:.*\r\n)/gmu, "$1 50$2a=rtpmap:50 VP8/90000\r\n"),
    }
    Object.defineProperty(RTCPeerConnection.prototype, "localDescription", {
      get(this: RTCPeerConnection) {
        const real = description.get!.call(this) as RTCSessionDescription | null
        const change = changes[(globalThis as unknown as { change?: string }).change ?? ""]
        const isOfCall = this.getConfiguration().bundlePolicy === "max-bundle"
        return real && change && isOfCall ? { type: real.type, sdp: change(real.sdp) } : real
      },
    })
  })
  return (change) => page.evaluate((name) => void Object.assign(globalThis, { change: name }), change)
}

/** Reports of somebody's malformed data in the Security panel of another person. Repeated ones share a line. */
async function reportsOf({ page, lock }: Person, name: string): Promise<number> {
  await lock.click()
  const panel = page.getByRole("dialog", { name: "Security" })
  await panel.getByText("Details", { exact: true }).click()
  const lines = await panel.getByText(`Malformed data from ${name} was ignored.`).allInnerTexts()
  await page.keyboard.press("Escape")
  await expect(panel).toBeHidden()
  return lines.reduce((sum, line) => sum + Number(/\d+/u.exec(line)?.[0] ?? 1), 0)
}

/** Codecs that somebody's browser has negotiated for calls, without what repeats and repairs their packets. */
function codecsOf({ page }: Person): Promise<string[]> {
  return page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: Watched }).watched
    const live = connections.filter(({ connectionState }) => connectionState === "connected")
    const ofCalls = live.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")
    const sdp = ofCalls.map(({ currentLocalDescription }) => currentLocalDescription?.sdp ?? "").join("")
    const names = [...sdp.matchAll(/^a=rtpmap:\d+ ([^/]+)/gmu)].map(([, name]) => name!.toLowerCase())
    return [...new Set(names)].filter((name) => !/^(?:rtx|red|ulpfec|flexfec-03)$/u.test(name)).toSorted()
  })
}

for (const [hostile, receiver] of [
  ["chromium", "firefox"],
  ["firefox", "chromium"],
] as const)
  test.describe(`from ${hostile} to ${receiver}`, () => {
    test("changed descriptions of a call are refused, and their sender is named", async ({ server, people }) => {
      const bob = await arriveWithDevices(people, "Bob", receiver)
      const eve = await arriveWithDevices(people, "Eve", hostile)
      const change = await changeDescriptions(eve)
      await meet(server.origin, bob, eve)
      await enterCall(eve, "Microphone", "Camera")
      for (const name of CHANGES)
        await test.step(name, async () => {
          await change(name)
          const before = await reportsOf(bob, "Eve")
          await enterCall(bob)
          await expect(tile(bob, "Eve").getByText("No sound or picture with Eve.")).toBeVisible()
          const { decoded, energy } = await mediaOf(bob)
          expect([decoded, energy]).toEqual([0, 0])
          await expect.poll(() => reportsOf(bob, "Eve"), { message: `reports after ${name}` }).toBeGreaterThan(before)
          await bob.press("Leave call")
        })

      await change("none")
      await enterCall(bob)
      await seesPicture(bob, "Eve")
      await hears(bob)
      for (const person of [bob, eve]) expect(await codecsOf(person)).toEqual(["opus", "vp9"])
    })
  })

/** Somebody's page sends its sound and pictures past its media worker. Call it before it loads. */
async function sendUnencrypted({ page }: Person): Promise<void> {
  await page.context().addInitScript(() => {
    const ignored = new WeakMap<object, unknown>()
    Object.defineProperty(RTCRtpSender.prototype, "transform", {
      get(this: RTCRtpSender) {
        return ignored.get(this) ?? null
      },
      set(this: RTCRtpSender, transform: unknown) {
        ignored.set(this, transform)
      },
    })
  })
}

for (const kinds of [
  ["chromium", "chromium"],
  ["chromium", "firefox"],
] as const)
  test(`decodes no plaintext of streams that a description hides: ${kinds.join(", ")}`, async ({ server, people }) => {
    // Both are hostile, since a random number decides who of them offers.
    const pair = await Promise.all(kinds.map((kind, index) => arriveWithDevices(people, ["Bob", "Eve"][index]!, kind)))
    const changes = await Promise.all(pair.map(changeDescriptions))
    await Promise.all(pair.map(sendUnencrypted))
    const [bob, eve] = pair as [Person, Person]
    await meet(server.origin, bob, eve)
    for (const change of changes) await change("other streams")
    for (const person of pair) await enterCall(person, "Microphone", "Camera")
    for (const person of pair)
      await expect.poll(async () => (await mediaOf(person)).received, person.name).toBeGreaterThan(RECEIVED_MIN)
    for (const person of pair) expect(await mediaOf(person), person.name).toMatchObject({ decoded: 0, energy: 0 })
  })
