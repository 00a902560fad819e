/**
 * Drives one conference's cores: the mesh of links, group communication and the secure group. It owns the queues in
 * which signing, verifying, sealing and opening happen in order; what is right or wrong the cores decide.
 */
import {
  decodeLinkMessage,
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
  GroupCore,
  signedBytes,
  type FramePayload,
  type GroupConfig,
  type GroupFrame,
  type GroupInput,
  type GroupOutput,
  type MemberId,
  type Mesh,
  type MeshOutput,
  type ProposalId,
  type Signer,
  type View,
} from "@keymoot/transport"
import { KeymootError, type SecurityEvent } from "../api.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/index.ts"
import { decodeBatch, encodeBatch, type BatchMessage } from "../multicast/index.ts"
import { LruMap } from "../wire/index.ts"
import { SecureGroup, type SecureGroupConfig, type SecureGroupOutput } from "../secure-group/index.ts"
import { Epoch } from "./epoch.ts"
import { FrameOpener } from "./frame-opener.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "./known-credentials.ts"
import { Outbox, type Outbound } from "./outbox.ts"
import { SerialQueue } from "./serial-queue.ts"

/** Frames of one neighbour that may wait to be verified; a flood beyond is dropped, and repair brings what was honest. */
export const INBOUND_FRAMES_MAX = 8192
const NONCE_BYTES = 16

export type DriverEvent =
  | { readonly type: "agreeing" | "keyed" | "secured"; readonly view: View }
  | {
      readonly type: "batch"
      readonly view: View
      readonly sender: MemberId
      readonly service: GroupFrame["service"]
      readonly sequence: number
      readonly messages: readonly BatchMessage[]
      /** For a batch of ours: what it was made of, in the order of `messages`. */
      readonly own: readonly Outbound[]
    }
  | { readonly type: "refreshDue" }
  | { readonly type: "security"; readonly event: SecurityEvent }

export type DriverConfig = {
  readonly group: GroupConfig
  readonly secure: Omit<SecureGroupConfig, "fingerprintOf" | "self">
  /** Hex. */
  readonly conferenceId: string
  readonly self: MemberCredential
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  readonly fingerprintOf: (certificate: Uint8Array) => Uint8Array
  /** Events come one after another: the next waits for what the former returned. */
  readonly emit: (event: DriverEvent) => void | Promise<void>
  /** An invariant of ours is broken: the conference cannot go on. */
  readonly fail: (error: unknown) => void
}

export class GroupDriver {
  readonly known: KnownCredentials = new LruMap(CREDENTIALS_KNOWN_MAX)
  readonly #config: DriverConfig
  readonly #group: GroupCore
  readonly #secure: SecureGroup
  readonly #opener: FrameOpener
  readonly #outbox = new Outbox()
  readonly #outbound: SerialQueue
  readonly #opening: SerialQueue
  readonly #inbound = new Map<MemberId, SerialQueue>()
  /** Own batches under way, by view and sequence. */
  readonly #underWay = new Map<string, readonly Outbound[]>()
  #mesh: Pick<Mesh, "send"> | null = null
  #agreementBodies: Uint8Array[] = []
  #flush: { readonly proposal: ProposalId; readonly attachment: Uint8Array } | null = null
  #epoch: Epoch | null = null
  #securedView: View["id"] | null = null
  #sealing = false
  #closed = false

  constructor(config: DriverConfig) {
    this.#config = config
    this.#outbound = new SerialQueue(config.fail)
    this.#opening = new SerialQueue(config.fail)
    this.known.set(config.self.member, config.self)
    this.#opener = new FrameOpener(config.group.conferenceTag, this.known, config.checker)
    this.#group = new GroupCore(config.group)
    this.#secure = new SecureGroup({
      ...config.secure,
      self: config.self.member,
      fingerprintOf: (member) => config.fingerprintOf(this.known.get(member)!.certificate),
    })
  }

  get view(): View {
    return this.#group.view
  }

  attach(mesh: Pick<Mesh, "send">): void {
    this.#mesh = mesh
  }

  tick(nowMs: number): void {
    this.#step({ type: "tick", nowMs })
  }

  /** A view of the same members, for a new key. */
  refresh(): void {
    this.#step({ type: "refresh" })
  }

  /** Hands over a message; held until there is a secured view and room in the window. */
  send(outbound: Outbound): void {
    if (this.#closed) throw closedError()
    this.#outbox.push(outbound)
    this.#pump()
  }

  withdraw(outbound: Outbound): boolean {
    return this.#outbox.withdraw(outbound)
  }

  /** Nothing of ours is waiting or on its way. */
  get drained(): boolean {
    return this.#outbox.empty && this.#underWay.size === 0 && !this.#sealing
  }

  /** Says goodbye; nothing is sent or delivered afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#step({ type: "leave" })
    this.#closed = true
    this.#outbox.failAll(closedError())
    for (const batch of this.#underWay.values()) for (const outbound of batch) outbound.failed(closedError())
    await this.#outbound.idle()
    this.#epoch?.erase()
  }

  // The way in

  handle(output: MeshOutput): void {
    if (this.#closed || output.type === "server") return
    if (output.type === "security") return this.#report(output)
    const { peer } = output
    if (output.type === "frame") return this.#receive(peer, output.bytes)
    if (output.type === "linkDown") return this.#lane(peer).add(() => this.#step({ type: "linkDown", peer }))
    const { incarnation, credential } = output
    this.#lane(peer).add(async () => {
      const known = await this.#config.checker.check(credential.certificate)
      if (!known) return
      this.known.set(known.member, known)
      this.#step({ type: "linkUp", peer, incarnation })
    })
  }

  /** What concerns one neighbour happens in its order. */
  #lane(peer: MemberId): SerialQueue {
    const lane = this.#inbound.get(peer) ?? new SerialQueue(this.#config.fail)
    this.#inbound.set(peer, lane)
    return lane
  }

  #receive(peer: MemberId, bytes: Uint8Array): void {
    const lane = this.#lane(peer)
    if (lane.length >= INBOUND_FRAMES_MAX) return
    lane.add(async () => {
      const message = decodeLinkMessage(bytes)
      if (!message) return this.#reject(peer, "malformed")
      if (message.type === "heartbeat") {
        return this.#step({ type: "heartbeat", from: peer, heartbeat: message.heartbeat })
      }
      const opened = await this.#opener.open(message.bytes)
      if (typeof opened === "string") return this.#reject(peer, opened)
      this.#step({ type: "frame", from: peer, ...opened })
    })
  }

  /** The neighbour that handed it over is named: a spoilt signature says nothing about the origin. */
  #reject(peer: MemberId, why: string): void {
    this.#report({ code: "bad-frame", member: peer, detail: `a frame was refused: ${why}` })
  }

  #step(input: GroupInput): void {
    if (this.#closed) return
    for (const output of this.#group.step(input)) this.#onGroupOutput(output)
    this.#pump()
  }

  #onGroupOutput(output: GroupOutput): void {
    switch (output.type) {
      case "sign":
        return this.#signAndSend(output.to, output.view, output.payload)
      case "send":
        return this.#outbound.add(() => this.#transmit(output.to, { type: "frame", bytes: output.bytes }))
      case "heartbeat":
        return this.#outbound.add(() => this.#transmit(output.to, output))
      case "fault":
        return this.#report({ code: "bad-frame", member: output.member, detail: output.reason })
      default:
        for (const secured of this.#secure.step(output)) this.#onSecureOutput(secured)
    }
  }

  #onSecureOutput(output: SecureGroupOutput): void {
    switch (output.type) {
      case "multicast":
        this.#agreementBodies.push(output.body)
        return
      case "flushed":
        this.#flush = output
        return
      case "agreeing":
        return this.#onAgreeing(output.view)
      case "keyed":
        this.#epoch = new Epoch(output.view, this.#config.conferenceId, this.#config.self.member, output.epochKey)
        return this.#emitInOrder(output)
      case "secured":
        this.#securedView = output.view.id
        return this.#emitInOrder(output)
      case "data":
        return this.#open(output.frame)
      case "refreshDue":
        return this.#emitInOrder(output)
      case "fault": {
        const code = output.reason === "failed-confirmation" ? "failed-confirmation" : "agreement-fault"
        return this.#report({ code, member: output.member, detail: output.reason })
      }
      case "closing":
        return
    }
  }

  #onAgreeing(view: View): void {
    this.#agreementBodies = []
    this.#flush = null
    const former = this.#epoch
    this.#epoch = null
    this.#securedView = null
    // What view synchrony still delivered in the former view stands before this in the queue.
    this.#opening.add(() => former?.erase())
    this.#emitInOrder({ type: "agreeing", view })
  }

  #open(frame: GroupFrame): void {
    const epoch = this.#epoch
    this.#opening.add(async () => {
      const plaintext = (await epoch?.open(frame)) ?? null
      const messages = plaintext && decodeBatch(plaintext)
      const { origin: sender, service, sequence } = frame
      if (!epoch || !messages) {
        return this.#report({ code: "undecryptable", member: sender, detail: `batch ${sequence} of its sender` })
      }
      const own = sender === this.#config.self.member ? this.#takeUnderWay(frame) : []
      if (this.#closed) return
      await this.#config.emit({ type: "batch", view: epoch.view, sender, service, sequence, messages, own })
    })
  }

  #takeUnderWay({ view, sequence }: GroupFrame): readonly Outbound[] {
    const key = `${view}/${sequence}`
    const batch = this.#underWay.get(key) ?? []
    this.#underWay.delete(key)
    return batch
  }

  /** Views and data pass through one queue, so that an application sees them in the order of the group. */
  #emitInOrder(event: DriverEvent): void {
    this.#opening.add(async () => {
      if (!this.#closed) await this.#config.emit(event)
    })
  }

  #report({ code, member, detail }: SecurityEvent): void {
    if (!this.#closed) void this.#config.emit({ type: "security", event: { code, member, detail } })
  }

  // The way out

  #signAndSend(to: readonly MemberId[], view: View["id"], payload: FramePayload): void {
    this.#outbound.add(async () => {
      const bytes = await this.#encode(view, { service: "none", sequence: 0 }, payload)
      this.#transmit(to, { type: "frame", bytes })
      const { member } = this.#config.self
      if (to.includes(member)) this.#step({ type: "frame", from: member, ...this.#opener.openTrusted(bytes) })
    })
  }

  #transmit(to: readonly MemberId[], message: Parameters<typeof encodeLinkMessage>[0]): void {
    const bytes = encodeLinkMessage(message)
    for (const peer of to) if (peer !== this.#config.self.member) this.#mesh?.send(peer, bytes)
  }

  async #encode(
    view: View["id"],
    place: Pick<GroupFrame, "service" | "sequence">,
    payload: FramePayload,
  ): Promise<Uint8Array> {
    const { conferenceTag } = this.#config.group
    const origin = this.#config.self.member
    const staticPart = encodeStaticPart({ conferenceTag, view, origin, ...place, ...payload })
    return encodeFrame(staticPart, await this.#config.signer.sign(signedBytes(staticPart)))
  }

  /** Makes the next own frame, one at a time; with none left to make, a flush that is asked for is answered. */
  #pump(): void {
    if (this.#sealing || this.#closed) return
    const make = this.#nextFrame()
    if (!make) return this.#answerFlush()
    this.#sealing = true
    make()
      .catch(this.#config.fail)
      .finally(() => {
        this.#sealing = false
        this.#pump()
      })
  }

  #nextFrame(): (() => Promise<void>) | null {
    if (!this.#group.maySend) return null
    const body = this.#agreementBodies.shift()
    if (body) return () => this.#multicast("agreement", "fifo", body)
    const ready = this.#epoch && this.#securedView === this.#group.view.id && this.#group.windowOpen
    if (!ready || this.#outbox.empty) return null
    const epoch = this.#epoch!
    return () => this.#sealBatch(epoch, this.#outbox.takeBatch())
  }

  async #sealBatch(epoch: Epoch, batch: readonly Outbound[]): Promise<void> {
    const { service } = batch[0]!
    const { view, sequence } = this.#group.nextMulticast()
    this.#underWay.set(`${view}/${sequence}`, batch)
    const ciphertext = await epoch.seal(sequence, service, encodeBatch(batch.map(({ message }) => message)))
    if (ciphertext) await this.#multicast("data", service, ciphertext)
  }

  async #multicast(kind: "data" | "agreement", service: "fifo" | "agreed", body: Uint8Array): Promise<void> {
    const { view, sequence, dependencies } = this.#group.nextMulticast()
    const message = { dependencies: service === "agreed" ? dependencies : [], body }
    const bytes = await this.#encode(view, { service, sequence }, { kind, message })
    this.#step({ type: "multicast", frame: this.#opener.openTrusted(bytes).frame as GroupFrame })
  }

  #answerFlush(): void {
    const flush = this.#flush
    if (!flush || this.#group.maySend) return
    this.#flush = null
    const nonce = this.#config.secure.random(NONCE_BYTES)
    this.#step({ type: "flushed", ...flush, nonce })
  }
}

function closedError(): KeymootError {
  return new KeymootError("closed", "This conference is over for you. Join it again to send.")
}
