/** This member's tracks in a call, and how much of each is sent to whom. */
import { LoadWatch } from "../connection/load-watch.ts"
import type { MediaConnection } from "../connection/media-connection.ts"
import { callSize, packetMs, sendingLimits } from "../connection/sending-limits.ts"
import { isVideo, type MediaSource } from "../keys/media-view.ts"
import { connectionsOf, type Peer } from "./call-peer.ts"

export class OwnTracks {
  readonly #tracks = new Map<MediaSource, MediaStreamTrack>()
  readonly #load = new LoadWatch()

  /** Whether the camera is sent with less than the call allows, because the machine is overloaded. */
  get isVideoReduced(): boolean {
    return this.#load.level > 0 && this.#tracks.has("camera")
  }

  /** Sends this track to all; null for none. */
  set(source: MediaSource, track: MediaStreamTrack | null, peers: Iterable<Peer>): void {
    if (track) this.#tracks.set(source, track)
    else this.#tracks.delete(source)
    for (const peer of peers) for (const each of connectionsOf(peer)) each.send(source, track)
  }

  sendOver(connection: MediaConnection | null): void {
    for (const [source, track] of this.#tracks) connection?.send(source, track)
  }

  /** Sets what these peers get. `count`: other members in the call. */
  limit(peers: Iterable<Peer>, count: number): void {
    for (const { connection, peer } of peers) {
      connection?.setPacketMs(packetMs(count))
      for (const [source, track] of this.#tracks) {
        if (!isVideo(source)) continue
        const { height = 0 } = track.getSettings()
        const call = { size: callSize(count), load: this.#load.level, wanted: peer.wanted }
        connection?.limit(source, sendingLimits({ source, height, ...call }))
      }
    }
  }

  /** `share`: of its turns that a timer had. Returns whether other limits hold, since the machine is overloaded. */
  weigh(share: number): boolean {
    return this.#load.step(share)
  }
}
