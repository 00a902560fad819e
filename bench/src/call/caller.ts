/** One person in a call, in a page that is nothing but the package. */
import { readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Conference, ConferenceMedia } from "@keymoot/core"
import type { PagePackage } from "@keymoot/e2e/package-page"
import type { Browser, Page } from "@playwright/test"
import { openPage } from "../browsers/page-package.ts"
import { type Pictures, readPictures } from "./pictures.ts"
import {
  TIMES_CHANNEL,
  TIMING_PRELUDE,
  type TransformTimes,
  withoutFrameEncryption,
  withoutRedundantSound,
} from "./media-worker.ts"

export const DEVICES = ["--use-fake-device-for-media-stream=fps=30", "--use-fake-ui-for-media-stream"]
const WORKER = "keymoot-media-worker.js"
/** Precise clocks are for pages that are isolated from others. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" }
/** A picture without a new frame for so long has ended. */
const STILL_MS = 700
const SLOW_MS = 120_000
const OF_A_SMALL_CALL: PictureSize = { width: 640, height: 360, frameRate: 30 }

/** Parts of the product's call, frame encryption and RED. A page can be without them. */
export type CallerOptions = { readonly encrypted?: boolean; readonly redundant?: boolean }

/** Points of a picture, and pictures a second. */
export type PictureSize = { readonly width: number; readonly height: number; readonly frameRate: number }

type TimedFrame = VideoFrameCallbackMetadata & { readonly receiveTime?: number }

/** Sums over all tracks that arrive. `concealed`: samples of sound that the decoder made up. */
export type Received = {
  readonly concealed: number
  readonly samples: number
  readonly frames: number
  readonly videoBytes: number
  readonly packets: number
  readonly lost: number
}

type CallWindow = Window & {
  conference: Conference
  media: ConferenceMedia
  connections: RTCPeerConnection[]
  camera: MediaStreamTrack
  microphone: MediaStreamTrack
  /** When strokes and messages of others came. */
  came: Record<string, number>
  /** `isWatched`: whether each frame is to be noted, which costs time. */
  lastFrame: { atMs: number; isWatched: boolean; wake: (() => void) | null; watch: (() => void)[] }
}

export class Caller {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static async open(
    browser: Browser,
    server: string,
    built: PagePackage,
    { encrypted = true, redundant = true }: CallerOptions = {},
  ): Promise<Caller> {
    const page = await openPage(browser, server, built, async (context) => {
      await context.route(`${server}/bench-page/**`, async (route) => {
        const file = basename(new URL(route.request().url()).pathname)
        const name = file === "bench-page" || file === "" ? "index.html" : file
        const body = await readFile(join(built.directory, name), "utf8")
        return route.fulfill({
          contentType: name === "index.html" ? "text/html" : "text/javascript",
          headers: ISOLATED,
          body: name === WORKER ? TIMING_PRELUDE + body : body,
        })
      })
      await context.addInitScript(() => {
        const self = globalThis as unknown as CallWindow
        self.connections = []
        globalThis.RTCPeerConnection = class extends RTCPeerConnection {
          constructor(configuration?: RTCConfiguration) {
            super(configuration)
            self.connections.push(this)
          }
        }
      })
      if (!redundant) await context.addInitScript(withoutRedundantSound)
      if (!encrypted) await context.addInitScript(withoutFrameEncryption)
    })
    // Eight pages on two processors take their time.
    page.setDefaultTimeout(SLOW_MS)
    await page.waitForFunction(() => "keymoot" in globalThis)
    return new Caller(page)
  }

  /** Creates a conference, or joins that of `url`. Returns the link to it. */
  meet(name: string, server: string, url: string | null): Promise<string> {
    return this.#page.evaluate(
      async ([name, server, url]) => {
        const self = globalThis as unknown as CallWindow
        const { Identity, Conference } = self.keymoot
        const identity = await Identity.open({ name })
        const conference = url
          ? await Conference.join({ url, identity })
          : await Conference.create({ server, identity, localCopy: false })
        self.conference = conference
        self.media = conference.media
        return conference.invitation.url
      },
      [name, server, url] as const,
    )
  }

  /** Opens microphone and camera, which costs processor time even before they are published. */
  capture(video: PictureSize = OF_A_SMALL_CALL): Promise<void> {
    return this.#page.evaluate(async (video) => {
      const self = globalThis as unknown as CallWindow
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: true,
        video,
      })
      self.camera = stream.getVideoTracks()[0]!
      self.microphone = stream.getAudioTracks()[0]!
    }, video)
  }

  /** Enters the call and plays all tracks. Returns the time, by the clock of all pages. */
  enter(): Promise<number> {
    return this.#page.evaluate(async () => {
      const self = globalThis as unknown as CallWindow
      const { media } = self
      self.lastFrame = { atMs: 0, isWatched: true, wake: null, watch: [] }
      const played = new Set<MediaStreamTrack>()
      const play = (): void => {
        for (const { tracks } of media.participants)
          for (const track of tracks.values()) {
            if (played.has(track)) continue
            played.add(track)
            const element = document.createElement("video")
            element.muted = true
            element.srcObject = new MediaStream([track])
            void element.play().catch(() => undefined)
            document.body.append(element)
            if (track.kind === "audio") continue
            const onFrame = (): void => {
              self.lastFrame.atMs = performance.timeOrigin + performance.now()
              self.lastFrame.wake?.()
              if (self.lastFrame.isWatched) watch()
            }
            const watch = (): void => void element.requestVideoFrameCallback(onFrame)
            self.lastFrame.watch.push(watch)
            watch()
          }
      }
      media.on("change", play)
      const atMs = performance.timeOrigin + performance.now()
      await media.enter()
      play()
      return atMs
    })
  }

  /** Returns the time at which it began. */
  publish(source: "microphone" | "camera"): Promise<number> {
    return this.#page.evaluate(async (source) => {
      const self = globalThis as unknown as CallWindow
      const atMs = performance.timeOrigin + performance.now()
      await self.media.publish(source, self[source])
      return atMs
    }, source)
  }

  /** Publishes a screen that no encoder compresses well, so it takes all the bitrate that it may. */
  publishNoise(): Promise<void> {
    return this.#page.evaluate(async () => {
      const canvas = document.createElement("canvas")
      Object.assign(canvas, { width: 640, height: 360 })
      const context = canvas.getContext("2d")!
      setInterval(() => {
        for (let i = 0; i < 400; i++) {
          context.fillStyle = `hsl(${Math.floor(360 * Math.random())} 80% 50%)`
          context.fillRect(640 * Math.random(), 360 * Math.random(), 40, 30)
        }
      }, 66)
      const track = canvas.captureStream(15).getVideoTracks()[0]!
      await (globalThis as unknown as CallWindow).media.publish("screen", track)
    })
  }

  unpublish(source: "microphone" | "camera"): Promise<void> {
    return this.#page.evaluate((source) => (globalThis as unknown as CallWindow).media.unpublish(source), source)
  }

  /** Notes when changes of the others' board, and their messages, arrive. */
  watchOthers(): Promise<void> {
    return this.#page.evaluate(() => {
      const self = globalThis as unknown as CallWindow
      self.came = {}
      const note = (name: string): void => void (self.came[name] ??= performance.timeOrigin + performance.now())
      const elements = self.conference.document("board").doc.getMap("elements")
      elements.observe(({ keysChanged }) => keysChanged.forEach((key) => note(`${key}`)))
      self.conference.channel("chat", { history: true }).on("message", ({ text }) => note(text ?? ""))
    })
  }

  /** Changes the board of all. Returns when, by the clock of all pages. */
  draw(stroke: string): Promise<number> {
    return this.#page.evaluate((stroke) => {
      const self = globalThis as unknown as CallWindow
      const atMs = performance.timeOrigin + performance.now()
      const points = Array.from({ length: 60 }, (_, i) => [i / 2, 8 * Math.sin(i / 6)])
      self.conference.document("board").doc.getMap("elements").set(stroke, { type: "freedraw", points })
      return atMs
    }, stroke)
  }

  /** Sends a chat message. Returns when, as `draw`. */
  say(text: string): Promise<number> {
    return this.#page.evaluate((text) => {
      const self = globalThis as unknown as CallWindow
      const atMs = performance.timeOrigin + performance.now()
      void self.conference.channel("chat", { history: true }).send(text)
      return atMs
    }, text)
  }

  /** Resolves with the time at which a stroke or a message has come. */
  async came(name: string): Promise<number> {
    const came = (name: string): number | undefined => (globalThis as unknown as CallWindow).came[name]
    const handle = await this.#page.waitForFunction(came, name)
    return (await handle.jsonValue())!
  }

  leave(): Promise<void> {
    return this.#page.evaluate(() => (globalThis as unknown as CallWindow).media.leave())
  }

  /** Resolves when no picture has had a frame for a while. */
  async still(): Promise<void> {
    await this.#page.evaluate(() => {
      const { lastFrame } = globalThis as unknown as CallWindow
      if (lastFrame.isWatched) return
      Object.assign(lastFrame, { isWatched: true, atMs: performance.timeOrigin + performance.now() })
      for (const watch of lastFrame.watch) watch()
    })
    await this.#page.waitForFunction((stillMs) => {
      const { atMs } = (globalThis as unknown as CallWindow).lastFrame
      return performance.timeOrigin + performance.now() - atMs > stillMs
    }, STILL_MS)
  }

  /** Resolves with the time of the first frame after this moment. */
  firstFrame(sinceMs: number): Promise<number> {
    return this.#page.evaluate(async (sinceMs) => {
      const { lastFrame } = globalThis as unknown as CallWindow
      while (lastFrame.atMs < sinceMs) await new Promise<void>((resolve) => (lastFrame.wake = resolve))
      lastFrame.isWatched = false
      return lastFrame.atMs
    }, sinceMs)
  }

  /** Resolves when so many others are connected. */
  async connected(others: number): Promise<void> {
    await this.#page.waitForFunction((others) => {
      const { participants } = (globalThis as unknown as CallWindow).media
      return participants.filter(({ connection }) => connection === "connected").length === others
    }, others)
  }

  /** Counters of all pictures that are sent and received. */
  pictures(): Promise<Pictures> {
    return this.#page.evaluate(readPictures)
  }

  /** Times from the last packet of the next frame of each picture to its presentation. */
  fromPackets(): Promise<number[]> {
    return this.#page.evaluate(async (patienceMs) => {
      const pictures = [...document.querySelectorAll("video")].filter(({ videoWidth }) => videoWidth > 0)
      const frames = pictures.map(
        (element) =>
          new Promise<number[]>((resolve) => {
            element.requestVideoFrameCallback((_, { presentationTime, receiveTime }: TimedFrame) =>
              resolve(receiveTime === undefined ? [] : [presentationTime - receiveTime]),
            )
            setTimeout(() => resolve([]), patienceMs)
          }),
      )
      return (await Promise.all(frames)).flat()
    }, STILL_MS)
  }

  received(): Promise<Received> {
    return this.#page.evaluate(async () => {
      const { connections } = globalThis as unknown as CallWindow
      const sums = { concealed: 0, samples: 0, frames: 0, videoBytes: 0, packets: 0, lost: 0 }
      for (const connection of connections.filter((each) => each.connectionState === "connected"))
        for (const stats of (await connection.getStats()).values() as IterableIterator<
          Record<string, number | string>
        >) {
          if (stats["type"] !== "inbound-rtp") continue
          sums.concealed += Number(stats["concealedSamples"] ?? 0)
          sums.samples += Number(stats["totalSamplesReceived"] ?? 0)
          sums.frames += Number(stats["framesDecoded"] ?? 0)
          sums.packets += Number(stats["packetsReceived"] ?? 0)
          sums.lost += Number(stats["packetsLost"] ?? 0)
          if (stats["kind"] === "video") sums.videoBytes += Number(stats["bytesReceived"] ?? 0)
        }
      return sums
    })
  }

  /** Begins to note the times of frames in the media worker. */
  timeTransforms(): Promise<void> {
    return this.#page.evaluate((name) => {
      const channel = new BroadcastChannel(name)
      channel.postMessage("start")
      channel.close()
    }, TIMES_CHANNEL)
  }

  /** Times of the frames since `timeTransforms`. */
  transformTimes(): Promise<TransformTimes> {
    return this.#page.evaluate(
      (name) =>
        new Promise<TransformTimes>((resolve) => {
          const channel = new BroadcastChannel(name)
          channel.addEventListener("message", ({ data }: MessageEvent<TransformTimes>) => {
            resolve(data)
            channel.close()
          })
          channel.postMessage("take")
        }),
      TIMES_CHANNEL,
    )
  }

  close(): Promise<void> {
    return this.#page.context().close()
  }
}
