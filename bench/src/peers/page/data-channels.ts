/** A data channel with nothing above it, and the same with simple-peer above it. */
import SimplePeer from "simple-peer/simplepeer.min.js"
import type { Contestant, Meeting } from "./contestant.ts"
import { signalling } from "./relay.ts"

/** A contestant that shares the page with others must be closed. */
type Closable = Contestant & { readonly close: () => void }

export async function rawChannel(to: Meeting): Promise<Closable> {
  const connection = new RTCPeerConnection()
  const channel = connection.createDataChannel("raw", { negotiated: true, id: 1 })
  channel.binaryType = "arraybuffer"
  const opened = new Promise((open) => channel.addEventListener("open", open, { once: true }))
  const describe = async (): Promise<void> => {
    await connection.setLocalDescription()
    while (connection.iceGatheringState !== "complete")
      await new Promise((done) => connection.addEventListener("icegatheringstatechange", done, { once: true }))
    signal(connection.localDescription!.toJSON() as object)
  }
  const { signal, begun } = await signalling(to, async (description) => {
    await connection.setRemoteDescription(description as RTCSessionDescriptionInit)
    if (to.role === "second") await describe()
  })
  await begun
  if (to.role === "first") await describe()
  await opened
  return {
    send: (bytes) => channel.send(bytes as Uint8Array<ArrayBuffer>),
    listen: (onMessage) =>
      channel.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => onMessage(new Uint8Array(data))),
    close: () => connection.close(),
  }
}

export async function simplePeer(to: Meeting): Promise<Closable> {
  const peer = Promise.withResolvers<SimplePeer>()
  const { signal, begun } = await signalling(to, (said) => void peer.promise.then((made) => made.signal(said)))
  await begun
  const made = new SimplePeer({ initiator: to.role === "first", config: { iceServers: [] } })
  made.on("signal", (said) => signal(said as object))
  peer.resolve(made)
  await new Promise<void>((open) => made.on("connect", open))
  return {
    send: (bytes) => made.send(bytes),
    listen: (onMessage) => made.on("data", (data) => onMessage(data as Uint8Array)),
    close: () => made.destroy(),
  }
}
