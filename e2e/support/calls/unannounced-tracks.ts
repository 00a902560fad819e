/** Tracks that a member's page sends over its connection of a call by code of its own. The call knows nothing of them. */
import type { Person } from "../person.ts"

type Hostile = {
  readonly watched: { readonly connections: readonly RTCPeerConnection[] }
  /** Media worker and options of the sender of the camera. */
  sealing: [Worker, unknown] | null
}

/** Call it before the page loads. The page needs `watchMedia`, too. */
export async function allowUnannounced({ page }: Person): Promise<void> {
  await page.context().addInitScript(() => {
    const hostile = globalThis as unknown as Hostile
    globalThis.RTCRtpScriptTransform = class extends RTCRtpScriptTransform {
      constructor(worker: Worker, options: { readonly direction: string; readonly source: string }) {
        super(worker, options)
        if (options.direction === "send" && options.source === "camera") hostile.sealing = [worker, options]
      }
    }
  })
}

/** Sends a microphone or a camera in each place that the call has negotiated. */
export function fillPlaces({ page }: Person): Promise<void> {
  return page.evaluate(async () => {
    const { connections } = (globalThis as unknown as Hostile).watched
    // A busy machine may have replaced the first one.
    const live = connections.filter(({ connectionState }) => connectionState === "connected")
    const connection = live.find((each) => each.getConfiguration().bundlePolicy === "max-bundle")!
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    for (const { sender, receiver } of connection.getTransceivers()) {
      const track = stream.getTracks().find(({ kind }) => kind === receiver.track.kind)!
      await sender.replaceTrack(track.clone())
    }
  })
}

/**
 * Sends a camera in a place of its own, encrypted as the announced camera would be. The page answers its new description
 * itself, so the peer gets packets only. Resolves with a function that counts them.
 */
export async function addPlace({ page }: Person): Promise<() => Promise<number>> {
  const mid = await page.evaluate(async () => {
    const { watched, sealing } = globalThis as unknown as Hostile
    const connection = watched.connections.find((each) => each.getConfiguration().bundlePolicy === "max-bundle")!
    const stream = await navigator.mediaDevices.getUserMedia({ video: true })
    const transceiver = connection.addTransceiver(stream.getTracks()[0]!, { direction: "sendonly" })
    transceiver.sender.transform = new RTCRtpScriptTransform(...sealing!)
    const former = connection.remoteDescription!.sdp
    await connection.setLocalDescription(await connection.createOffer())
    const { mid } = transceiver
    const [session, ...sections] = former.split(/^(?=m=)/mu)
    const camera = sections.find((section) => section.startsWith("m=video"))!
    const further = camera
      .replace(/^a=mid:.*$/mu, `a=mid:${mid}`)
      .replace(/^a=sendrecv\r$/mu, "a=recvonly\r")
      .replaceAll(/^a=(?:ssrc|msid|candidate|end-of-candidates).*\r\n/gmu, "")
    // The answer may have only those extensions of headers that the offer has.
    const [, ...offered] = connection.localDescription!.sdp.split(/^(?=m=)/mu)
    const answered = [...sections, further].map((section, place) =>
      section.replaceAll(/^a=extmap:\S+ (\S+).*\r\n/gmu, (line, uri: string) =>
        offered[place]!.includes(` ${uri}`) ? line : "",
      ),
    )
    const sdp = `${session!.replace(/^a=group:BUNDLE .*$/mu, `$& ${mid}`)}${answered.join("")}`
    await connection.setRemoteDescription({ type: "answer", sdp: sdp.replaceAll("a=setup:actpass", "a=setup:passive") })
    return mid
  })
  return () =>
    page.evaluate(async (mid) => {
      const { connections } = (globalThis as unknown as Hostile).watched
      const reports = await Promise.all(connections.map((each) => each.getStats()))
      const all = reports.flatMap((report) => [...(report as Map<string, Record<string, unknown>>).values()])
      const own = all.find(({ type, mid: place }) => type === "outbound-rtp" && place === mid)
      return Number(own?.["packetsSent"] ?? 0)
    }, mid)
}
