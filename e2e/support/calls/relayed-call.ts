/** Calls of members whose link goes by the server's relay, so the server carries the signals of the call. */
import type { Person } from "../person.ts"

type Noted = {
  readonly watched: { readonly connections: readonly RTCPeerConnection[] }
  readonly fingerprints: { readonly own: Set<string>; readonly remote: Set<string> }
}

export type Negotiated = {
  /** Certificates of this end's connections for calls, and those that the other end's descriptions named. */
  readonly own: readonly string[]
  readonly remote: readonly string[]
  /** Codecs of all that was received. */
  readonly codecs: readonly string[]
  /** Senders and receivers without a transform, which would let frames pass unencrypted. */
  readonly unencrypted: number
}

/** Leaves links of the page no direct path, but connections of calls. Call it before the page loads, after `watchMedia`. */
export async function linkOverServer({ page }: Person): Promise<void> {
  await page.context().addInitScript(() => {
    const fingerprints = { own: new Set<string>(), remote: new Set<string>() }
    Object.assign(globalThis, { fingerprints })
    const note = (into: Set<string>, sdp = ""): void => {
      for (const line of sdp.match(/^a=fingerprint:.*$/gmu) ?? []) into.add(line.trim().toUpperCase())
    }
    const isOfCall = (each: RTCPeerConnection): boolean => each.getConfiguration().bundlePolicy === "max-bundle"
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration: RTCConfiguration = {}) {
        // Without a TURN server, "relay" leaves no address to try.
        super(
          configuration.bundlePolicy === "max-bundle"
            ? configuration
            : { ...configuration, iceServers: [], iceTransportPolicy: "relay" },
        )
      }
      override async setLocalDescription(init?: RTCLocalSessionDescriptionInit): Promise<void> {
        await super.setLocalDescription(init)
        if (isOfCall(this)) note(fingerprints.own, this.localDescription?.sdp)
      }
      override async setRemoteDescription(init: RTCSessionDescriptionInit): Promise<void> {
        if (isOfCall(this)) note(fingerprints.remote, init.sdp)
        await super.setRemoteDescription(init)
      }
    }
  })
}

/** Counts of this person's calls so far. */
export function negotiatedBy({ page }: Person): Promise<Negotiated> {
  return page.evaluate(async () => {
    const { watched, fingerprints } = globalThis as unknown as Noted
    const calls = watched.connections.filter((each) => each.getConfiguration().bundlePolicy === "max-bundle")
    const reports = await Promise.all(calls.map((each) => each.getStats()))
    const codecs = reports.flatMap((report) => {
      const all = [...(report as Map<string, Record<string, unknown>>).values()]
      const received = all.filter(({ type, packetsReceived }) => type === "inbound-rtp" && Number(packetsReceived) > 0)
      const used = new Set(received.map(({ codecId }) => codecId))
      return all.filter(({ id }) => used.has(id)).map(({ mimeType }) => String(mimeType))
    })
    const ends = calls.flatMap((each) => each.getTransceivers().flatMap(({ sender, receiver }) => [sender, receiver]))
    return {
      own: [...fingerprints.own],
      remote: [...fingerprints.remote],
      codecs: [...new Set(codecs)],
      unencrypted: ends.filter(({ transform }) => !transform).length,
    }
  })
}
