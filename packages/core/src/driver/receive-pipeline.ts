/**
 * Everything that this member receives. The group core stands between the two queues:
 *
 * | stage | queue before it | runs |
 * | --- | --- | --- |
 * | decode a neighbour's message, verify its signatures, step the group | `inbound`, a lane for each neighbour | one at a time in each lane |
 * | order and deliver in the group | bounded in the group | |
 * | decrypt a delivered frame, emit its batch | `opening`, a lane for each sender | one at a time |
 *
 * Views and data pass through `opening`, so the application sees them in the group's order.
 */
import type { Containment } from "../frames/containment.ts"
import type { SecurityEvent } from "../api/index.ts"
import type { DataCipher } from "../ciphers/aead.ts"
import {
  decodeLinkMessage,
  describeFailure,
  type GroupFrame,
  type GroupInput,
  type Heartbeat,
  type LinkMessage,
  type MemberId,
  type Randomness,
  type View,
  type Sink,
} from "@keymoot/transport"
import type { FrameOpener, KnownCredentials } from "../frames/frame-opener.ts"
import { batchNumber, decodeBatch } from "../multicast/batch.ts"
import type { LinkOutput } from "../overlay/overlay-links.ts"
import { CostMeter, type Budget } from "../queues/cost-meter.ts"
import { DecryptQueue } from "../queues/decrypt-queue.ts"
import { SerialQueue } from "../queues/serial-queue.ts"
import { equalBytes } from "../wire/index.ts"
import type { DriverConfig, DriverEvent } from "./driver-config.ts"
import { Epoch, type PresentEpoch } from "../multicast/epoch.ts"
import type { MemberLinks } from "./member-links.ts"
import type { SendPipeline } from "./send-pipeline.ts"

/**
 * Bound in frames of one neighbour that wait for verification, and in their bytes. Excess frames are dropped.
 * Retransmission recovers honest ones.
 */
export const INBOUND_FRAMES_MAX = 8192
export const INBOUND_BYTES_MAX = 32 * 1024 * 1024

/**
 * Budget of one neighbour's messages per second, in signature checks. Hashing this many bytes costs as much as one
 * check. A message without a signature (heartbeat, acknowledgement) costs a fraction. Each signature inside a message
 * (SYNCs, link records) costs one more, and each body of a roster one for 128 bytes. Beyond the budget the neighbour's
 * messages wait.
 */
export const INBOUND_CHECKS_PER_SECOND = 2_000
export const INBOUND_CHECKS_BURST = 4_000
const BYTES_OF_CHECK = 32 * 1024
const UNSIGNED_COST = 1 / 4
const BUDGET: Budget = { perSecond: INBOUND_CHECKS_PER_SECOND, burst: INBOUND_CHECKS_BURST }

export type ReceivePipelineConfig = Pick<DriverConfig, "conferenceId" | "checker" | "faults"> & {
  readonly self: MemberId
  readonly signsData: boolean
  readonly cipher: DataCipher
  readonly random: Randomness
  readonly known: KnownCredentials
  /** Members outside of views that the cache of credentials must not evict. */
  readonly named: readonly MemberId[]
  readonly links: Pick<MemberLinks, "overlay">
  readonly opener: FrameOpener
  readonly group: { readonly view: View }
  readonly epoch: PresentEpoch
  /** Source of own batches. */
  readonly sent: Pick<SendPipeline, "takeOwn">
  /** Takes bytes of a neighbour, or a hold, for the group. */
  readonly inputs: Sink<GroupInput>
  readonly sink: DriverConfig["sink"]
  /** If processing a neighbour's message fails, it is dropped and the next is processed. */
  readonly containment: Pick<Containment, "failed">
}

/**
 * `resume` resumes a lane that waits for its budget. `isDown`: the link is down, so its last messages need not wait.
 * `heartbeat`: the last one with its bytes, because a calm neighbour repeats it.
 */
type Lane = {
  readonly queue: SerialQueue
  bytes: number
  resume: (() => void) | null
  isDown: boolean
  heartbeat: { readonly bytes: Uint8Array; readonly message: LinkMessage } | null
}

export class ReceivePipeline {
  readonly #config: ReceivePipelineConfig
  readonly #inbound = new Map<MemberId, Lane>()
  readonly #meter = new CostMeter<MemberId>(BUDGET)
  readonly #opening: DecryptQueue

  constructor(config: ReceivePipelineConfig) {
    this.#config = config
    this.#opening = new DecryptQueue(config.faults, (of, held) => config.inputs.take({ type: "hold", of, held }))
  }

  tick(nowMs: number): void {
    for (const peer of this.#meter.tick(nowMs)) this.#resume(this.#inbound.get(peer))
  }

  /** Entries of `inbound`, and bytes of `opening`. */
  get fills(): Readonly<Record<"inbound" | "openingBytes", number>> {
    const inbound = [...this.#inbound.values()].reduce((sum, { queue }) => sum + queue.length, 0)
    return { inbound, openingBytes: this.#opening.bytes }
  }

  /** Whether nothing waits. */
  get isIdle(): boolean {
    const { inbound, openingBytes } = this.fills
    return inbound === 0 && openingBytes === 0
  }

  // From a link to the group

  handle(output: Extract<LinkOutput, { type: "linkUp" | "linkDown" | "frame" }>): void {
    const { peer } = output
    const lane = this.#lane(peer)
    switch (output.type) {
      case "frame":
        return this.#onFrame(peer, lane, output.bytes)
      case "linkDown":
        lane.isDown = true
        this.#resume(lane)
        return lane.queue.add(() => {
          this.#config.inputs.take({ type: "linkDown", peer })
          this.#config.links.overlay?.dismissed(peer)
          // No message follows, so none can overtake this one.
          if (lane.queue.length === 1) this.#inbound.delete(peer)
        })
      case "linkUp":
        lane.isDown = false
        return lane.queue.add(() => this.#onLinkUp(output))
    }
  }

  /** Takes a verified heartbeat of a distant member from the overlay. */
  onHeartbeat(from: MemberId, heartbeat: Heartbeat): void {
    this.#inbound.get(from)?.queue.add(() => this.#config.inputs.take({ type: "heartbeat", from, heartbeat }))
  }

  async #onLinkUp(link: Extract<LinkOutput, { type: "linkUp" }>): Promise<void> {
    const { checker, known, named, group, links, inputs } = this.#config
    const { peer, incarnation } = link
    const credential = await checker.check(link.credential.certificate)
    if (!credential) return
    // Touches them in the cache, so that no number of strangers that come and go can evict them.
    for (const member of [...group.view.members.map(({ id }) => id), ...named]) known.get(member)
    known.set(credential.member, credential)
    inputs.take({ type: "linkUp", peer, incarnation, distant: link.distant === true })
    links.overlay?.admitted(peer)
  }

  #lane(peer: MemberId): Lane {
    const known = this.#inbound.get(peer)
    if (known) return known
    const { containment } = this.#config
    const queue = new SerialQueue((error) => containment.failed("peer", error))
    const lane = { queue, bytes: 0, resume: null, isDown: false, heartbeat: null }
    this.#inbound.set(peer, lane)
    return lane
  }

  #resume(lane: Lane | undefined): void {
    lane?.resume?.()
    if (lane) lane.resume = null
  }

  /** Waits until the neighbour's budget covers the cost. */
  async #spend(peer: MemberId, lane: Lane, cost: number): Promise<void> {
    while (this.#meter.isOver(peer) && !lane.isDown) await new Promise<void>((resume) => (lane.resume = resume))
    this.#meter.spend(peer, cost)
  }

  #onFrame(peer: MemberId, lane: Lane, bytes: Uint8Array): void {
    if (lane.queue.length >= INBOUND_FRAMES_MAX || lane.bytes + bytes.length > INBOUND_BYTES_MAX) {
      const detail = "it sends more than can be verified; some frames were dropped"
      return this.#report("flooding", peer, detail)
    }
    lane.bytes += bytes.length
    lane.queue.add(async () => {
      const message = decodeOnce(lane, bytes)
      await this.#spend(peer, lane, costOf(message, bytes.length))
      lane.bytes -= bytes.length
      this.#config.known.get(peer)
      const refusal = message ? await this.#verify(peer, message) : "malformed"
      // Names the neighbour that forwarded the frame: an invalid signature says nothing about the origin.
      if (refusal) this.#report("bad-frame", peer, `a frame was refused: ${refusal}`)
    })
  }

  /** Returns the reason of a refusal. */
  async #verify(peer: MemberId, message: LinkMessage): Promise<string | null> {
    const { inputs, opener, links } = this.#config
    const charge = (signatures: number): void => this.#meter.spend(peer, signatures)
    // Already consumed by admission.
    if (message.type === "outOfGroup") return null
    if (message.type === "overlay") return (await links.overlay?.receive(peer, message.bytes, opener, charge)) ?? null
    if (message.type !== "frame") {
      inputs.take({ ...message, from: peer })
      return null
    }
    const opened = await opener.open(message.bytes, charge)
    if (typeof opened !== "string") inputs.take({ type: "frame", from: peer, ...opened })
    else if (opened !== "too-late") return opened
    return null
  }

  // From the group to the application

  onAgreeing(view: View): void {
    const former = this.#config.epoch.onAgreeing()
    this.#opening.share(view.members.length)
    // Frames that view synchrony still delivers in the former view precede this event in the queue.
    this.#opening.add(() => former?.erase())
    this.emitInOrder({ type: "agreeing", view })
  }

  /** Overwrites `epochKey`. */
  onKeyed(view: View, epochKey: Uint8Array): void {
    const { conferenceId, self, cipher, random, signsData, epoch } = this.#config
    const authenticity = signsData ? "signature" : "group"
    epoch.onKeyed(new Epoch({ view, conferenceId, self, epochKey, cipher, authenticity, random }))
    this.emitInOrder({ type: "keyed", view })
  }

  onSecured(view: View): void {
    this.#config.epoch.onSecured(view)
    this.emitInOrder({ type: "secured", view })
  }

  /** Decrypts a frame that the group has delivered in the present view. */
  open(frame: GroupFrame): void {
    const epoch = this.#config.epoch.value
    const { origin: sender, service } = frame
    const isOrdered = service !== "unreliable" && service !== "reliable" && service !== "fifo"
    this.#opening.addFrame({ sender, bytes: frame.bytes.length, isOrdered }, () =>
      this.#open(epoch, frame).catch((error) => this.#failed(frame, error)),
    )
  }

  async #open(epoch: Epoch | null, frame: GroupFrame): Promise<void> {
    const { self, sent, sink } = this.#config
    const { origin: sender, service } = frame
    if (service === "none") return
    const sequence = batchNumber(service, frame.sequence)
    const own = sender === self ? sent.takeOwn(frame.view, sequence) : null
    const plaintext = own?.plaintext ?? (await epoch?.open(frame)) ?? null
    const messages = plaintext && decodeBatch(plaintext)
    if (!epoch || !messages) return this.#report("undecryptable", sender, `batch ${sequence} of its sender`)
    const { view } = epoch
    await sink.take({ type: "batch", view, sender, service, sequence, messages, own: own?.messages ?? [] })
  }

  /**
   * Reports a failure that concerns the content of one batch. Its sender is named only if a signature proves the
   * origin.
   */
  #failed({ origin }: GroupFrame, error: unknown): void {
    const { self, signsData, faults } = this.#config
    if (origin === self) return faults.fail(error)
    this.#report("handling-failed", signsData ? origin : null, describeFailure(error))
  }

  /** Backpressure of the application: pauses or resumes a sender. */
  pause(sender: MemberId, paused: boolean): void {
    this.#opening.pause(sender, paused)
  }

  emitInOrder(event: DriverEvent): void {
    this.#opening.add(() => this.#config.sink.take(event))
  }

  #report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    void this.#config.sink.take({ type: "security", event: { code, member, detail } })
  }
}

function decodeOnce(lane: Lane, bytes: Uint8Array): LinkMessage | null {
  const { heartbeat } = lane
  if (heartbeat && equalBytes(heartbeat.bytes, bytes)) return heartbeat.message
  const message = decodeLinkMessage(bytes)
  if (message?.type === "heartbeat") lane.heartbeat = { bytes: bytes.slice(), message }
  return message
}

function costOf(message: LinkMessage | null, bytes: number): number {
  const isUnsigned = message?.type === "heartbeat" || message?.type === "acknowledgement"
  return isUnsigned ? UNSIGNED_COST : 1 + bytes / BYTES_OF_CHECK
}
