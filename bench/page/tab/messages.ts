/** Messages of 1 KB among the members of a tab, and over a bare data channel of the same tab. */
import type { ChannelMessage } from "@keymoot/core"
import type { TabRoom } from "./room.ts"

const MESSAGE_BYTES = 1024
/** Messages of each member that it has not yet delivered itself. */
const UNDER_WAY = 200
const CHANNEL = "bench"
/** Waiting with the bare channel. */
const BUFFERED_BYTES_MAX = 1024 * 1024

export type OrderedService = "agreed" | "safe"

/** One message after another, each by another member: milliseconds until the last member has it. */
export async function latencies(room: TabRoom, service: OrderedService, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const from = room.members[i % room.members.length]!
    const all = everywhere(room)
    const startMs = performance.now()
    await Promise.all([all, from.conference.channel(CHANNEL).send(new Uint8Array(MESSAGE_BYTES), { service })])
    times.push(performance.now() - startMs)
  }
  return times
}

async function everywhere(room: TabRoom): Promise<void> {
  const stop = new AbortController()
  await Promise.all(
    room.members.map(
      ({ conference }) => new Promise<void>((delivered) => onNew(conference.channel(CHANNEL), delivered, stop.signal)),
    ),
  )
  stop.abort()
}

/** Calls `listener` for new messages only. `channel.on` repeats earlier ones at once, before it returns. */
function onNew(
  channel: {
    on: (event: "message", listener: (message: ChannelMessage) => void, options: { signal: AbortSignal }) => void
  },
  listener: () => void,
  signal: AbortSignal,
): void {
  let isOld = true
  channel.on("message", () => isOld || listener(), { signal })
  isOld = false
}

/** Agreed messages a second that every member delivers, when all send as fast as they are let. */
export async function rate(room: TabRoom, forMs: number): Promise<number> {
  const counts = room.members.map(() => 0)
  const stop = new AbortController()
  const channels = room.members.map(({ conference }) => conference.channel(CHANNEL))
  for (const [i, channel] of channels.entries()) onNew(channel, () => counts[i]!++, stop.signal)
  const over = new AbortController()
  const sending = channels.flatMap((channel) =>
    Array.from({ length: UNDER_WAY }, async () => {
      while (!over.signal.aborted) await channel.send(new Uint8Array(MESSAGE_BYTES), { service: "agreed" })
    }),
  )
  await pause(forMs / 2)
  const [from, fromMs] = [Math.min(...counts), performance.now()]
  await pause(forMs)
  over.abort()
  await Promise.all(sending)
  // To the last delivery everywhere: batches are so large that a moment between two of them would make much of the figure.
  const sent = Math.max(...counts)
  while (Math.min(...counts) < sent) await pause(1)
  const toMs = performance.now()
  stop.abort()
  return ((sent - from) * 1000) / (toMs - fromMs)
}

/** Messages a second over one data channel with nothing above it, between two connections of this tab. */
export async function bareRate(forMs: number): Promise<number> {
  const [one, two] = [new RTCPeerConnection(), new RTCPeerConnection()]
  try {
    const [sender, receiver] = await connected(one, two)
    let received = 0
    receiver.addEventListener("message", () => void received++)
    sender.bufferedAmountLowThreshold = BUFFERED_BYTES_MAX / 4
    const untilMs = performance.now() + 1.5 * forMs
    const fill = (): void => {
      if (performance.now() >= untilMs) return
      while (sender.bufferedAmount < BUFFERED_BYTES_MAX) sender.send(new Uint8Array(MESSAGE_BYTES))
    }
    sender.addEventListener("bufferedamountlow", fill)
    fill()
    await pause(forMs / 2)
    const [from, fromMs] = [received, performance.now()]
    await pause(forMs)
    return ((received - from) * 1000) / (performance.now() - fromMs)
  } finally {
    one.close()
    two.close()
  }
}

async function connected(
  one: RTCPeerConnection,
  two: RTCPeerConnection,
): Promise<readonly [RTCDataChannel, RTCDataChannel]> {
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const)
    from.addEventListener("icecandidate", ({ candidate }) => void to.addIceCandidate(candidate ?? undefined))
  const create = (end: RTCPeerConnection): RTCDataChannel => end.createDataChannel("bare", { negotiated: true, id: 1 })
  const channels = [create(one), create(two)] as const
  const open = channels.map(
    (channel) => new Promise<void>((opened) => channel.addEventListener("open", () => opened(), { once: true })),
  )
  await one.setLocalDescription()
  await two.setRemoteDescription(one.localDescription!)
  await two.setLocalDescription()
  await one.setRemoteDescription(two.localDescription!)
  await Promise.all(open)
  return channels
}

function pause(forMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, forMs))
}
