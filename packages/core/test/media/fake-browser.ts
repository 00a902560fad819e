/**
 * The browser's part of a call, for tests in Node. It reports each moment in which a real one would let plaintext leave
 * or give ciphertext to a decoder: it connects nothing.
 */
import { isVideo, MEDIA_SOURCES } from "../../src/media/keys/media-view.ts"
import type { TransformOptions } from "../../src/media/worker/frame-transforms.ts"
import { SoundReports, type Sounds } from "../../src/media/worker/sound-reports.ts"
import { sampleDescription } from "./connection/sample-description.ts"

type Described = { readonly type: "offer" | "answer" | "rollback"; readonly sdp: string }

class FakeTransform {
  readonly options: TransformOptions

  constructor(_: unknown, options: TransformOptions) {
    this.options = options
  }
}

class FakeSender {
  transform: FakeTransform | null = null
  track: unknown = null
  readonly #browser: FakeBrowser

  constructor(browser: FakeBrowser) {
    this.#browser = browser
  }

  async replaceTrack(track: unknown): Promise<void> {
    if (track && !this.transform) this.#browser.leaks.push("plaintext leaves")
    this.track = track
  }

  getParameters(): { readonly encodings: readonly object[] } {
    return { encodings: [{ ...this.limits }] }
  }

  /** Limits that were set last. */
  limits: { readonly active?: boolean; readonly maxFramerate?: number } = {}

  async setParameters({ encodings: [limits] }: { readonly encodings: readonly object[] }): Promise<void> {
    this.limits = limits!
    this.#browser.parameterChanges++
  }
}

class FakeReceiver {
  transform: FakeTransform | null = null
  readonly track = {}
  /** When the last frame arrived. */
  heardAtMs = -Infinity

  hear(): void {
    this.heardAtMs = performance.now()
  }

  static getCapabilities(kind: string): { readonly codecs: readonly { readonly mimeType: string }[] } {
    const names = kind === "video" ? ["VP8", "rtx", "VP9", "H264", "AV1"] : ["opus", "red", "G722", "PCMU"]
    return { codecs: names.map((name) => ({ mimeType: `${kind}/${name}` })) }
  }
}

class FakeTransceiver {
  readonly sender: FakeSender
  readonly receiver = new FakeReceiver()
  readonly #browser: FakeBrowser

  constructor(browser: FakeBrowser) {
    this.#browser = browser
    this.sender = new FakeSender(browser)
    // Chromium decodes what arrives from the next task on.
    browser.checks.push(() => {
      if (!this.receiver.transform) browser.leaks.push("ciphertext is decoded")
    })
  }

  /** Names of the codecs that the browser may use, in order. */
  codecs: readonly string[] = []

  setCodecPreferences(codecs: readonly { readonly mimeType: string }[]): void {
    if (this.#browser.refusesCodecs) throw new DOMException("no such codec", "InvalidModificationError")
    this.codecs = codecs.map(({ mimeType }) => mimeType)
  }
}

/** Used part of an `RTCPeerConnection`. */
export class FakeConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = "new"
  iceConnectionState: RTCIceConnectionState = "new"
  signalingState: RTCSignalingState = "stable"
  localDescription: Described | null = null
  remoteDescription: Described | null = null
  readonly described: string[] = []
  readonly candidates: unknown[] = []
  readonly transceivers: FakeTransceiver[] = []
  readonly #browser: FakeBrowser

  constructor(browser: FakeBrowser) {
    super()
    this.#browser = browser
    if (browser.isExhausted) throw new DOMException("this browser makes no more connections", "UnknownError")
    browser.connections.push(this)
  }

  getTransceivers(): readonly FakeTransceiver[] {
    return this.transceivers
  }

  addTransceiver(): FakeTransceiver {
    const transceiver = new FakeTransceiver(this.#browser)
    this.transceivers.push(transceiver)
    return transceiver
  }

  async createOffer(): Promise<Described> {
    return { type: "offer", sdp: sampleDescription() }
  }

  async createAnswer(): Promise<Described> {
    return { type: "answer", sdp: sampleDescription() }
  }

  async setLocalDescription(description: Described): Promise<void> {
    if (this.isExhausted) throw new DOMException("this browser has no more of something", "OperationError")
    this.localDescription = description
    this.signalingState = description.type === "offer" ? "have-local-offer" : "stable"
  }

  /** Name of the error by which it takes no description of the peer. */
  refuses: string | null = null
  /** Makes no description of its own. */
  isExhausted = false

  async setRemoteDescription(description: Described): Promise<void> {
    if (description.type === "rollback") return void (this.signalingState = "stable")
    if (description.type === "offer") this.signalingState = "have-remote-offer"
    if (this.refuses !== null) throw new DOMException("this browser refuses the description", this.refuses)
    this.described.push(description.sdp)
    this.remoteDescription = description
    if (description.type === "answer") this.signalingState = "stable"
    if (description.type === "answer" || this.transceivers.length > 0) return
    const all = MEDIA_SOURCES.map((source) => ({ transceiver: this.addTransceiver(), isVideo: isVideo(source) }))
    for (const { transceiver } of all) this.dispatchEvent(Object.assign(new Event("track"), { transceiver }))
    this.#browser.endTask()
  }

  /** The browser's estimate of the line, in bits a second. */
  estimate: number | null = null
  /** Age of the last packet of media. */
  packetAgeMs: number | null = null

  /** Its statistics never come. */
  isClosing = false

  async getStats(): Promise<ReadonlyMap<string, object>> {
    if (this.isClosing) return new Promise(() => undefined)
    const pair = { type: "candidate-pair", nominated: true, state: "succeeded" }
    const inbound = { type: "inbound-rtp", timestamp: 90_000 }
    const last = this.packetAgeMs === null ? {} : { lastPacketReceivedTimestamp: 90_000 - this.packetAgeMs }
    return new Map<string, object>([
      ["pair", { ...pair, availableOutgoingBitrate: this.estimate }],
      ["microphone", { ...inbound, ...last }],
    ])
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state
    this.dispatchEvent(new Event("connectionstatechange"))
  }

  async addIceCandidate(candidate: unknown): Promise<void> {
    if (!this.remoteDescription) throw new Error("there is no remote description")
    this.candidates.push(candidate)
  }

  close(): void {
    this.connectionState = "closed"
  }
}

export class FakeBrowser {
  /** Changes of the parameters of any sender. */
  parameterChanges = 0
  readonly connections: FakeConnection[] = []
  /** Makes no more connections. */
  isExhausted = false
  /** Takes no order of codecs. */
  refusesCodecs = false
  readonly leaks: string[] = []
  readonly checks: (() => void)[] = []

  get open(): readonly FakeConnection[] {
    return this.connections.filter(({ connectionState }) => connectionState !== "closed")
  }

  /** As a media worker reports them. */
  get sounds(): Sounds {
    const receivers = this.open.flatMap(({ transceivers }) => transceivers.map(({ receiver }) => receiver))
    const heard = receivers.filter(
      ({ transform, heardAtMs }) => transform?.options.source === "microphone" && heardAtMs > -Infinity,
    )
    const atMs = new Map(heard.map(({ transform, heardAtMs }) => [transform!.options.connection, heardAtMs]))
    return new SoundReports().step(atMs, performance.now()) ?? new Map()
  }

  /** Reports the receivers without a transform: a real browser decodes their frames from the next task on. */
  endTask(): void {
    for (const check of this.checks.splice(0)) check()
  }

  visibility: DocumentVisibilityState = "visible"

  /** The globals of a page. */
  get globals(): Readonly<Record<string, unknown>> {
    const connect = (): FakeConnection => new FakeConnection(this)
    const visibility = (): DocumentVisibilityState => this.visibility
    return {
      document: {
        get visibilityState() {
          return visibility()
        },
      },
      // A function that returns an object can be called with `new`.
      RTCPeerConnection: function () {
        return connect()
      },
      RTCRtpReceiver: FakeReceiver,
      RTCRtpScriptTransform: FakeTransform,
    }
  }
}
