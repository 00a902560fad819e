/** A page's handling of data channels that cannot be moved to the engine's thread, or never open there. */
import { expect, test } from "vitest"
import { FRAME_BUFFERS_MAX, FrameBuffers, frameBuffers } from "../../src/port/frame-buffers.ts"
import { ChannelEnds } from "../../src/host/channel-ends.ts"
import { MovedChannels } from "../../src/host/moved-channels.ts"
import { EARLY_FRAMES_MAX } from "../../src/host/frame-connection.ts"
import type { ConnectionId, HostEvent } from "../../src/port/port.ts"

const connectionId = 1 as ConnectionId
const channel = { label: "frames" } as RTCDataChannel
const connection = (connectionState: RTCPeerConnectionState, sctp: RTCSctpTransportState = "connecting") =>
  ({ connectionState, sctp: { state: sctp } }) as RTCPeerConnection

test("keeps all channels in the page when the browser refuses to transfer one", () => {
  let tried = 0
  const hand = (): void => {
    tried++
    throw new DOMException("could not be cloned", "DataCloneError")
  }
  const moved = new MovedChannels(hand, () => undefined)
  expect([
    moved.move(connectionId, channel, connection("new")),
    moved.move(connectionId, channel, connection("new")),
  ]).toEqual([null, null])
  expect(tried).toBe(1)
})

test("keeps later channels in the page after one never opened on a live connection", () => {
  const closed: ConnectionId[] = []
  const moved = new MovedChannels(
    () => undefined,
    (number) => void closed.push(number),
  )
  moved.move(connectionId, channel, connection("connected", "connected"))!.close()
  expect(closed).toEqual([connectionId])
  expect(moved.move(connectionId, channel, connection("new"))).toBeNull()
})

test("moves later channels after a peer has made half of a connection, without SCTP", () => {
  const moved = new MovedChannels(
    () => undefined,
    () => undefined,
  )
  moved.move(connectionId, channel, connection("connected"))!.close()
  expect(moved.move(connectionId, channel, connection("new"))).not.toBeNull()
})

test("a failed connection or an open channel says nothing about transfers", () => {
  const moved = new MovedChannels(
    () => undefined,
    () => undefined,
  )
  moved.move(connectionId, channel, connection("failed"))!.close()
  const open = moved.move(connectionId, channel, connection("connected", "connected"))!
  moved.onNews({ connectionId, state: "open" })
  expect(open.readyState).toBe("open")
  open.close()
  expect(moved.move(connectionId, channel, connection("new"))).not.toBeNull()
})

/** A channel that a test opens, and lets frames come over. */
class GivenChannel extends EventTarget {
  readyState: RTCDataChannelState = "connecting"
  bufferedAmount = 0
  bufferedAmountLowThreshold = 0
  readonly sent: Uint8Array[] = []

  send(frame: Uint8Array): void {
    this.sent.push(frame)
  }

  close(): void {
    this.readyState = "closed"
  }

  open(): void {
    this.readyState = "open"
    this.dispatchEvent(new Event("open"))
  }

  come(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }))
  }
}

function end() {
  const heard: HostEvent[] = []
  const news: string[] = []
  const given = new GivenChannel()
  const ends = new ChannelEnds({
    engine: { take: (event) => void heard.push(event) },
    page: { take: (told) => void news.push(told.state === "failed" ? told.reason : told.state) },
  })
  ends.add(connectionId, given as unknown as RTCDataChannel)
  const connected = (): void =>
    ends.pass({ type: "peer-connected", connectionId, localFingerprint: "", remoteFingerprint: "" })
  const frame = (byte: number): ArrayBuffer => Uint8Array.of(byte).buffer
  return { heard, news, given, ends, connected, frame }
}

test("buffers frames before the connection's event, and drops those after its end", () => {
  const { heard, given, ends, connected, frame } = end()
  given.open()
  given.come(frame(1))
  expect(heard).toEqual([])
  connected()
  given.come(frame(2))
  ends.pass({ type: "peer-closed", connectionId, byPeer: true, reason: "any" })
  given.come(frame(3))
  expect(
    heard.map((event) => (event.type === "peer-frames" ? event.frames.map(([byte]) => byte) : event.type)),
  ).toEqual(["peer-connected", [1], [2], "peer-closed"])
})

test("puts what the engine sends into the channel, and the rest on to the page", () => {
  const { given, ends, connected } = end()
  given.open()
  connected()
  const frames = [Uint8Array.of(1), Uint8Array.of(2)]
  expect(ends.post({ type: "peer-send", connectionId, reliability: "reliable", frames })).toBe(true)
  expect(given.sent).toEqual(frames)
  expect(ends.post({ type: "peer-send", connectionId, reliability: "unreliable", frames })).toBe(false)
  expect(ends.post({ type: "peer-send", connectionId: 2 as ConnectionId, reliability: "reliable", frames })).toBe(false)
  expect(ends.post({ type: "peer-close", connectionId })).toBe(false)
  // After its goodbye.
  ends.post({ type: "peer-send", connectionId, reliability: "reliable", frames })
  expect(given.sent).toEqual(frames)
})

test("forgets a channel that the other side has closed, once the connection has ended", () => {
  const { given, ends, connected } = end()
  const isKnown = (): boolean => ends.post({ type: "peer-send", connectionId, reliability: "reliable", frames: [] })
  given.open()
  connected()
  given.close()
  given.dispatchEvent(new Event("close"))
  expect(isKnown()).toBe(true)
  ends.pass({ type: "peer-closed", connectionId, byPeer: true, reason: "any" })
  expect(isKnown()).toBe(false)
})

test("forgets a channel that both sides close, the other one first", () => {
  const { news, given, ends, connected } = end()
  const isKnown = (): boolean => ends.post({ type: "peer-send", connectionId, reliability: "reliable", frames: [] })
  given.open()
  connected()
  ends.post({ type: "peer-close", connectionId })
  expect(isKnown()).toBe(true)
  given.close()
  given.dispatchEvent(new Event("close"))
  expect(isKnown()).toBe(false)
  expect(news).toEqual(["open", "closed"])
})

test("reuses the buffer of a frame that has gone into the channel, never of a waiting", () => {
  const { given, ends, connected } = end()
  given.open()
  connected()
  const frame = new Uint8Array(20_000)
  const post = (): void => void ends.post({ type: "peer-send", connectionId, reliability: "reliable", frames: [frame] })
  given.bufferedAmount = 16 * 1024 * 1024
  post()
  expect(frameBuffers.take(frame.length)).not.toBe(frame)
  given.bufferedAmount = 0
  given.dispatchEvent(new Event("bufferedamountlow"))
  expect(given.sent).toEqual([frame])
  expect(frameBuffers.take(frame.length)).toBe(frame)
  // Once.
  expect(frameBuffers.take(frame.length)).not.toBe(frame)
})

test("keeps as many equal large buffers as stated, and none that others share", () => {
  const buffers = new FrameBuffers()
  const large = (): Uint8Array => new Uint8Array(20_000)
  const given = Array.from({ length: 2 * FRAME_BUFFERS_MAX }, large)
  for (const each of given) buffers.giveBack(each)
  const taken = Array.from({ length: 2 * FRAME_BUFFERS_MAX }, () => buffers.take(20_000))
  expect(taken.filter((each) => given.includes(each))).toHaveLength(FRAME_BUFFERS_MAX)
  buffers.giveBack(new Uint8Array(100))
  expect(buffers.take(100)).toEqual(new Uint8Array(100))
  const part = new Uint8Array(30_000).subarray(0, 20_000)
  buffers.giveBack(part)
  expect(buffers.take(20_000)).not.toBe(part)
  const first = large()
  buffers.giveBack(first)
  expect(buffers.take(20_001)).toHaveLength(20_001)
  // Other lengths have begun.
  expect(buffers.take(20_000)).not.toBe(first)
})

test("ends the link with a reason on text, or a flood before the connection", () => {
  const text = end()
  text.given.open()
  text.given.come("text")
  expect(text.news).toEqual(["open", "text came where only bytes may"])
  const flood = end()
  flood.given.open()
  for (let i = 0; i <= EARLY_FRAMES_MAX; i++) flood.given.come(flood.frame(1))
  expect(flood.news).toEqual(["open", "the other side floods a connection that is not open"])
})
