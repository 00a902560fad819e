import {
  arriveWithDevices,
  enterCall,
  hears,
  hearsNothing,
  mediaOf,
  seeEachOther,
  seesPicture,
  tile,
  toggle,
} from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { frameCounts, watchFrames } from "../../support/calls/frame-counts.ts"
import { delayKeys } from "../../support/calls/late-keys.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"
import { partsOf, recordEncoded, sframeOf, tap, type Tapped } from "../../support/calls/tapped-frames.ts"

// A secret that leaks now and then has leaked: no second try.
test.describe.configure({ retries: 0 })

const TAPPED_MIN = 30
const SOURCES = ["microphone", "camera"] as const

/** Somebody's microphone gives silence, of which the page knows nothing. */
function silence({ page }: Person): Promise<void> {
  return page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    for (const { track } of connections.flatMap((each) => each.getSenders()))
      if (track?.kind === "audio") track.enabled = false
  })
}

/** Bytes 1 to 3 of each key frame. */
const VP9_SYNC = "73,131,66"

/** Sends the given frames of an earlier time, instead of its own, on each connection that begins after `replay`. */
async function replayTo(person: Person): Promise<(frames: readonly Tapped[]) => Promise<void>> {
  const context = person.page.context()
  const body = `let frames = []
    onmessage = ({ data }) => (frames = data)
    onrtctransform = async ({ transformer: { readable, writable, options } }) => {
      const [writer, own] = [writable.getWriter(), frames.filter(({ source }) => source === options.source)]
      let next = 0
      for await (const frame of readable) {
        if (own.length === 0) continue
        frame.data = Uint8Array.from(own[next++ % own.length].bytes).buffer
        await writer.write(frame)
      }
    }`
  const headers = { "cross-origin-embedder-policy": "require-corp" }
  await context.route("**/assets/replay.js", (route) =>
    route.fulfill({ body, headers, contentType: "text/javascript" }),
  )
  await context.addInitScript(() => {
    let worker: Worker | null = null
    const replay = (frames: readonly Tapped[]): void => {
      worker = new Worker("/assets/replay.js")
      worker.postMessage(frames)
    }
    Object.assign(globalThis, { replay })
    globalThis.RTCRtpScriptTransform = class extends RTCRtpScriptTransform {
      constructor(own: Worker, options: { readonly direction: string }) {
        super(options.direction === "send" ? (worker ?? own) : own, options)
      }
    }
  })
  return (frames) =>
    person.page.evaluate(
      (all) => (globalThis as unknown as { replay: (frames: readonly Tapped[]) => void }).replay(all),
      frames,
    )
}

/** Somebody's page ends no connection and no worker, and does not tell its media worker that either is over. */
async function keepEverything({ page }: Person): Promise<void> {
  await page.context().addInitScript(() => {
    RTCPeerConnection.prototype.close = () => undefined
    Worker.prototype.terminate = () => undefined
    const post = Worker.prototype.postMessage as (message: unknown, transfer?: unknown) => void
    Worker.prototype.postMessage = function (message: { type?: string; port?: MessagePort }, transfer?: unknown): void {
      if (message.type === "ended") return
      if (message.type !== "keys") return post.call(this, message, transfer)
      const [engine, { port1, port2 }] = [message.port!, new MessageChannel()]
      engine.addEventListener("message", ({ data }) => (data.type === "closed" ? undefined : port1.postMessage(data)))
      port1.addEventListener("message", ({ data }) => engine.postMessage(data))
      for (const port of [engine, port1]) port.start()
      post.call(this, { type: "keys", port: port2 }, [port2])
    }
  })
}

/** Frames that somebody's media worker has opened, and those that it has refused, by source. */
async function receivedBy(person: Person): Promise<{ opened: number; refused: Readonly<Record<string, number>> }> {
  const received = (await frameCounts(person)).filter(({ direction }) => direction === "receive")
  const refused: Record<string, number> = {}
  for (const { source, dropped } of received)
    refused[source] = Object.values(dropped).reduce((sum, count) => sum + count, refused[source] ?? 0)
  return { opened: received.reduce((sum, { passed }) => sum + passed, 0), refused }
}

for (const [producer, kind] of [
  ["chromium", "chromium"],
  ["firefox", "chromium"],
  ["chromium", "firefox"],
  ["firefox", "firefox"],
] as const) {
  const tag = kind === "firefox" ? "@deep" : []
  test.describe(`from ${producer} to ${kind}`, { tag }, () => {
    test("a removed member that keeps its keys and connections opens nothing more", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", producer)
      const bob = await arriveWithDevices(people, "Bob", "chromium")
      const eve = await arriveWithDevices(people, "Eve", kind)
      await watchFrames(eve)
      await keepEverything(eve)
      // Ada's end stays too, so that all her frames still reach Eve.
      await ada.page.context().addInitScript(() => (RTCPeerConnection.prototype.close = () => undefined))
      await meet(server.origin, ada, bob, eve)
      await enterCall(ada, "Microphone", "Camera")
      for (const person of [bob, eve]) {
        await enterCall(person)
        await seesPicture(person, "Ada")
      }
      expect((await receivedBy(eve)).opened).toBeGreaterThan(0)

      await ada.page.getByRole("tab", { name: "People" }).click()
      await ada.act("Eve", "Remove")
      await ada.press("Remove for good")
      for (const person of [ada, bob]) {
        await person.seesEncryptedFor(2)
        await expect(tile(person, "Eve")).toBeHidden()
      }
      const atRemoval = await receivedBy(eve)
      const refusedSince = (before: Readonly<Record<string, number>>, least: number): Promise<void> =>
        expect
          .poll(async () => {
            const { refused } = await receivedBy(eve)
            return SOURCES.filter((source) => refused[source]! - before[source]! <= least)
          }, "tracks of which Eve gets no frames that she refuses")
          .toEqual([])
      // Frames that were in flight have come when each track has one that Eve can't open.
      await refusedSince(atRemoval.refused, 0)
      const { opened, refused } = await receivedBy(eve)
      await seesPicture(bob, "Ada", 2 * TAPPED_MIN)
      await hears(bob)
      await refusedSince(refused, TAPPED_MIN)
      expect((await receivedBy(eve)).opened).toBe(opened)
    })

    test("a newcomer opens no frame that was recorded before it joined", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", producer)
      const bob = await arriveWithDevices(people, "Bob", "chromium")
      const eve = await arriveWithDevices(people, "Eve", kind)
      const recorded = await tap(bob)
      const replay = await replayTo(ada)
      await watchFrames(eve)
      const link = await meet(server.origin, ada, bob)
      await enterCall(ada, "Microphone", "Camera")
      await enterCall(bob)
      const fewest = (counts: readonly number[]): number => Math.min(...counts)
      const recordedOf = async (source: string) => (await recorded()).filter((frame) => frame.source === source).length
      await expect.poll(async () => fewest(await Promise.all(SOURCES.map(recordedOf)))).toBeGreaterThan(TAPPED_MIN)
      // On the connection to Eve, Ada's page sends what she sent before.
      await replay(await recorded())
      await eve.join(link)
      await eve.seesEncryptedFor(3)
      await enterCall(eve)
      const refused = async (): Promise<number> => {
        const { refused } = await receivedBy(eve)
        return fewest(SOURCES.map((source) => refused[source] ?? 0))
      }
      await expect.poll(refused, { message: "frames that Eve's worker refuses" }).toBeGreaterThan(TAPPED_MIN)
      expect((await receivedBy(eve)).opened).toBe(0)
      expect(await mediaOf(eve)).toMatchObject({ energy: 0, decoded: 0 })
    })
  })
}

for (const kind of ["chromium", "firefox"] as const)
  test.describe(kind, () => {
    test("a tapped track carries no picture and no sound, and decodes to nothing", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const bob = await arriveWithDevices(people, "Bob", kind)
      const encoded = await recordEncoded(ada)
      const tapped = await tap(bob)
      await meet(server.origin, ada, bob)
      await enterCall(ada, "Microphone", "Camera")
      await enterCall(bob)
      const count = async (source: string) => (await tapped()).filter((frame) => frame.source === source).length
      for (const source of SOURCES) await expect.poll(() => count(source)).toBeGreaterThan(TAPPED_MIN)

      const [frames, plain] = [await tapped(), await encoded()]
      const all = frames.map(({ bytes }) => sframeOf(bytes))
      // One key, and one counter for all tracks. A browser that can't decode a frame passes the same one again.
      expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(1)
      const distinct = new Set(all.map(({ sealed }) => Buffer.from(sealed).toString("hex"))).size
      expect(new Set(all.map(({ counter }) => counter)).size).toBe(distinct)
      expect(distinct).toBeGreaterThan(TAPPED_MIN)
      for (const source of SOURCES) {
        const starts = frames.filter((frame) => frame.source === source).map(({ bytes }) => sframeOf(bytes).sealed[0]!)
        // Each Opus packet begins with the same byte, and each VP9 frame with the bits 10.
        expect(new Set(starts).size).toBeGreaterThan(TAPPED_MIN / 4)
        expect(starts.some((byte) => byte >> 6 !== 2)).toBe(true)
      }
      // No part of what Ada's encoders gave is in it.
      const parts = new Set(plain.flatMap(({ bytes }) => partsOf(bytes)))
      expect(parts.size).toBeGreaterThan(100 * TAPPED_MIN)
      expect(all.flatMap(({ sealed }) => partsOf(sealed)).filter((part) => parts.has(part))).toEqual([])
      // Nor is the start of a key frame, without which a decoder of VP9 shows nothing.
      const keyFrames = (some: readonly (readonly number[])[]) =>
        some.filter((bytes) => bytes.join().includes(VP9_SYNC))
      expect(keyFrames(plain.map(({ bytes }) => bytes.slice(0, 8)))).not.toEqual([])
      expect(keyFrames(frames.map(({ bytes }) => bytes.slice(0, 32)))).toEqual([])
      // Bob's decoders get the frames as they come. That of Opus makes noise of any bytes.
      const { decoded, received } = await mediaOf(bob)
      expect(received).toBeGreaterThan(0)
      expect(decoded).toBe(0)
    })

    test("sends and decodes nothing without a key, and starts no call unencrypted", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const bob = await arriveWithDevices(people, "Bob", kind)
      const giveKeys = await delayKeys(ada, null)
      await meet(server.origin, ada, bob)
      for (const person of [bob, ada]) await enterCall(person, "Microphone", "Camera")
      const encoded = (): Promise<number> =>
        ada.page.evaluate(async () => {
          const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
          const stats = await Promise.all(connections.map((connection) => connection.getStats()))
          const frames = stats.flatMap((report) => [...(report as Map<string, { framesEncoded?: number }>).values()])
          return frames.reduce((sum, { framesEncoded = 0 }) => sum + framesEncoded, 0)
        })
      await expect.poll(encoded, { message: "Ada's camera is encoded" }).toBeGreaterThan(TAPPED_MIN)
      await expect.poll(async () => (await mediaOf(ada)).received, "bytes of Bob's frames").toBeGreaterThan(50_000)
      expect(await mediaOf(ada)).toMatchObject({ energy: 0, decoded: 0, sent: 0 })
      expect(await mediaOf(bob)).toMatchObject({ energy: 0, decoded: 0, received: 0 })

      await giveKeys()
      await seeEachOther(ada, bob)
      await toggle(ada, "Camera", false)

      await bob.press("Leave call")
      await bob.page.evaluate(() => Reflect.deleteProperty(globalThis, "RTCRtpScriptTransform"))
      await bob.page.getByRole("button", { name: /^Call/u }).click()
      await bob.press("Join call")
      await expect(bob.page.getByText("This browser can’t encrypt calls.")).toBeVisible()
      await expect(bob.page.getByRole("region", { name: "Call" })).toBeHidden()
    })

    test("a viewer is neither seen nor heard when her page is modified", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const eve = await arriveWithDevices(people, "Eve", kind)
      // Eve's page keeps its tracks, and her media worker never learns that she may not publish.
      await eve.page.context().addInitScript(() => {
        const replace = RTCRtpSender.prototype.replaceTrack
        RTCRtpSender.prototype.replaceTrack = function (track) {
          return track ? replace.call(this, track) : Promise.resolve()
        }
        MediaStreamTrack.prototype.stop = () => undefined
        globalThis.Worker = class extends Worker {
          override postMessage(message: { type?: string; port?: MessagePort }, transfer?: unknown): void {
            if (message.type !== "keys") return super.postMessage(message, transfer as Transferable[])
            const { port1, port2 } = new MessageChannel()
            let named: unknown = null
            message.port!.addEventListener("message", ({ data }) => {
              if (data.type === "speakers" && data.members.length > 1) named ??= data
              port1.postMessage(data.type === "speakers" ? (named ?? data) : data)
            })
            message.port!.start()
            super.postMessage({ type: "keys", port: port2 }, [port2])
          }
        }
      })
      await meet(server.origin, ada, eve)
      await enterCall(eve, "Microphone", "Camera")
      await enterCall(ada)
      await seesPicture(ada, "Eve")
      await hears(ada)

      await ada.page.getByRole("tab", { name: "People" }).click()
      await ada.act("Eve", "Viewer")
      await expect(tile(ada, "Eve").locator("video")).toBeHidden()
      // Frames that were in the decoder are over when nothing new is decoded for a while.
      const decodes = async (): Promise<boolean> => {
        const before = await mediaOf(ada)
        await expect.poll(async () => (await mediaOf(ada)).received - before.received).toBeGreaterThan(20_000)
        return (await mediaOf(ada)).decoded > before.decoded
      }
      await expect.poll(decodes, { message: "Ada still receives bytes, and decodes none of them" }).toBe(false)
      const { energy } = await mediaOf(ada)
      expect(await decodes()).toBe(false)
      expect((await mediaOf(ada)).energy).toBe(energy)
    })
  })

for (const kind of ["chromium", "firefox"] as const)
  test(`frames of sound from ${kind} are equally large in speech and in silence`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", kind)
    const bob = await arriveWithDevices(people, "Bob", "chromium")
    // A tapped page plays nothing.
    const eve = await arriveWithDevices(people, "Eve", "chromium")
    const tapped = await tap(bob)
    await meet(server.origin, ada, bob, eve)
    await enterCall(ada, "Microphone")
    for (const person of [bob, eve]) await enterCall(person)
    const sizes = async (): Promise<number[]> => {
      const sounds = (await tapped()).filter(({ source }) => source === "microphone")
      return sounds.map(({ bytes }) => sframeOf(bytes).sealed.length)
    }
    const further = async (): Promise<void> => {
      const { length } = await sizes()
      await expect.poll(async () => (await sizes()).length - length).toBeGreaterThan(5 * TAPPED_MIN)
    }
    await further()
    await hears(eve)
    await silence(ada)
    await hearsNothing(eve)
    await further()
    // The first frame repeats none before it.
    expect(new Set((await sizes()).slice(1)).size).toBe(1)
  })
