/** One conference of one member: what its channels mean, on top of the driver that moves their bytes. */
import { conferenceCode } from "@keymoot/gke"
import { decodeDirect, encodeDirect, type MemberId, type Mesh, type MeshOutput, type View } from "@keymoot/transport"
import type { HostEvent } from "@keymoot/transport/host"
import {
  KeymootError,
  type ClosedReason,
  type DeliveryService,
  type KeyStructure,
  type LinkPath,
  type SecurityEvent,
  type ViewChange,
} from "../api.ts"
import type { Descriptor } from "../conference/index.ts"
import {
  fingerprintOf,
  type MemberCredential,
  type MemberCredentialChecker,
  type OwnIdentity,
  type VerifiedPeople,
} from "../identity/index.ts"
import type { LocalCopy } from "../local-copies/index.ts"
import { FileExchange, type BlockStore } from "../files/index.ts"
import { assertSendable, type BatchMessage } from "../multicast/index.ts"
import type { DriverEvent } from "./driver-config.ts"
import type { GroupDriver } from "./group-driver.ts"
import { shownAdmission } from "./admission.ts"
import { Companions } from "./companions.ts"
import type { Ice } from "./ice.ts"
import { KeptCopy } from "./kept-copy.ts"
import { LogKeeper } from "./log-keeper.ts"
import { presentStructure } from "./key-structure.ts"
import { isBulk, KEY_CHANNEL, LOG_CHANNEL, MessageKind } from "./message-kind.ts"
import { OUTBOX_MESSAGES_MAX, queueFull, type Outbound } from "./outbox.ts"
import type { ConferenceEvent, ConferenceInfo, EngineCalls } from "./protocol.ts"
import { RekeyTimer } from "./rekey-timer.ts"
import { Roster } from "./roster.ts"
import { SerialQueue } from "./serial-queue.ts"

/** How long leaving waits for what is still to be sent. */
const DRAIN_MS = 1500
/** After this a piece of history that found the queue full is offered again. */
const QUEUE_FULL_MS = 250
/** Asked for by whomever, a new key follows the last one after this: members cannot keep the others rekeying. */
const REFRESH_APART_MS = 15_000

export type SessionConfig = {
  readonly descriptor: Descriptor
  readonly url: string
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly emit: (event: ConferenceEvent) => void
  readonly now: () => number
  /** What this device keeps of the conference; null for nothing. */
  readonly copy: LocalCopy | null
  readonly ice: Ice
  /** Where the files of this conference are kept, and under which name. */
  readonly files: { readonly blocks: BlockStore; readonly shelf: string }
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
  readonly #copy: KeptCopy | null
  readonly files: FileExchange
  #server: "up" | "down" = "down"
  readonly #links = new Map<MemberId, LinkPath>()
  /** Agreed messages delivered in the present view. */
  #delivered = 0
  #handOvers = 0
  readonly #companions = new Companions()
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
    this.#copy = config.copy && new KeptCopy(config.copy, (state) => this.#emit({ type: "storage", state }))
    const { known } = this.#driver
    const kept = this.#copy?.log ?? null
    this.#log = new LogKeeper(descriptor.conferenceId, identity.signer, checker, known, config.people, kept)
    this.#roster = new Roster(identity.member, known, config.people, this.#driver.departed)
    this.#authoring = new SerialQueue(() => void this.close("engine-failed"))
    this.files = new FileExchange({
      conferenceId: descriptor.conferenceId,
      ...config.files,
      self: identity.member,
      send: (to, bytes) => this.#mesh.send(to, encodeDirect(bytes), { payload: true }),
      bufferedBytes: (to) => this.#mesh.bufferedBytes(to),
      linked: (member) => this.#links.has(member),
      members: () => this.#driver.view.members.map(({ id }) => id),
      secured: () => this.#roster.view.status === "secured",
      now: () => performance.now(),
      progress: (watch, progress) => this.#emit({ type: "file", watch, progress }),
    })
  }

  /** Any event of the host; those of other conferences are ignored. */
  handleHost(event: HostEvent): void {
    this.#config.ice.handle(event)
    this.#mesh.handle(event)
  }

  get info(): ConferenceInfo {
    const { descriptor, url, identity } = this.#config
    return {
      id: descriptor.conferenceId,
      title: descriptor.title,
      url,
      self: this.#roster.member(identity.member),
      keyAgreement: descriptor.keyAgreement,
      admission: shownAdmission(descriptor.admission),
      history: descriptor.history,
      view: this.#roster.view,
      server: this.#server,
      storage: this.#copy?.state ?? "off",
    }
  }

  /** Before anything else happens: what an earlier life of this member had. */
  async restore(): Promise<void> {
    const messages = await this.#log.restore().catch(() => [])
    for (const message of messages) this.#emit({ type: "message", channel: message.channel, message })
  }

  async readCopy(part: string): Promise<Uint8Array[]> {
    return (await this.#copy?.read(part)) ?? []
  }

  /** With no copy wanted there is nothing to try again. */
  async writeCopy({ part, bytes, how }: EngineCalls["copy.write"]["params"]): Promise<boolean> {
    return this.#copy ? this.#copy.write(part, bytes, how) : true
  }

  tick(nowMs: number): void {
    if (this.#closed) return
    if (this.#config.now() >= this.#config.descriptor.endsAtMs) return void this.close("conference-over")
    this.#config.ice.tick(nowMs)
    this.#mesh.tick(nowMs)
    this.#driver.tick(nowMs)
    this.files.tick(nowMs)
    const { view } = this.#driver
    const { member } = this.#config.identity
    const due = this.#driver.expectsKey ? this.#rekey.due(nowMs, view, member) : null
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
          waiting = { message, service: params.service, bulk: isBulk(params.kind), delivered, failed }
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
  otherThanSelf(member: MemberId): MemberCredential {
    const other = this.#driver.known.get(member)
    if (!other || member === this.#config.identity.member) {
      throw new KeymootError("invalid-argument", "Give another member of this conference.")
    }
    return other
  }

  /** Somebody has been verified, or is not any more. */
  onVerified(): void {
    this.#emit({ type: "status", view: this.#roster.renew() })
    this.#warnOfImpostors()
  }

  keyStructure(): KeyStructure | null {
    const structure = this.#driver.keyStructure
    return structure && presentStructure(structure, (id) => this.#roster.member(id))
  }

  /** @throws KeymootError `too-soon` */
  refreshKey(): void {
    if (!this.#mayRefresh()) {
      const message = "A new key has just been agreed, or is being agreed now. Try again in a quarter of a minute."
      throw new KeymootError("too-soon", message)
    }
    if (this.#isLowest()) return this.#driver.refresh()
    const message = { channel: KEY_CHANNEL, kind: MessageKind.refreshWish, payload: new Uint8Array(0) }
    void this.#sendPiece({ ...message, sentAtMs: this.#config.now() })
  }

  #mayRefresh(): boolean {
    const { securedAtMs } = this.#roster.view
    return securedAtMs !== null && this.#config.now() - securedAtMs >= REFRESH_APART_MS
  }

  #isLowest(): boolean {
    return this.#driver.view.members[0]?.id === this.#config.identity.member
  }

  /** Sends what is pending if it can within moments, says goodbye, and is over. */
  async close(reason: ClosedReason): Promise<void> {
    if (this.#closed) return
    const deadline = this.#config.now() + (reason === "left" ? DRAIN_MS : 0)
    while (!this.#driver.drained && this.#config.now() < deadline) await new Promise((done) => setTimeout(done, 20))
    if (this.#closed) return
    this.#closed = true
    await this.files.close()
    await this.#driver.close()
    this.#mesh.close()
    this.#config.emit({ type: "closed", reason })
  }

  #onMeshOutput(output: MeshOutput): void {
    const direct = output.type === "frame" ? decodeDirect(output.bytes) : null
    if (direct && output.type === "frame") return this.files.receive(output.peer, direct)
    if (output.type === "acknowledged") return this.files.acknowledged(output.peer)
    this.#driver.handle(output)
    if (output.type === "path" || output.type === "linkDown") return this.#onPath(output)
    if (output.type !== "server") return
    this.#server = output.state
    this.#emit({ type: "server", state: output.state })
  }

  #onPath(output: MeshOutput & { readonly type: "path" | "linkDown" }): void {
    if (output.type === "path") this.#links.set(output.peer, output.path)
    else this.#links.delete(output.peer)
    if (output.type === "path") this.files.changed()
    else this.files.linkDown(output.peer)
    this.#emit({ type: "links", links: new Map(this.#links) })
  }

  #onDriverEvent(event: DriverEvent): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#delivered = 0
        this.#companions.onView(event.view)
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
        return this.#driver.changeView()
      case "security":
        return this.#emit(event)
    }
  }

  #onStatus(view: View, status: "agreeing" | "keyed" | "secured"): void {
    this.#emit({ type: "status", view: this.#roster.advance(view, status, this.#config.now()) })
    this.#warnOfImpostors()
    this.#rekey.onStatus(status)
  }

  async #onSecured(view: View): Promise<void> {
    this.#onStatus(view, "secured")
    if (this.#config.people.altered) this.#report("altered-verifications", null, "the list's signature is not ours")
    const handOver = this.#companions.handsOver(view, this.#config.identity.member)
    const change = this.#roster.change()
    this.#emit({ type: "view", view: this.#roster.view, change, handOver })
    this.files.changed(goneForGood(change))
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
        this.#driver.send({ message, service: "fifo", bulk: isBulk(message.kind), delivered: over, failed: over })
      } catch (error) {
        resolve(!(error instanceof KeymootError && error.code === "queue-full"))
      }
    })
  }

  async #onBatch(batch: DriverEvent & { type: "batch" }): Promise<void> {
    this.#rekey.onActivity()
    for (const [index, message] of batch.messages.entries()) {
      if (isInOrder(batch.service)) this.#delivered++
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
        const logged = isInOrder(service) ? await this.#log.take(sender, channel, payload, position) : null
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
      case MessageKind.refreshWish:
        if (this.#isLowest() && this.#mayRefresh()) this.#driver.refresh()
        return null
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

  /** Each once, for as long as it is here. */
  #warnOfImpostors(): void {
    for (const { id, name } of this.#roster.newImpostors()) {
      this.#report("changed-key", id, `${JSON.stringify(name)} is the name of somebody verified, under another key`)
    }
  }

  #report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    this.#emit({ type: "security", event: { code, member, detail } })
  }

  #emit(event: ConferenceEvent): void {
    if (!this.#closed) this.#config.emit(event)
  }
}

/** With a goodbye: who is merely cut off may be back. */
function goneForGood({ left, lost }: ViewChange): MemberId[] {
  return left.filter((member) => !lost.includes(member)).map(({ id }) => id)
}

/** One place in the order at all members. */
function isInOrder(service: DeliveryService): boolean {
  return service === "agreed" || service === "safe"
}
