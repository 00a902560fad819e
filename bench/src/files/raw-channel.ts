import type { Page } from "@playwright/test"

const MESSAGE_BYTES = 16 * 1024

declare global {
  interface Window {
    bare?: { readonly connection: RTCPeerConnection; readonly channel: Promise<RTCDataChannel> }
  }
}

/** Bytes a second from one page to another over a data channel with nothing above it. */
export async function measureRawChannel(from: Page, to: Page, bytes: number): Promise<number> {
  const offer = await from.evaluate(async () => {
    const connection = new RTCPeerConnection()
    const channel = connection.createDataChannel("raw")
    // The other end's "ready": from then on it listens.
    const ready = new Promise<RTCDataChannel>((done) => channel.addEventListener("message", () => done(channel)))
    window.bare = { connection, channel: ready }
    await connection.setLocalDescription()
    if (connection.iceGatheringState !== "complete")
      await new Promise<void>((done) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === "complete" && done()
      })
    return connection.localDescription!.toJSON() as { type: "offer"; sdp: string }
  })
  const answer = await to.evaluate(async (description) => {
    const connection = new RTCPeerConnection()
    window.bare = {
      connection,
      channel: new Promise((open) => connection.addEventListener("datachannel", ({ channel }) => open(channel))),
    }
    await connection.setRemoteDescription(description)
    await connection.setLocalDescription()
    if (connection.iceGatheringState !== "complete")
      await new Promise<void>((done) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === "complete" && done()
      })
    return connection.localDescription!.toJSON() as { type: "answer"; sdp: string }
  }, offer)
  await from.evaluate((description) => window.bare!.connection.setRemoteDescription(description), answer)
  const received = to.evaluate(receive, bytes)
  await from.evaluate(send, { bytes, messageBytes: MESSAGE_BYTES })
  const ms = await received
  for (const page of [from, to]) await page.evaluate(() => window.bare!.connection.close())
  return bytes / (ms / 1000)
}

/** Milliseconds from the first message to the last. */
async function receive(bytes: number): Promise<number> {
  const channel = await window.bare!.channel
  channel.binaryType = "arraybuffer"
  return new Promise((done) => {
    let [come, begun] = [0, 0]
    channel.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
      if (come === 0) begun = performance.now()
      come += data.byteLength
      if (come >= bytes) done(performance.now() - begun)
    })
    // Messages that arrive before the listener are lost.
    channel.send("ready")
  })
}

async function send({ bytes, messageBytes }: { bytes: number; messageBytes: number }): Promise<void> {
  const channel = await window.bare!.channel
  channel.bufferedAmountLowThreshold = 1024 * 1024
  const message = new Uint8Array(messageBytes)
  for (let sent = 0; sent < bytes; sent += messageBytes) {
    if (channel.bufferedAmount > 4 * 1024 * 1024)
      await new Promise((low) => channel.addEventListener("bufferedamountlow", low, { once: true }))
    channel.send(message)
  }
}
