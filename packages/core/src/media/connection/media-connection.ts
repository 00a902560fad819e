/**
 * A peer connection for the voice, video and screen of two members. It is separate from their link, which it cannot
 * harm. All four tracks are negotiated once. Afterwards only tracks are replaced. Another path needs another connection.
 *
 * Chromium decodes frames that arrive before a receiver has its transform, and sends frames of a track that precedes
 * it. So each transform is set in the task in which its transceiver appears, and before any track.
 */
import type { Sink } from "@keymoot/transport"
import type { IceServer, IceTransportPolicy } from "@keymoot/transport/host"
import { isVideo, MEDIA_SOURCES, type MediaMember, type MediaSource } from "../keys/media-view.ts"
import type { Track } from "../worker/frame-cipher.ts"
import type { TransformOptions } from "../worker/frame-transforms.ts"
import type { ToMediaWorker } from "../worker/media-worker-protocol.ts"
import { BandwidthProbes, estimateOf } from "./bandwidth-probes.ts"
import { LimitedDescription } from "./limited-description.ts"
import type { Loudness, LoudnessMeter } from "./loudness.ts"
import { descriptionFault, ignoresConstantBitrate, wantedCodecs, withRedFirst } from "./media-description.ts"
import { type PathInput, type PathOutput, PathWatch } from "./path-watch.ts"
import { packetAgeMs } from "./reception.ts"
import type { SendingLimits } from "./sending-limits.ts"

/** Candidates of a peer for one connection. Further ones are dropped. A description may have as many. */
export const MEDIA_CANDIDATES_MAX = 64
/** After this time without statistics, none are expected. Otherwise one connection would stop the looks at others. */
export const STATISTICS_MS = 1000
/** Time with ICE disconnected after which the path is lost. The event repeats after each such time. */
const DISCONNECTED_MS = 500
/**
 * Errors by which browsers refuse the content of a description. Any other error comes from this end, such as a
 * connection that is closed or a browser that makes no more of them.
 */
const REFUSALS: readonly string[] = ["OperationError", "InvalidAccessError", "SyntaxError"]

export type ConnectionSignal =
  | { readonly kind: "description"; readonly type: "offer" | "answer"; readonly sdp: string }
  | { readonly kind: "candidate"; readonly candidate: string; readonly section: number }

export type MediaConnectionEvent =
  | { readonly type: "signal"; readonly signal: ConnectionSignal }
  | { readonly type: "changed" }
  /** The browser gets no answers over the path any more. */
  | { readonly type: "lost" }
  /** `fault`: the peer broke a rule; null if the path or this end failed. No event follows. */
  | { readonly type: "failed"; readonly fault: string | null }

/** Knows since when the peer of a connection is silent. See `MediaThread`. */
export type SoundSource = { silentSinceMs(connection: number): number | null }

export type MediaConnectionConfig = {
  readonly peer: MediaMember
  readonly initiator: boolean
  readonly iceServers: readonly IceServer[]
  readonly transportPolicy: IceTransportPolicy
  /** Media worker, which transforms all frames. */
  readonly worker: Worker
  readonly loudness: Loudness
  readonly sink: Sink<MediaConnectionEvent>
}

export class MediaConnection {
  static #connections = 0
  /** Name of this connection in the media worker. No other one of this page has it. */
  readonly #id = ++MediaConnection.#connections
  readonly #config: MediaConnectionConfig
  readonly #connection: RTCPeerConnection
  readonly #description: LimitedDescription
  readonly #transceivers = new Map<MediaSource, RTCRtpTransceiver>()
  readonly #tracks = new Map<MediaSource, MediaStreamTrack>()
  readonly #limits = new Map<MediaSource, SendingLimits>()
  #early: RTCIceCandidateInit[] = []
  #isDescribed = false
  #candidates = 0
  #work: Promise<void> = Promise.resolve()
  readonly #probes = new BandwidthProbes()
  #lost: ReturnType<typeof setInterval> | undefined
  #meter: LoudnessMeter | null = null
  readonly #watch = new PathWatch()
  #closed = false

  /** Throws if the browser refuses the connection or a part of it. */
  constructor(config: MediaConnectionConfig) {
    this.#config = config
    const { iceServers, transportPolicy, initiator } = config
    const connection = new RTCPeerConnection({
      iceServers: iceServers.map(({ urls, ...rest }) => ({
        ...rest,
        urls: typeof urls === "string" ? urls : [...urls],
      })),
      iceTransportPolicy: transportPolicy,
      bundlePolicy: "max-bundle",
    })
    this.#connection = connection
    this.#description = new LimitedDescription(connection, initiator)
    connection.addEventListener("icecandidate", ({ candidate }) => this.#signalCandidate(candidate))
    connection.addEventListener("connectionstatechange", () => this.#onState())
    connection.addEventListener("iceconnectionstatechange", () => this.#onIceState())
    connection.addEventListener("track", ({ transceiver }) => this.#adopt(transceiver))
    if (!initiator) return
    try {
      for (const source of MEDIA_SOURCES)
        this.#own(source, connection.addTransceiver(isVideo(source) ? "video" : "audio", { direction: "sendrecv" }))
    } catch (error) {
      this.close()
      throw error
    }
    this.#offer()
  }

  get isConnected(): boolean {
    return this.#connection.connectionState === "connected"
  }

  /** It has a path, which may be lost. */
  get hasPath(): boolean {
    return this.isConnected || this.#connection.connectionState === "disconnected"
  }

  /** The peer's track of that source, muted while it sends nothing; null before the connection is negotiated. */
  received(source: MediaSource): MediaStreamTrack | null {
    return this.#transceivers.get(source)?.receiver.track ?? null
  }

  /** Loudness of the peer's microphone, 0 to 1. */
  get level(): number {
    return this.#meter?.level ?? 0
  }

  /** Whether the line carries less than this end's pictures may take. */
  get isNarrow(): boolean {
    return this.#probes.isNarrow
  }

  /**
   * Counters of this connection from the browser. It looks for a wider line, too.
   * @throws Error if the browser does not answer, as for a connection that closes meanwhile
   */
  async look(): Promise<readonly object[]> {
    const report = this.#connection.getStats() as Promise<ReadonlyMap<string, object>>
    const statistics = [...(await within(report, STATISTICS_MS)).values()]
    if (this.#probes.step({ estimate: estimateOf(statistics), wanted: this.#wanted })) {
      this.#description.raiseMaximum()
      this.#then(() => this.#description.apply())
    }
    return statistics
  }

  /**
   * Decides when the peer's sound stops. Call it with each report of the media worker. The browser knows the time of the
   * last sound too, but Chromium stops the page for some 4 ms to tell it.
   */
  watch({ sounds, ...input }: Omit<PathInput, "silentSinceMs"> & { readonly sounds: SoundSource }): PathOutput {
    return this.#watch.step({ ...input, silentSinceMs: sounds.silentSinceMs(this.#id) })
  }

  /** Time since the last packet of the peer's media, with or without a frame of sound. */
  async packetAgeMs(): Promise<number> {
    return packetAgeMs((await this.#connection.getStats()) as ReadonlyMap<string, object>)
  }

  signal(signal: ConnectionSignal): void {
    if (this.#closed) return
    if (signal.kind === "description") {
      // Checked on arrival. Otherwise descriptions of a flooder would wait for the browser without a limit.
      if (this.#isDescribed) return this.#fail("an unexpected description")
      this.#isDescribed = true
      return this.#then(() => this.#take(signal))
    }
    if (this.#candidates++ >= MEDIA_CANDIDATES_MAX) return
    const init = { candidate: signal.candidate, sdpMLineIndex: signal.section }
    if (this.#connection.remoteDescription) this.#addCandidate(init)
    else if (this.#early.length < MEDIA_CANDIDATES_MAX) this.#early.push(init)
  }

  /** Sends this track from now on; null for none. */
  send(source: MediaSource, track: MediaStreamTrack | null): void {
    if (track) this.#tracks.set(source, track)
    else this.#tracks.delete(source)
    this.#apply(source)
  }

  /** Sets upper limits of what is sent of a source. An encoder begins with them if they are set before its first frame. */
  limit(source: MediaSource, limits: SendingLimits): void {
    this.#limits.set(source, limits)
    this.#applyLimits(source)
  }

  /** For browsers that generate key frames only on the page's request. */
  requestKeyFrame(source: MediaSource): void {
    const sender = this.#transceivers.get(source)?.sender
    const parameters = sender?.getParameters()
    if (!sender || !parameters?.encodings[0]) return
    const options = { encodingOptions: parameters.encodings.map(() => ({ keyFrame: true })) }
    // TypeScript's types lack the second parameter of WebRTC Extensions.
    const set = sender.setParameters.bind(sender) as (
      parameters: RTCRtpSendParameters,
      options: unknown,
    ) => Promise<void>
    void set(parameters, options).catch(() => undefined)
  }

  /** Sets how much sound this end sends in a packet. */
  setPacketMs(ms: number): void {
    if (this.#description.setPacketMs(ms)) this.#then(() => this.#description.apply())
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#lost)
    this.#meter?.close()
    this.#connection.close()
    this.#config.worker.postMessage({ type: "ended", connection: this.#id } satisfies ToMediaWorker)
  }

  /** Takes a transceiver that the peer's offer has made. It runs in the task of the `track` event. */
  #adopt(transceiver: RTCRtpTransceiver): void {
    const source = MEDIA_SOURCES[this.#connection.getTransceivers().indexOf(transceiver)]
    if (!source || this.#transceivers.has(source) || this.#closed) return
    try {
      transceiver.direction = "sendrecv"
      this.#own(source, transceiver)
    } catch {
      this.#fail(null)
    }
  }

  #own(source: MediaSource, transceiver: RTCRtpTransceiver): void {
    const { peer, worker } = this.#config
    const isVoice = source === "microphone"
    const kind = isVideo(source) ? "video" : "audio"
    const codecs = wantedCodecs(kind, RTCRtpReceiver.getCapabilities(kind)?.codecs ?? [])
    const transform = (direction: Track["direction"]): RTCRtpScriptTransform => {
      const isPadded = direction === "send" && kind === "audio" && ignoresConstantBitrate(codecs)
      const options: TransformOptions = { direction, source, peer, connection: this.#id, isPadded }
      return new RTCRtpScriptTransform(worker, options)
    }
    transceiver.receiver.transform = transform("receive")
    transceiver.sender.transform = transform("send")
    transceiver.setCodecPreferences(isVoice ? withRedFirst(codecs) : codecs)
    if (isVoice) this.#meter = this.#config.loudness.meter(transceiver.receiver.track)
    this.#transceivers.set(source, transceiver)
    this.#apply(source)
    this.#applyLimits(source)
  }

  #apply(source: MediaSource): void {
    const sender = this.#transceivers.get(source)?.sender
    if (!sender || this.#closed) return
    const track = this.#tracks.get(source) ?? null
    // Never without a transform, since then plaintext would leave.
    if (track && !sender.transform) throw new Error("a sender has no transform")
    void sender.replaceTrack(track).catch(() => undefined)
  }

  #applyLimits(source: MediaSource): void {
    const limits = this.#limits.get(source)
    const sender = this.#transceivers.get(source)?.sender
    const parameters = sender?.getParameters()
    const [encoding] = parameters?.encodings ?? []
    if (!limits || !sender || !parameters || !encoding) return
    Object.assign(encoding, limits)
    void sender.setParameters(parameters).catch(() => undefined)
  }

  #offer(): void {
    this.#then(async () => {
      await this.#connection.setLocalDescription(await this.#connection.createOffer())
      this.#describe("offer")
    })
  }

  /** Bits a second that all pictures of this end may take. */
  get #wanted(): number {
    const senders = MEDIA_SOURCES.filter(isVideo).map((source) => this.#transceivers.get(source)?.sender)
    const encodings = senders.flatMap((sender) => (sender?.track ? sender.getParameters().encodings.slice(0, 1) : []))
    return encodings.reduce((sum, { active, maxBitrate = 0 }) => sum + (active ? maxBitrate : 0), 0)
  }

  async #take({ type, sdp }: ConnectionSignal & { readonly kind: "description" }): Promise<void> {
    const { initiator } = this.#config
    if ((type === "offer") === initiator) return this.#fail("an unexpected description")
    const fault = descriptionFault(sdp)
    if (fault) return this.#fail(`a description with a fault: ${fault}`)
    const candidates = sdp.match(/^a=candidate\b/gimu)?.length ?? 0
    if (candidates > MEDIA_CANDIDATES_MAX) return this.#fail("a description with too many candidates")
    const own = this.#description.take(sdp)
    const error = await this.#connection.setRemoteDescription({ type, sdp: own }).then(() => null, asError)
    if (error) return this.#fail(REFUSALS.includes(error.name) ? error.message : null)
    for (const candidate of this.#early.splice(0)) this.#addCandidate(candidate)
    if (type === "answer") return
    await this.#connection.setLocalDescription(await this.#connection.createAnswer())
    this.#describe("answer")
  }

  #describe(type: "offer" | "answer"): void {
    const sdp = this.#connection.localDescription?.sdp
    if (sdp !== undefined && !this.#closed) this.#signal({ kind: "description", type, sdp })
  }

  #then(task: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#closed ? undefined : task())).catch(() => this.#fail(null))
  }

  /** Ignores a candidate that this browser does not understand, since others may work. */
  #addCandidate(candidate: RTCIceCandidateInit): void {
    this.#connection.addIceCandidate(candidate).catch(() => undefined)
  }

  #signalCandidate(candidate: RTCIceCandidate | null): void {
    if (this.#closed || !candidate?.candidate) return
    this.#signal({ kind: "candidate", candidate: candidate.candidate, section: candidate.sdpMLineIndex ?? 0 })
  }

  #onState(): void {
    if (this.#closed) return
    if (this.#connection.connectionState === "failed") return this.#fail(null)
    this.#config.sink.take({ type: "changed" })
  }

  #onIceState(): void {
    clearInterval(this.#lost)
    if (this.#closed || this.#connection.iceConnectionState !== "disconnected") return
    this.#lost = setInterval(() => this.#config.sink.take({ type: "lost" }), DISCONNECTED_MS)
  }

  #signal(signal: ConnectionSignal): void {
    this.#config.sink.take({ type: "signal", signal })
  }

  #fail(fault: string | null): void {
    if (this.#closed) return
    this.close()
    this.#config.sink.take({ type: "failed", fault })
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** @throws Error after so many milliseconds */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error("it is late")), ms)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
