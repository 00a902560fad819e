/** One conference of one member: what its channels mean, on top of the driver that moves their bytes. */
import { conferenceCode, pairCode } from "@keymoot/gke"
import type { MemberId, Mesh, MeshOutput, View } from "@keymoot/transport"
import { KeymootError, type ClosedReason } from "../api.ts"
import type { Descriptor } from "../conference/index.ts"
import { fingerprintOf, type MemberCredentialChecker, type OwnIdentity } from "../identity/index.ts"
import { assertSendable, type BatchMessage } from "../multicast/index.ts"
import type { DriverEvent, GroupDriver } from "./group-driver.ts"
import { LogKeeper } from "./log-keeper.ts"
import { LOG_CHANNEL, MessageKind } from "./message-kind.ts"
import { OUTBOX_MESSAGES_MAX, queueFull, type Outbound } from "./outbox.ts"
import type { ConferenceEvent, ConferenceInfo, EngineCalls } from "./protocol.ts"
import { RekeyTimer } from "./rekey-timer.ts"
import { Roster } from "./roster.ts"
import { SerialQueue } from "./serial-queue.ts"

/** How long leaving waits for what is still to be sent. */
const DRAIN_MS = 1500
/** After this a piece of history that found the queue full is offered again. */
const QUEUE_FULL_MS = 250

export type SessionConfig = {
  readonly descriptor: Descriptor
  readonly url: string
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly emit: (event: ConferenceEvent) => void
  readonly now: () => number
  /** An epoch number in use, so that the next life of this identity begins above it. */
  readonly usedEpoch: (epoch: number) => void
}

export class Session {
  readonly #config: SessionConfig
  readonly #driver: GroupDriver
  readonly #mesh: Mesh
  readonly #log: LogKeeper
  readonly #roster: Roster
  readonly #rekey = new RekeyTimer()
  readonly #authoring: SerialQueue
  #server: "up" | "down" = "down"
  /** Agreed messages delivered in the present view. */
  #delivered = 0
  #handOvers = 0
  #closed = false

  constructor(
    config: SessionConfig,
    createDriver: (emit: (event: DriverEvent) => void | Promise<void>, fail: (error: unknown) => void) => GroupDriver,
    createMesh: (emit: (output: MeshOutput) => void) => Mesh,
  ) {
    this.#config = config
    const { identity, checker, descriptor } = config
    this.#driver = createDriver(
      (event) => this.#onDriverEvent(event),
      () => void this.close("engine-failed"),
    )
    this.#mesh = createMesh((output) => this.#onMeshOutput(output))
    this.#driver.attach(this.#mesh)
    this.#log = new LogKeeper(descriptor.conferenceId, identity.signer, checker, this.#driver.known)
    this.#roster = new Roster(identity.member, this.#driver.known)
    this.#authoring = new SerialQueue(() => void this.close("engine-failed"))
  }

  get mesh(): Mesh {
    return this.#mesh
  }

  get info(): ConferenceInfo {
    const { descriptor, url, identity } = this.#config
    return {
      id: descriptor.conferenceId,
      title: descriptor.title,
      url,
      self: this.#roster.member(identity.member),
      keyAgreement: descriptor.keyAgreement,
      history: descriptor.history,
      view: this.#roster.view,
      server: this.#server,
    }
  }

  tick(nowMs: number): void {
    if (this.#closed) return
    if (this.#config.now() >= this.#config.descriptor.endsAtMs) return void this.close("conference-over")
    this.#mesh.tick(nowMs)
    this.#driver.tick(nowMs)
    const { view } = this.#driver
    const { member } = this.#config.identity
    const due = this.#rekey.due(nowMs, view, member)
    if (due === "stalled") this.#driver.agreementStalled()
    if (due === "refresh" || (due === "stalled" && view.members[0]?.id === member)) this.#driver.refresh()
    if (due === "lowest-fails") this.#driver.obstructed(view.members[0]!.id)
  }

  /**
   * Resolves when the message came back in its place. `outbound` is told at once, so that it can be withdrawn. Messages
   * leave in the order of the calls, though signing one may take longer than signing the next.
   */
  send(
    params: EngineCalls["conference.send"]["params"],
    outbound: (handle: { withdraw: () => boolean }) => void,
  ): Promise<EngineCalls["conference.send"]["result"]> {
    assertSendable(params)
    if (this.#authoring.length >= OUTBOX_MESSAGES_MAX) throw queueFull()
    return new Promise((delivered, failed) => {
      let withdrawn = false
      let waiting: Outbound | null = null
      const withdraw = (): boolean => (waiting ? this.#driver.withdraw(waiting) : (withdrawn = true))
      outbound({ withdraw })
      this.#authoring.add(async () => {
        try {
          const message = await this.#author(params)
          if (withdrawn) return
          waiting = { message, service: params.service, delivered, failed }
          this.#driver.send(waiting)
        } catch (error) {
          failed(error)
        }
      })
    })
  }

  /** A message of the log is signed by its author for itself. */
  async #author(params: EngineCalls["conference.send"]["params"]): Promise<BatchMessage> {
    const { channel, kind } = params
    const sentAtMs = this.#config.now()
    const isLogged = kind === MessageKind.logItem
    const payload = isLogged ? await this.#log.author(channel, params.payload, sentAtMs) : params.payload
    assertSendable({ channel, payload })
    return { channel, kind, payload, sentAtMs }
  }

  conferenceCode(): string {
    const prints = this.#driver.view.members.map(({ id }) => fingerprintOf(this.#driver.known.get(id)!.certificate))
    return conferenceCode(this.#config.descriptor.hash, prints)
  }

  /** @throws KeymootError `invalid-argument` for oneself or somebody who was never here */
  pairCode(member: MemberId): string {
    const other = this.#driver.known.get(member)
    if (!other || member === this.#config.identity.member) {
      throw new KeymootError("invalid-argument", "Give another member of this conference.")
    }
    return pairCode(this.#config.identity.publicKey, other.publicKey)
  }

  /** Sends what is pending if it can within moments, says goodbye, and is over. */
  async close(reason: ClosedReason): Promise<void> {
    if (this.#closed) return
    const deadline = this.#config.now() + (reason === "left" ? DRAIN_MS : 0)
    while (!this.#driver.drained && this.#config.now() < deadline) await new Promise((done) => setTimeout(done, 20))
    if (this.#closed) return
    this.#closed = true
    await this.#driver.close()
    this.#mesh.close()
    this.#config.emit({ type: "closed", reason })
  }

  #onMeshOutput(output: MeshOutput): void {
    this.#driver.handle(output)
    if (output.type !== "server") return
    this.#server = output.state
    this.#emit({ type: "server", state: output.state })
  }

  #onDriverEvent(event: DriverEvent): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#delivered = 0
        this.#config.usedEpoch(event.view.epoch)
        this.#log.onView(event.view)
        return this.#onStatus(event.view, "agreeing")
      case "keyed":
        return this.#onStatus(event.view, "keyed")
      case "secured":
        return this.#onSecured(event.view)
      case "batch":
        return this.#onBatch(event)
      case "refreshDue":
        return this.#driver.refresh()
      case "security":
        return this.#emit(event)
    }
  }

  #onStatus(view: View, status: "agreeing" | "keyed" | "secured"): void {
    this.#emit({ type: "status", view: this.#roster.advance(view, status, this.#config.now()) })
    this.#rekey.onStatus(status)
  }

  async #onSecured(view: View): Promise<void> {
    this.#onStatus(view, "secured")
    const handOver = handsOver(view, this.#config.identity.member)
    this.#emit({ type: "view", view: this.#roster.view, change: this.#roster.change(), handOver })
    if (!handOver || this.#config.descriptor.history !== "everything") return
    void this.#handOver(await this.#log.handOver(view))
  }

  /** Piece by piece, so that what people say is not held up. A later hand-over tells all, and takes the place of this one. */
  async #handOver(pieces: readonly Uint8Array[]): Promise<void> {
    const turn = ++this.#handOvers
    for (const payload of pieces) {
      const message = { channel: LOG_CHANNEL, kind: MessageKind.logChunk, payload, sentAtMs: this.#config.now() }
      while (!(await this.#sendPiece(message))) await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
      if (this.#closed || turn !== this.#handOvers) return
    }
  }

  /** False if there was no room for it. */
  #sendPiece(message: BatchMessage): Promise<boolean> {
    return new Promise((resolve) => {
      const over = (): void => resolve(true)
      try {
        this.#driver.send({ message, service: "fifo", delivered: over, failed: over })
      } catch (error) {
        resolve(!(error instanceof KeymootError && error.code === "queue-full"))
      }
    })
  }

  async #onBatch(batch: DriverEvent & { type: "batch" }): Promise<void> {
    this.#rekey.onActivity()
    for (const [index, message] of batch.messages.entries()) {
      if (batch.service === "agreed") this.#delivered++
      const taken = await this.#take(batch, message, index)
      batch.own[index]?.delivered(taken)
    }
  }

  async #take(
    { view, sender, sequence, service }: DriverEvent & { type: "batch" },
    { channel, kind, payload, sentAtMs }: BatchMessage,
    index: number,
  ): Promise<EngineCalls["conference.send"]["result"]> {
    const position = { epoch: view.epoch, view: view.id, sequence: this.#delivered }
    const from = this.#roster.member(sender)
    switch (kind) {
      case MessageKind.logItem: {
        // Outside the order it would have another place in everybody's log.
        const logged = service === "agreed" ? await this.#log.take(sender, channel, payload, position) : null
        if (logged) this.#emit({ type: "message", channel, message: logged })
        else this.#report("invalid-content", sender, "a message that its sender did not sign for this place")
        return logged
      }
      case MessageKind.logChunk: {
        if (from.self) return null
        const handedOver = await this.#log.takeChunk(sender, payload, view)
        if (handedOver === "bad") this.#report("invalid-content", sender, "a history that cannot be read")
        else for (const item of handedOver) this.#emit({ type: "message", channel: item.channel, message: item })
        return null
      }
      case MessageKind.message: {
        const id = `${sender}/${view.id}/${sequence}/${index}`
        const text = new TextDecoder().decode(payload)
        const said = { id, from, data: payload, text, sentAtMs, position, handedOver: false }
        this.#emit({ type: "message", channel, message: said })
        return said
      }
      default:
        this.#emit({ type: "payload", channel, kind, from, payload })
        return null
    }
  }

  #report(code: "invalid-content", member: MemberId, detail: string): void {
    this.#emit({ type: "security", event: { code, member, detail } })
  }

  #emit(event: ConferenceEvent): void {
    if (!this.#closed) this.#config.emit(event)
  }
}

/** The lowest of those who came together tells the others what they have not seen. */
function handsOver(view: View, self: MemberId): boolean {
  const companions = [...view.transitional].sort()
  return companions[0] === self && companions.length < view.members.length
}
