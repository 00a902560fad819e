/** One conference of one member: what its channels mean, on top of the driver that moves their bytes. */
import { conferenceCode } from "@keymoot/gke"
import { decodeDirect, encodeDirect, type MemberId, type Mesh, type View } from "@keymoot/transport"
import type { HostEvent } from "@keymoot/transport/host"
import type { ClosedReason, KeyStructure, LinkPath, SecurityEvent, ViewChange } from "../api.ts"
import type { Role } from "../admission/index.ts"
import type { MemberCredential } from "../identity/index.ts"
import { FileExchange } from "../files/index.ts"
import { ERASURE_CHANNEL } from "../history/index.ts"
import { shownAdmission } from "./admission.ts"
import { Companions } from "./companions.ts"
import { Deliveries } from "./deliveries.ts"
import type { DriverEvent } from "./driver-config.ts"
import type { Entrance } from "./entrance.ts"
import type { GroupDriver } from "./group-driver.ts"
import { HandingOver } from "./handing-over.ts"
import type { Hosting } from "./hosting.ts"
import { KeptCopy } from "./kept-copy.ts"
import { KeyRenewal } from "./key-renewal.ts"
import { eventOf, LogKeeper } from "./log-keeper.ts"
import { presentStructure } from "./key-structure.ts"
import { MessageKind } from "./message-kind.ts"
import type { LinkOutput, OverlayLinks } from "./overlay-links.ts"
import type { ConferenceInfo, EngineCalls, EngineEvent } from "./protocol.ts"
import { Roster } from "./roster.ts"
import { Sending } from "./sending.ts"
import type {
  CreateDriver,
  CreateEntrance,
  CreateMesh,
  CreateOverlay,
  EntranceHooks,
  SessionConfig,
} from "./session-config.ts"

/** How long leaving waits for what is still to be sent. */
const DRAIN_MS = 1500

export class Session {
  readonly #config: SessionConfig
  readonly #driver: GroupDriver
  readonly #mesh: Mesh
  readonly #overlay: OverlayLinks
  readonly #log: LogKeeper
  readonly #roster: Roster
  readonly #entrance: Entrance
  readonly #deliveries: Deliveries
  readonly #renewal: KeyRenewal
  readonly #sending: Sending
  readonly #handingOver: HandingOver
  readonly #copy: KeptCopy | null
  readonly files: FileExchange
  #server: "up" | "down" = "down"
  readonly #links = new Map<MemberId, LinkPath>()
  readonly #companions = new Companions()
  #closed = false

  constructor(
    config: SessionConfig,
    createDriver: CreateDriver,
    createMesh: CreateMesh,
    createOverlay: CreateOverlay,
    createEntrance: CreateEntrance,
  ) {
    this.#config = config
    this.#entrance = createEntrance(this.#entranceHooks())
    const { identity, checker, descriptor } = config
    this.#driver = createDriver(
      (event) => this.#onDriverEvent(event),
      () => void this.close("engine-failed"),
    )
    this.#overlay = createOverlay({
      mesh: () => this.#mesh,
      emit: (output) => this.#onLinkOutput(output),
      onHeartbeat: (from, heartbeat) => this.#driver.hearHeartbeat(from, heartbeat),
      onFrame: (carried) => this.#driver.takeCarried(carried),
      fail: () => void this.close("engine-failed"),
    })
    this.#mesh = createMesh(this.#overlay)
    this.#driver.attach(this.#mesh, this.#overlay)
    this.#copy = config.copy && new KeptCopy(config.copy, (state) => this.#emit({ type: "storage", state }))
    const { known } = this.#driver
    const kept = this.#copy?.log ?? null
    this.#log = new LogKeeper(descriptor.conferenceId, identity.signer, checker, known, config.people, kept)
    const roleOf = (id: MemberId): Role => this.#entrance.gate.role(id)
    const isRemoved = (id: MemberId): boolean => this.#entrance.gate.isRemoved(id)
    this.#roster = new Roster(identity.member, known, config.people, this.#driver.departed, roleOf, isRemoved)
    this.#deliveries = new Deliveries({
      self: identity.member,
      log: this.#log,
      member: (id) => this.#roster.member(id),
      roleOf: ({ view, sender }) => this.#entrance.gate.roleIn(view, sender),
      emit: (event) => this.#emit(event),
      report: (code, member, detail) => this.#report(code, member, detail),
      onRefreshWish: () => this.#renewal.onWish(),
      onSecret: ({ sender, view }, secret) => this.#entrance.onSecret(sender, secret, view),
    })
    const fail = (): void => void this.close("engine-failed")
    const common = { self: identity.member, driver: this.#driver, now: config.now }
    this.#sending = new Sending({ ...common, log: this.#log, roleOf, fail })
    this.#handingOver = new HandingOver(this.#sending)
    this.#renewal = new KeyRenewal({
      ...common,
      view: () => this.#roster.view,
      sendWish: () => this.#sending.sendAboutKey(MessageKind.refreshWish, new Uint8Array(0)),
    })
    this.files = new FileExchange({
      conferenceId: descriptor.conferenceId,
      ...config.files,
      self: identity.member,
      send: (to, bytes) => this.#mesh.send(to, encodeDirect(bytes), { payload: true }),
      bufferedBytes: (to) => this.#mesh.bufferedBytes(to),
      holdBack: (to) => this.#mesh.halfCongested(to),
      linked: (member) => this.#overlay.isLinked(member),
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
      timeFrame: { opensAtMs: descriptor.startsAtMs, endsAtMs: descriptor.endsAtMs },
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
    for (const event of messages.map(eventOf)) if (event) this.#emit(event)
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
    this.#overlay.tick(nowMs)
    this.#driver.tick(nowMs)
    this.files.tick(nowMs)
    this.#renewal.tick(nowMs)
  }

  send(...call: Parameters<Sending["send"]>): ReturnType<Sending["send"]> {
    return this.#sending.send(...call)
  }

  /** Says again that this member is here. */
  lookForOthers(): void {
    this.#mesh.announce()
  }

  /** Takes messages of this member out of everybody's log. @throws KeymootError as `send`, `invalid-argument` */
  async erase({ id, channel, messages }: EngineCalls["conference.erase"]["params"]): Promise<void> {
    const payload = this.#log.erasureOf(channel, messages)
    const erasure = { id, channel: ERASURE_CHANNEL, kind: MessageKind.logItem, payload, service: "agreed" } as const
    await new Promise<void>((delivered, failed) => {
      this.send(erasure, { request: null, delivered: () => delivered(), failed })
    })
  }

  /** What only hosts can do. */
  get hosting(): Hosting {
    return this.#entrance.hosting
  }

  conferenceCode(): string {
    const { known, view } = this.#driver
    const prints = view.members.map(({ id }) => this.#config.fingerprintOf(known.get(id)!))
    return conferenceCode(this.#config.descriptor.hash, prints)
  }

  /** @throws KeymootError `invalid-argument` for oneself or somebody who was never here */
  otherThanSelf(member: MemberId): MemberCredential {
    return this.#roster.otherThanSelf(member)
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
    this.#renewal.ask()
  }

  /** Sends what is pending if it can within moments, says goodbye, and is over. */
  async close(reason: ClosedReason): Promise<void> {
    if (this.#closed) return
    const deadline = this.#config.now() + (reason === "left" ? DRAIN_MS : 0)
    while (!this.#driver.drained && this.#config.now() < deadline) await new Promise((done) => setTimeout(done, 20))
    if (this.#closed) return
    this.#closed = true
    this.#handingOver.close()
    await this.files.close()
    await this.#driver.close()
    this.#mesh.close()
    this.#config.emit({ type: "closed", reason })
  }

  #onLinkOutput(output: LinkOutput): void {
    const direct = output.type === "frame" ? decodeDirect(output.bytes) : null
    if (direct && output.type === "frame") return this.#onDirect(output.peer, direct)
    if (output.type === "acknowledged") return this.files.acknowledged(output.peer)
    if (output.type === "superseded") return void this.close("opened-elsewhere")
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
      sendSecret: (secret) => this.#sending.sendAboutKey(MessageKind.invitationSecret, secret),
      report: (code, member, detail) => this.#report(code, member, detail),
      fail: () => void this.close("engine-failed"),
    }
  }

  #onPath(output: LinkOutput & { readonly type: "path" | "linkDown" }): void {
    if (output.type === "path") this.#links.set(output.peer, output.path)
    else this.#links.delete(output.peer)
    if (output.type === "path") this.files.changed()
    else this.files.linkDown(output.peer)
    this.#emit({ type: "links", links: new Map(this.#links) })
  }

  #onDriverEvent(event: DriverEvent): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#deliveries.onView(event.view)
        this.#companions.onView(event.view)
        this.#config.usedEpoch(event.view.epoch)
        this.#log.onView(event.view)
        return this.#onStatus(event.view, "agreeing")
      case "keyed":
        return this.#onStatus(event.view, "keyed")
      case "secured":
        return this.#onSecured(event.view)
      case "batch":
        this.#renewal.onActivity()
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
    this.#renewal.onStatus(status)
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
    const handsOver = handOver === "all" || (handOver === "unfinished" && this.#handingOver.busy)
    if (!handsOver || this.#config.descriptor.history !== "everything") return
    void this.#handingOver.handOver(await this.#log.handOver(view))
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

  #emit(event: EngineEvent): void {
    if (!this.#closed) this.#config.emit(event)
  }
}

/** With a goodbye: who is merely cut off may be back. */
function goneForGood({ left, lost }: ViewChange): MemberId[] {
  return left.filter((member) => !lost.includes(member)).map(({ id }) => id)
}
