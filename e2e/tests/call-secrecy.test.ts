import { arriveWithDevices, enterCall, hears, mediaOf, seesPicture, tile, toggle } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"

type Tapped = { readonly source: string; readonly bytes: readonly number[] }
const TAPPED_MIN = 30

/** Records the frames that arrive at somebody, before they are decrypted. None of them is passed on. */
async function tap(person: Person): Promise<() => Promise<readonly Tapped[]>> {
  const context = person.page.context()
  const body = `onrtctransform = async ({ transformer: { readable, options } }) => {
    for await (const { data } of readable) postMessage({ source: options.source, bytes: [...new Uint8Array(data)] })
  }`
  const headers = { "cross-origin-embedder-policy": "require-corp" }
  await context.route("**/assets/tap.js", (route) => route.fulfill({ body, headers, contentType: "text/javascript" }))
  await context.addInitScript(() => {
    const tapped: Tapped[] = []
    Object.assign(globalThis, { tapped })
    let worker: Worker | null = null
    const start = (): Worker => {
      worker = new Worker("/assets/tap.js")
      worker.addEventListener("message", ({ data }: MessageEvent<Tapped>) => tapped.push(data))
      return worker
    }
    globalThis.RTCRtpScriptTransform = class extends RTCRtpScriptTransform {
      constructor(own: Worker, options: { readonly direction: string }) {
        super(options.direction === "receive" ? (worker ?? start()) : own, options)
      }
    }
  })
  return () => person.page.evaluate(() => (globalThis as unknown as { tapped: Tapped[] }).tapped)
}

/** Key id, counter and ciphertext of a frame, as RFC 9605 lays them out. */
function sframeOf(bytes: readonly number[]): { keyId: number; counter: number; sealed: readonly number[] } {
  const [configuration = 0] = bytes
  let at = 1
  const field = (bits: number): number => {
    if (bits < 8) return bits
    const value = bytes.slice(at, at + bits - 7)
    at += bits - 7
    return value.reduce((sum, byte) => sum * 256 + byte, 0)
  }
  const [keyId, counter] = [field(configuration >> 4), field(configuration & 15)]
  return { keyId, counter, sealed: bytes.slice(at) }
}

for (const kind of ["chromium", "firefox"] as const)
  test.describe(kind, () => {
    test("a tapped track carries no picture and no sound, and decodes to nothing", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const bob = await arriveWithDevices(people, "Bob", kind)
      const tapped = await tap(bob)
      await meet(server.origin, ada, bob)
      await enterCall(ada, "Microphone", "Camera")
      await enterCall(bob)
      const count = async (source: string) => (await tapped()).filter((frame) => frame.source === source).length
      for (const source of ["microphone", "camera"]) await expect.poll(() => count(source)).toBeGreaterThan(TAPPED_MIN)

      const frames = await tapped()
      const all = frames.map(({ bytes }) => sframeOf(bytes))
      // One key, and one counter for all tracks. A browser that can't decode a frame passes the same one again.
      expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(1)
      const distinct = new Set(all.map(({ sealed }) => Buffer.from(sealed).toString("hex"))).size
      expect(new Set(all.map(({ counter }) => counter)).size).toBe(distinct)
      expect(distinct).toBeGreaterThan(TAPPED_MIN)
      for (const source of ["microphone", "camera"]) {
        const starts = frames.filter((frame) => frame.source === source).map(({ bytes }) => sframeOf(bytes).sealed[0]!)
        // Each Opus packet begins with the same byte, and each VP9 frame with the bits 10.
        expect(new Set(starts).size).toBeGreaterThan(TAPPED_MIN / 4)
        expect(starts.some((byte) => byte >> 6 !== 2)).toBe(true)
      }
      const { decoded, energy, received } = await mediaOf(bob)
      expect(received).toBeGreaterThan(0)
      expect([decoded, energy]).toEqual([0, 0])
    })

    test("nothing leaves without a key, and no call starts without encryption", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const bob = await arriveWithDevices(people, "Bob", kind)
      // The keys of Ada's engine never reach her media worker.
      await ada.page.context().addInitScript(() => {
        globalThis.Worker = class extends Worker {
          constructor(url: string | URL, options?: WorkerOptions) {
            super(url, options)
            if (options?.name === "keymoot-media") this.postMessage = () => undefined
          }
        }
      })
      await meet(server.origin, ada, bob)
      await enterCall(bob)
      await enterCall(ada, "Microphone", "Camera")
      await expect(bob.page.getByText("Connecting…")).toBeHidden()
      const encoded = (): Promise<number> =>
        ada.page.evaluate(async () => {
          const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
          const stats = await Promise.all(connections.map((connection) => connection.getStats()))
          const frames = stats.flatMap((report) => [...(report as Map<string, { framesEncoded?: number }>).values()])
          return frames.reduce((sum, { framesEncoded = 0 }) => sum + framesEncoded, 0)
        })
      await expect.poll(encoded, { message: "Ada's camera is encoded" }).toBeGreaterThan(TAPPED_MIN)
      expect((await mediaOf(ada)).sent).toBe(0)
      expect(await mediaOf(bob)).toEqual({ energy: 0, decoded: 0, sent: 0, received: 0 })
      await toggle(ada, "Camera", false)

      await bob.press("Leave call")
      await bob.page.evaluate(() => Reflect.deleteProperty(globalThis, "RTCRtpScriptTransform"))
      await bob.page.getByRole("button", { name: /^Call/u }).click()
      await bob.press("Join call")
      await expect(bob.page.getByText("This browser can’t encrypt calls.")).toBeVisible()
      await expect(bob.page.getByRole("region", { name: "Call" })).toBeHidden()
    })

    test("a viewer is neither seen nor heard, whatever her page does", async ({ server, people }) => {
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
