/** Code of the pages: two people in a conference of the built package, and a bare data channel between the same two. */
import type * as Core from "@keymoot/core"
import type { Page } from "@playwright/test"

type Bench = {
  readonly conference: Core.Conference
  /** Arrival times in milliseconds since 1970, by a message's first eight bytes. */
  readonly arrivals: Map<number, number>
  received: number
  receivedBytes: number
}

declare global {
  interface Window {
    bench: Bench
    raw: { connection: RTCPeerConnection; channel: RTCDataChannel; received: number; receivedBytes: number }
    /** The sender continues until it is false. */
    sending: boolean
  }
}

const MESSAGE_BYTES = 1024
/** Waiting with the sender. */
const UNDER_WAY = 2000
const CHANNEL_BYTES_HIGH = 1024 * 1024

/** Creates a conference, or joins the one at `url`. Gives its invitation. */
function enter(page: Page, name: string, server: string, url: string | null): Promise<string> {
  return page.evaluate(
    async ([name, server, url]) => {
      const { Conference, Identity } = window.keymoot
      const identity = await Identity.open({ name })
      const conference = await (url ? Conference.join({ url, identity }) : Conference.create({ server, identity }))
      const bench: Bench = { conference, arrivals: new Map(), received: 0, receivedBytes: 0 }
      window.bench = bench
      conference.channel("bench").on("message", ({ data }) => {
        bench.received++
        bench.receivedBytes += data.length
        // Messages of a rate are all zeros, and their arrival times are not needed.
        if (data[0] === 0) return
        const at = performance.timeOrigin + performance.now()
        bench.arrivals.set(new DataView(data.buffer, data.byteOffset).getFloat64(0), at)
      })
      return conference.invitation.url
    },
    [name, server, url] as const,
  )
}

/** Into one conference, and with a bare data channel between them beside it. */
export async function meet(ada: Page, bob: Page, server: string): Promise<void> {
  const url = await enter(ada, "Ada", server, null)
  await enter(bob, "Bob", server, url)
  for (const page of [ada, bob]) await secured(page, 2)
  await connectRaw(ada, bob)
}

export async function secured(page: Page, members: number): Promise<void> {
  await page.waitForFunction(
    (count) => {
      const { status, members } = window.bench.conference.view
      return status === "secured" && members.length === count
    },
    members,
    { polling: 5 },
  )
}

/** One message, and nothing else on the way: milliseconds until the other one has it, and until both do. */
export async function latency(
  from: Page,
  to: Page,
  service: "agreed" | "safe",
): Promise<[other: number, both: number]> {
  const [sentMs, ownMs] = await from.evaluate(
    async ([service, bytes]) => {
      const now = (): number => performance.timeOrigin + performance.now()
      const payload = new Uint8Array(bytes)
      const sentMs = now()
      new DataView(payload.buffer).setFloat64(0, sentMs)
      await window.bench.conference.channel("bench").send(payload, { service })
      return [sentMs, now()] as const
    },
    [service, MESSAGE_BYTES] as const,
  )
  await to.waitForFunction((sentMs) => window.bench.arrivals.has(sentMs), sentMs, { polling: 5 })
  const theirsMs = await to.evaluate((sentMs) => window.bench.arrivals.get(sentMs)!, sentMs)
  return [theirsMs - sentMs, Math.max(ownMs, theirsMs) - sentMs]
}

/** Both are messages of 1 KB a second. They are measured one after the other, without other traffic. */
export type Rates = { readonly raw: number; readonly ours: number }

/** Sent for so long each, and `restMs` for what is still on its way then. */
export async function bothRates(from: Page, to: Page, forMs: number, restMs: number): Promise<Rates> {
  const raw = await rawRate(from, to, forMs)
  await from.waitForTimeout(restMs)
  const ours = await rate(from, to, forMs)
  await from.waitForTimeout(restMs)
  return { raw, ours }
}

/** Agreed messages a second that the other one receives, as fast as they are let. */
async function rate(from: Page, to: Page, forMs: number): Promise<number> {
  await from.evaluate(
    ([bytes, underWay]) => {
      const channel = window.bench.conference.channel("bench")
      window.sending = true
      const message = new Uint8Array(bytes)
      const send = async (): Promise<void> => {
        while (window.sending) await channel.send(message, { service: "agreed" })
      }
      for (let i = 0; i < underWay; i++) void send()
    },
    [MESSAGE_BYTES, UNDER_WAY] as const,
  )
  return counted(from, to, forMs, "bench")
}

/**
 * Rate between the first arrival after half the time and the first after all of it, by the receiver's clock. Hundreds may
 * arrive together, and a stalled channel is waited for. Ends the sending.
 */
async function counted(from: Page, to: Page, forMs: number, what: "bench" | "raw"): Promise<number> {
  const perSecond = await to.evaluate(
    async ([halfMs, what]) => {
      const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
      const arrival = async (): Promise<{ count: number; atMs: number }> => {
        const { received } = window[what]
        while (window[what].received === received) await pause(1)
        return { count: window[what].received, atMs: performance.now() }
      }
      await pause(halfMs)
      const first = await arrival()
      await pause(halfMs)
      const last = await arrival()
      return ((last.count - first.count) * 1000) / (last.atMs - first.atMs)
    },
    [forMs / 2, what] as const,
  )
  await from.evaluate(() => (window.sending = false))
  return perSecond
}

/** A data channel of its own between the same two pages. */
async function connectRaw(one: Page, two: Page): Promise<void> {
  const describe = (page: Page, remote: RTCSessionDescriptionInit | null): Promise<RTCSessionDescriptionInit> =>
    page.evaluate(async (remote) => {
      const connection = new RTCPeerConnection()
      const channel = connection.createDataChannel("raw", { negotiated: true, id: 1 })
      channel.binaryType = "arraybuffer"
      const raw = { connection, channel, received: 0, receivedBytes: 0 }
      // Bytes that nobody asks for are never made.
      channel.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
        raw.received++
        raw.receivedBytes += data.byteLength
      })
      window.raw = raw
      if (remote) await connection.setRemoteDescription(remote)
      await connection.setLocalDescription()
      while (connection.iceGatheringState !== "complete") await new Promise((done) => setTimeout(done, 20))
      return connection.localDescription!.toJSON() as RTCSessionDescriptionInit
    }, remote)
  const answer = await describe(two, await describe(one, null))
  await one.evaluate((answer) => window.raw.connection.setRemoteDescription(answer), answer)
  for (const page of [one, two]) await page.waitForFunction(() => window.raw.channel.readyState === "open")
}

/** Frames of one message each, a second, that the other one receives. */
async function rawRate(from: Page, to: Page, forMs: number): Promise<number> {
  await from.evaluate(
    ([bytes, high]) => {
      const { channel } = window.raw
      window.sending = true
      const message = new Uint8Array(bytes)
      channel.bufferedAmountLowThreshold = high / 4
      const fill = (): void => {
        while (window.sending && channel.bufferedAmount < high) channel.send(message)
      }
      channel.addEventListener("bufferedamountlow", fill)
      fill()
    },
    [MESSAGE_BYTES, CHANNEL_BYTES_HIGH] as const,
  )
  return counted(from, to, forMs, "raw")
}
