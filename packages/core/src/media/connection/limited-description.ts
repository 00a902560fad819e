/** The peer's description as this end's browser has it: with this end's limits of its own sending. */
import {
  withConstantBitrate,
  withoutContentInHeaders,
  withoutStrayFeedback,
  withoutStreams,
  withVideoMaximum,
} from "./media-description.ts"

/** First maximum of a description. More than all tracks of `sendingLimits` take together. */
const VIDEO_KILOBITS = 2500

export class LimitedDescription {
  readonly #connection: RTCPeerConnection
  /** Whether this end has offered. */
  readonly #initiator: boolean
  #remote: string | null = null
  #applied: string | null = null
  /** Maximum of the last description. There is one from the first on: a maximum after none is no growth. */
  #kilobits = VIDEO_KILOBITS
  #packetMs = 20
  #isRefused = false

  constructor(connection: RTCPeerConnection, initiator: boolean) {
    this.#connection = connection
    this.#initiator = initiator
  }

  /** Takes the peer's description. Returns what the browser is given. */
  take(sdp: string): string {
    this.#remote = sdp
    return (this.#applied = this.#limited(sdp))
  }

  /** Chromium probes the line when the maximum of a description grows. */
  raiseMaximum(): void {
    this.#kilobits++
  }

  /** Returns whether it has changed. */
  setPacketMs(ms: number): boolean {
    const changed = ms !== this.#packetMs
    this.#packetMs = ms
    return changed
  }

  /**
   * Has the browser take changed limits. The peer gets nothing of this negotiation. A browser that refuses it is not asked
   * again.
   */
  async apply(): Promise<void> {
    const connection = this.#connection
    await this.#negotiate().catch(async () => {
      this.#isRefused = true
      if (connection.signalingState === "have-local-offer") await connection.setLocalDescription({ type: "rollback" })
      if (connection.signalingState === "have-remote-offer") await connection.setRemoteDescription({ type: "rollback" })
    })
  }

  async #negotiate(): Promise<void> {
    const [connection, initiator] = [this.#connection, this.#initiator]
    if (this.#isRefused || this.#remote === null) return
    const sdp = this.#limited(this.#remote)
    // Peers that come and go can have several changes wait for the same.
    if (sdp === this.#applied) return
    this.#applied = sdp
    if (initiator) await connection.setLocalDescription(await connection.createOffer())
    await connection.setRemoteDescription({ type: initiator ? "answer" : "offer", sdp })
    if (!initiator) await connection.setLocalDescription(await connection.createAnswer())
  }

  #limited(sdp: string): string {
    const own = withoutStreams(withoutStrayFeedback(withoutContentInHeaders(withConstantBitrate(sdp, this.#packetMs))))
    return withVideoMaximum(own, this.#kilobits)
  }
}
