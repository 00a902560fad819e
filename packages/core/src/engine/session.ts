/** One conference of one member: what its channels mean, on top of the driver that moves their bytes. */
import { conferenceCode } from "@keymoot/gke"
import { decodeDirect, encodeDirect, type MemberId, type Mesh, type MeshOutput, type View } from "@keymoot/transport"
import type { HostEvent } from "@keymoot/transport/host"
import {
  KeymootError,
  type ClosedReason,
  type KeyStructure,
  type LinkPath,
  type SecurityEvent,
  type ViewChange,
} from "../api.ts"
import type { Role } from "../admission/index.ts"
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
import { Deliveries } from "./deliveries.ts"
import type { DriverEvent } from "./driver-config.ts"
import type { Entrance, EntranceConfig } from "./entrance.ts"
import type { GroupDriver } from "./group-driver.ts"
import { shownAdmission } from "./admission.ts"
import { Companions } from "./companions.ts"
import type { Hosting } from "./hosting.ts"
import type { Ice } from "./ice.ts"
import { KeptCopy } from "./kept-copy.ts"
import { LogKeeper } from "./log-keeper.ts"
import { presentStructure } from "./key-structure.ts"
import { changesContent, isBulk, KEY_CHANNEL, LOG_CHANNEL, MessageKind } from "./message-kind.ts"
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
  readonly #entrance: Entrance
  readonly #deliveries: Deliveries
  readonly #rekey = new RekeyTimer()
  readonly #authoring: SerialQueue
  readonly #copy: KeptCopy | null
  readonly files: FileExchange
  #server: "up" | "down" = "down"
  readonly #links = new Map<MemberId, LinkPath>()
  #handOvers = 0
  readonly #companions = new Companions()
  #closed = false

  constructor(
    config: SessionConfig,
    createDriver: (emit: (event: DriverEvent) => void | Promise<void>, fail: (error: unknown) => void) => GroupDriver,
    createMesh: (emit: (output: MeshOutput) => void) => Mesh,
    createEntrance: (hooks: EntranceHooks) => Entrance,
  ) {
    this.#config = config
    this.#entrance = createEntrance(this.#entranceHooks())
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
    const roleOf = (id: MemberId): Role => this.#entrance.gate.role(id)
    const isRemoved = (id: MemberId): boolean => this.#entrance.gate.isRemoved(id)
    this.#roster = new Roster(identity.member, known, config.people, this.#driver.departed, roleOf, isRemoved)
    this.#deliveries = new Deliveries({
      log: this.#log,
      member: (id) => this.#roster.member(id),
      roleOf: ({ view, sender }) => this.#entrance.gate.roleIn(view, sender),
      emit: (event) => this.#emit(event),
      report: (code, member, detail) => this.#report(code, member, detail),
      onRefreshWish: () => this.#isLowest() && this.#mayRefresh() && this.#driver.refresh(),
      onSecret: ({ sender, view }, secret) => this.#entrance.onSecret(sender, secret, view),
    })
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
    const { descriptor, identity } = this.#config
    return {
      id: descriptor.conferenceId,
      title: descriptor.title,
      url: this.#entrance.url,
      self: this.#roster.member(identity.member),
      keyAgreement: descriptor.keyAgreement,
      admission: shownAdmission(descriptor.admission),
      admissionState: this.#entrance.state,
      history: descriptor.history,
      authenticity: descriptor.authenticity,
      view: this.#roster.view,
      server: this.#server,
      storage: this.#copy?.state ?? "off",
    }
  }

  /** Before anything else happens: what an earlier life of this member had. */
  async restore(): Promise<void> {
    await this.#entrance.restore()
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
    this.#entrance.tick(nowMs)
    // Who waits to be let in makes no view of its own.
    if (this.#entrance.gate.waiting) return
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
    this.#assertMayChange(params.kind)
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

  /** @throws KeymootError `not-permitted`: others would ignore it */
  #assertMayChange(kind: number): void {
    if (!changesContent(kind) || this.#entrance.gate.role(this.#config.identity.member) !== "viewer") return
    throw new KeymootError("not-permitted", "You can look on here, and not write or draw. A host can let you.")
  }

  /** What only hosts can do. */
  get hosting(): Hosting {
    return this.#entrance.hosting
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
    if (direct && output.type === "frame") return this.#onDirect(output.peer, direct)
    if (output.type === "acknowledged") return this.files.acknowledged(output.peer)
    if (output.type !== "server" && output.type !== "path") this.#entrance.handle(output)
    if (output.type === "path" || output.type === "linkDown") return this.#onPath(output)
    if (output.type !== "server") return
    this.#server = output.state
    this.#emit({ type: "server", state: output.state })
  }

  /** Files are for those who are in. */
  #onDirect(peer: MemberId, bytes: Uint8Array): void {
    if (this.#entrance.gate.isInside(peer)) this.files.receive(peer, bytes)
  }

  #entranceHooks(): EntranceHooks {
    return {
      driver: () => this.#driver,
      mesh: () => this.#mesh,
      onState: (state) => this.#emit({ type: "admission", state }),
      onInvitation: (url) => this.#emit({ type: "invitation", url }),
      onOut: (reason) => void this.close(reason),
      onStanding: () => this.#emit({ type: "status", view: this.#roster.renew() }),
      sendSecret: (payload) => {
        const message = { channel: KEY_CHANNEL, kind: MessageKind.invitationSecret, payload }
        void this.#sendPiece({ ...message, sentAtMs: this.#config.now() })
      },
      report: (code, member, detail) => this.#report(code, member, detail),
      fail: () => void this.close("engine-failed"),
    }
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
        this.#deliveries.onView()
        this.#companions.onView(event.view)
        this.#config.usedEpoch(event.view.epoch)
        this.#log.onView(event.view)
        return this.#onStatus(event.view, "agreeing")
      case "keyed":
        return this.#onStatus(event.view, "keyed")
      case "secured":
        return this.#onSecured(event.view)
      case "batch":
        this.#rekey.onActivity()
        return this.#deliveries.take(event)
      case "apart":
        return this.#entrance.onApart(event.view, event.members)
      case "unadmitted":
        return this.#entrance.onUnadmitted(event.coordinator)
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
    this.#entrance.onSecured(view)
    const mayHandOver = (id: MemberId): boolean => this.#entrance.gate.roleIn(view, id) !== "viewer"
    const handOver = this.#companions.handsOver(view, this.#config.identity.member, mayHandOver)
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

export type EntranceHooks = Pick<
  EntranceConfig,
  "driver" | "mesh" | "onState" | "onInvitation" | "onOut" | "onStanding" | "sendSecret" | "report" | "fail"
>
