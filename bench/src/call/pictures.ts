/** Counters of the browser for the pictures of a call. They only grow, so two looks give what happened between them. */

/** Sums over all pictures that arrive, and over those that are sent. `atMs`: by the clock of the page. */
export type Pictures = {
  /** Pictures that arrive, and their lines. They do not grow. */
  readonly count: number
  readonly lines: number
  readonly atMs: number
  readonly frames: number
  readonly decodeSeconds: number
  readonly buffered: number
  readonly bufferSeconds: number
  readonly encoded: number
  readonly encodeSeconds: number
  readonly packets: number
  readonly paceSeconds: number
  readonly roundTrips: number
  readonly roundTripSeconds: number
}

/** Runs in the page of a `Caller`, which keeps its connections. */
export async function readPictures(): Promise<Pictures> {
  const { connections } = globalThis as unknown as { readonly connections: readonly RTCPeerConnection[] }
  const received = { count: 0, lines: 0, frames: 0, decodeSeconds: 0, buffered: 0, bufferSeconds: 0 }
  const sent = { encoded: 0, encodeSeconds: 0, packets: 0, paceSeconds: 0 }
  const network = { roundTrips: 0, roundTripSeconds: 0 }
  const connected = connections.filter((each) => each.connectionState === "connected")
  const reports = await Promise.all(connected.map((each) => each.getStats()))
  const atMs = performance.now()
  for (const report of reports)
    for (const stats of report.values() as IterableIterator<Record<string, number | string>>) {
      const number = (name: string): number => Number(stats[name] ?? 0)
      if (stats["type"] === "candidate-pair") {
        network.roundTrips += number("responsesReceived")
        network.roundTripSeconds += number("totalRoundTripTime")
      }
      if (stats["kind"] !== "video") continue
      if (stats["type"] === "outbound-rtp") {
        sent.encoded += number("framesEncoded")
        sent.encodeSeconds += number("totalEncodeTime")
        sent.packets += number("packetsSent")
        sent.paceSeconds += number("totalPacketSendDelay")
      }
      if (stats["type"] !== "inbound-rtp" || number("framesDecoded") === 0) continue
      received.count++
      received.lines += number("frameHeight")
      received.frames += number("framesDecoded")
      received.decodeSeconds += number("totalDecodeTime")
      received.buffered += number("jitterBufferEmittedCount")
      received.bufferSeconds += number("jitterBufferDelay")
    }
  return { ...received, ...sent, ...network, atMs }
}
