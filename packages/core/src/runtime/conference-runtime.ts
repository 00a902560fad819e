/**
 * One conference of one member: the one driver of its layers. It builds them from the network up. Each layer gets those
 * below it, and its outputs come back here, where they are routed to the next layer.
 *
 *   page ◄─ take ─ content ─► group driver ─► links, mesh ─ post ─► host
 *                  admission (asked by all of them)
 */
import { conferenceCode } from "@keymoot/gke"
import { decodeDirect, describeFailure, type MemberId, type OtherVersion } from "@keymoot/transport"
import type { HostEvent } from "@keymoot/transport/host"
import type { Faults } from "../platform/faults.ts"
import { AdmissionDriver, decodeOutOfGroup, type AdmissionEvent } from "../admission/admission-driver.ts"
import { checkersOf, gateOf, shownAdmission } from "../admission/admission-policy.ts"
import { keyOf } from "../admission/entry-rules.ts"
import type { Hosting } from "../admission/hosting.ts"
import type { ClosedReason, KeyStructure, LinkPath, SecurityEvent } from "../api/index.ts"
import { blobKeyOf } from "../conference/index.ts"
import { Content, goneForGood } from "../content/content.ts"
import type { ContentOutput } from "../content/deliveries.ts"
import { presentStructure } from "../content/presented-view.ts"
import { KeptCopy } from "../device/kept-copy.ts"
import type { DriverEvent } from "../driver/driver-config.ts"
import type { GroupDriver } from "../driver/group-driver.ts"
import { KeyRenewal } from "../driver/key-renewal.ts"
import { exportEvidence } from "../evidence/export.ts"
import { FileExchange } from "../files/index.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "../frames/frame-opener.ts"
import type { DriverConfig } from "../driver/driver-config.ts"
import { MediaKeys, type KeyPort } from "../media/epochs/media-keys.ts"
import type { OutsideDriver } from "../admission/outside-driver.ts"
import { isMediaSignal, MediaSignalling } from "../media/signals/index.ts"
import { MessageKind } from "../multicast/message-kind.ts"
import type { LinkOutput } from "../overlay/overlay-links.ts"
import type { ConferenceInfo, EngineCalls, EngineDiagnostics, EngineEvent } from "../rpc/protocol.ts"
import { ConferenceTrace } from "../trace/conference-trace.ts"
import { traceEngineEvent } from "../trace/layer-event.ts"
import { LruMap } from "../wire/index.ts"
import { buildGroup, buildNetwork, type ConferenceConfig, type Network } from "./conference-layers.ts"
import { diagnosticsOf } from "./diagnostics-of.ts"
import type { Ice } from "./ice.ts"
import { Ending } from "./ending.ts"
import { OtherVersions } from "./other-versions.ts"
import { PageEvents } from "./page-events.ts"
import { timeFrameOf } from "./time-frame.ts"

/** Longest time that `close` waits for unsent messages. */
const DRAIN_MS = 1500

export class ConferenceRuntime {
  readonly content: Content
  readonly files: FileExchange
  readonly media: MediaSignalling
  readonly #config: ConferenceConfig
  readonly #known: KnownCredentials = new LruMap(CREDENTIALS_KNOWN_MAX)
  readonly #trace: ConferenceTrace
  readonly #mediaKeys: MediaKeys
  readonly #admission: AdmissionDriver
  readonly #network: Network
  readonly #driver: GroupDriver
  readonly #copy: KeptCopy | null
  readonly #renewal: KeyRenewal
  readonly #otherVersions: OtherVersions
  readonly #page: PageEvents
  readonly #ending = new Ending()
  /** End of the conference on the clock of ticks. */
  #endsMs = -Infinity
  readonly #paths = new Map<MemberId, LinkPath>()
  #server: "up" | "down" = "down"
  #closed = false

  constructor(config: ConferenceConfig) {
    this.#config = config
    const { descriptor, identity, people, record, clock } = config
    this.#page = new PageEvents({ take: (event) => this.#emit(event) })
    const reportEvent = (event: SecurityEvent): void => this.#page.take({ type: "security", event })
    const { present: checker, authors } = checkersOf(descriptor, config.checker, reportEvent)
    const faults: Faults = { fail: (error) => this.#fail(error) }
    const common = { descriptor, identity, checker, known: this.#known, clock, faults }

    this.#admission = new AdmissionDriver({
      ...common,
      record,
      cryptography: config.cryptography,
      copyOnly: !config.connected,
      sink: { take: (event) => this.#onAdmission(event) },
    })
    const admission = this.#admission.core
    const { rules } = admission
    const { member } = identity
    const trace = new ConferenceTrace({ self: member, sink: config.traceSink, clock, rules })
    this.#trace = trace
    const { incarnation } = record
    const media = new MediaKeys({
      self: { member, incarnation },
      rules,
      faults: { fail: (error) => this.#page.report("handling-failed", null, describeFailure(error)) },
    })
    this.#mediaKeys = media
    const isNamed = gateOf(descriptor.admission, reportEvent)
    const { outside } = this.#admission
    const keys: DriverConfig["media"] = {
      onAgreeing: (view) => media.onAgreeing(view),
      onKeyed: (view, epochKey) => {
        media.onKeyed(view, epochKey)
        outside.onKeyed(view, epochKey)
      },
      onceInstalled: (prove) => media.onceInstalled(prove),
      onSecured: (view) => {
        media.onSecured(view)
        outside.onSecured()
      },
    }
    const conference = { ...config, checker, known: this.#known, media: keys, trace, faults }
    this.#network = buildNetwork(conference, admission, isNamed, { take: (output) => this.#onLink(output) })
    const { mesh, links } = this.#network
    this.#driver = buildGroup(conference, admission, this.#network, { take: (event) => this.#onGroup(event) })
    this.#copy = config.copy && new KeptCopy(config.copy, (state) => this.#page.take({ type: "storage", state }))
    const copy = this.#copy?.log ?? null
    const lower = { admission, driver: this.#driver, copy }
    this.content = new Content({
      ...common,
      checker: authors,
      people,
      ...lower,
      sink: { take: (output) => this.#onContent(output) },
    })
    const { roster, sending } = this.content
    this.#renewal = new KeyRenewal({ self: identity.member, driver: this.#driver, roster, sending, clock })
    this.#otherVersions = new OtherVersions(checker)
    this.media = new MediaSignalling(mesh, admission.gate)
    this.files = new FileExchange({
      conferenceId: descriptor.conferenceId,
      ...config.files,
      cipher: config.cipher,
      self: identity.member,
      mesh,
      links,
      driver: this.#driver,
      roster,
      clock: performance,
      sink: this.#page,
    })
  }

  // Inputs: host and time. They never throw, because an exception would stop other conferences.

  /** Takes every event of the host and ignores those of other conferences. */
  handleHost(event: HostEvent): void {
    this.#attempt(() => {
      this.#network.ice.handle(event)
      this.#network.mesh.handle(event)
    })
  }

  /** Time of the tick that it needs next, if no input comes before; -Infinity for every tick. */
  get nextTickMs(): number {
    const { links, mesh } = this.#network
    const isCalm = this.content.isCalm && this.#admission.isCalm && this.files.isCalm && links.isCalm
    return isCalm ? Math.min(mesh.nextTickMs, this.#driver.nextTickMs, this.#endsMs) : -Infinity
  }

  tick(nowMs: number): void {
    if (!this.#closed) this.#attempt(() => this.#tick(nowMs))
  }

  #tick(nowMs: number): void {
    const ending = this.#endingAt(nowMs)
    if (ending === "over") return void this.close("conference-over")
    this.content.tick(nowMs)
    this.#page.tick(nowMs)
    this.#network.ice.tick(nowMs)
    this.#network.mesh.tick(nowMs)
    this.#admission.tick(nowMs)
    // A waiting or late person installs no view.
    if (this.#admission.core.gate.waiting || ending === "late") return
    this.#network.links.tick(nowMs)
    this.#driver.tick(nowMs)
    this.files.tick(nowMs)
    this.media.tick(nowMs)
    this.#renewal.tick(nowMs)
  }

  #endingAt(tickMs: number): ReturnType<Ending["step"]> {
    const { clock, descriptor, ended } = this.#config
    const { startsAtMs, expiresAtMs, creator } = descriptor
    const { atMs, by } = this.#admission.core.rules.standing.end
    // An announced end is taken back by a statement of the creator only.
    const endsAtMs = ended && by !== keyOf(creator) ? startsAtMs : atMs
    this.#endsMs = tickMs + Math.min(endsAtMs, expiresAtMs) - clock.now()
    return this.#ending.step({ nowMs: clock.now(), tickMs, endsAtMs, isSet: by !== null, expiresAtMs })
  }

  #attempt(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Handles a local fault that no other member caused: closes this conference with a report, and no other conference.
   */
  #fail(error: unknown): void {
    if (this.#closed) return
    this.#page.report("handling-failed", null, describeFailure(error, "this program has failed"))
    void this.close("engine-failed")
  }

  // Outputs of the layers

  #onLink(output: LinkOutput): void {
    switch (output.type) {
      case "frame":
        return this.#onFrame(output)
      case "linkUp":
        return this.#admission.step(output)
      case "linkDown":
        this.#admission.step(output)
        this.#paths.delete(output.peer)
        this.files.linkDown(output.peer)
        return this.#page.take({ type: "links", links: new Map(this.#paths) })
      case "path":
        this.#paths.set(output.peer, output.path)
        this.files.changed()
        return this.#page.take({ type: "links", links: new Map(this.#paths) })
      case "alive":
        return this.#admission.core.gate.isInside(output.peer) ? this.#driver.handle(output) : undefined
      case "heartbeat":
      case "carried":
      case "ready":
      case "security":
        return this.#driver.handle(output)
      case "acknowledged":
        return this.files.acknowledged(output.peer)
      case "superseded":
        return void this.close("opened-elsewhere")
      case "otherVersions":
        return void this.#showOtherVersions(output.others).catch((error) => this.#fail(error))
      case "server":
        this.#server = output.state
        return this.#page.take({ type: "server", state: output.state })
    }
  }

  /** Frames of the group, of files and of calls are for members that are admitted; notices are for all neighbours. */
  #onFrame(output: LinkOutput & { readonly type: "frame" }): void {
    const { peer, bytes } = output
    const notice = decodeOutOfGroup(bytes)
    if (notice) return this.#admission.receive(peer, notice)
    if (!this.#admission.core.gate.isInside(peer)) return
    const direct = decodeDirect(bytes)
    if (!direct) this.#driver.handle(output)
    else if (isMediaSignal(direct)) this.#onMedia(peer, direct)
    else this.files.receive(peer, direct)
  }

  #onMedia(from: MemberId, bytes: Uint8Array): void {
    const output = this.media.receive(from, bytes)
    if (output.type === "media") this.#page.take({ ...output, from })
    else this.#page.report(output.code, from, output.detail)
  }

  async #showOtherVersions(found: readonly OtherVersion[]): Promise<void> {
    const others = await this.#otherVersions.named(found)
    if (others) this.#page.take({ type: "other-version", others })
  }

  #onAdmission(event: AdmissionEvent): void {
    switch (event.type) {
      case "pass":
        return this.#driver.handle(event.output)
      case "send":
        for (const peer of event.to) this.#network.mesh.send(peer, event.bytes)
        return
      case "expel":
        return this.#network.mesh.expel(event.member, event.reason)
      case "announce":
        return this.#network.mesh.announce()
      case "useKeys":
        return this.#network.mesh.useKeys(event.current, event.former)
      case "changeView":
        return this.#driver.changeView()
      case "obstructed":
        return this.#driver.obstructed(event.member)
      case "sendSecret":
        return this.content.sending.sendAboutKey(MessageKind.invitationSecret, event.secret)
      case "state":
        return this.#page.take({ type: "admission", state: event.state })
      case "invitation":
        return this.#page.take({ type: "invitation", url: event.url })
      case "roles":
        this.#mediaKeys.onRoles()
        return this.content.renewView()
      case "report":
        return this.#page.report(event.code, event.member, event.detail)
      case "out":
        return void this.close(event.reason)
    }
  }

  #onGroup(event: DriverEvent): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#config.record.usedEpoch(event.view.epoch)
        this.#admission.step({ type: "view", view: event.view })
        break
      case "secured":
        this.#admission.step({ type: "secured", view: event.view })
        break
      case "keyed":
        break
      case "batch":
        this.#renewal.onActivity()
        return this.content.handle(event)
      case "apart":
      case "unadmitted":
        return this.#admission.step(event)
      case "refreshDue":
        return this.#driver.changeView()
      case "security":
        return this.#page.take(event)
    }
    this.#renewal.onStatus(event.type)
    return this.content.handle(event)
  }

  #onContent(output: ContentOutput): void {
    switch (output.type) {
      case "refreshWish":
        return this.#renewal.onWish()
      case "invitationSecret":
        return this.#admission.step(output)
      case "historyReceived":
        return
      default:
        this.#page.take(output)
        if (output.type !== "view") return
        this.files.changed(goneForGood(output))
        this.#config.record.met(output.view.members.filter(({ self }) => !self).map(({ name }) => name))
    }
  }

  // Calls of the application

  get info(): ConferenceInfo {
    const { descriptor, identity, record } = this.#config
    const { roster } = this.content
    return {
      id: descriptor.conferenceId,
      title: descriptor.title,
      timeFrame: timeFrameOf(descriptor),
      url: this.#admission.core.url,
      self: roster.member(identity.member),
      keyAgreement: descriptor.keyAgreement,
      admission: shownAdmission(descriptor.admission),
      admissionState: this.#admission.core.state,
      history: descriptor.history,
      authenticity: descriptor.authenticity,
      cipher: descriptor.cipher,
      postQuantum: descriptor.postQuantum,
      view: roster.view,
      server: this.#server,
      storage: this.#copy?.state ?? "off",
      incarnation: record.incarnation,
      copyOnly: !this.#config.connected,
    }
  }

  /** Restores the state of an earlier incarnation. Call it first. */
  async restore(): Promise<void> {
    await this.#admission.restore()
    const restored = this.content.restore()
    // Without an earlier incarnation nothing comes of it but the state of the storage.
    if (!this.#config.record.isNew) await restored
  }

  /** Messages of people that wait. */
  get outside(): OutsideDriver {
    return this.#admission.outside
  }

  /** Actions that only hosts may take. */
  get hosting(): Hosting {
    return this.#admission.hosting
  }

  async readCopy(part: string): Promise<Uint8Array[]> {
    return (await this.#copy?.read(part)) ?? []
  }

  /** Returns true if no copy is kept: there is nothing to retry. */
  async writeCopy({ part, bytes, how }: EngineCalls["copy.write"]["params"]): Promise<boolean> {
    return this.#copy ? this.#copy.write(part, bytes, how) : true
  }

  /** Announces this member again. */
  lookForOthers(): void {
    this.#network.mesh.announce()
  }

  conferenceCode(): string {
    const prints = this.#driver.view.members.map(({ id }) => this.#driver.prints.of(id))
    return conferenceCode(this.#config.descriptor.hash, prints)
  }

  keyStructure(): KeyStructure | null {
    const structure = this.#driver.keyStructure
    return structure && presentStructure(structure, (id) => this.content.roster.member(id))
  }

  /** @throws KeymootError `too-large` */
  evidence({ documents }: EngineCalls["conference.evidence"]["params"]): Promise<Uint8Array> {
    const { descriptor: opened, identity, clock, record } = this.#config
    const { descriptor } = record
    const blobKey = blobKeyOf(descriptor, opened.roomKey)
    return exportEvidence(
      { descriptor, blobKey, log: this.content.evidence, documents, exportedAtMs: clock.now() },
      identity,
    )
  }

  diagnostics(): EngineDiagnostics {
    return diagnosticsOf({
      self: this.#config.identity.member,
      server: this.#server,
      view: this.content.roster.view,
      links: this.#paths,
      mesh: this.#network.mesh,
      driver: this.#driver,
      trace: this.#trace,
    })
  }

  /** Sends the keys of frames to the media worker at the other end of the port. Null: the call is over. */
  attachMediaKeys(port: KeyPort | null): void {
    this.#mediaKeys.attach(port)
  }

  /** Configuration of peer connections for voice and video. */
  get iceConfiguration(): Ice["configuration"] {
    return this.#network.ice.configuration
  }

  /** @throws KeymootError `too-soon` */
  refreshKey(): void {
    this.#renewal.ask()
  }

  /** Sends pending messages for at most `DRAIN_MS`, says goodbye and closes. */
  async close(reason: ClosedReason): Promise<void> {
    if (this.#closed) return
    const { clock, connected } = this.#config
    const deadline = clock.now() + (reason === "left" && connected ? DRAIN_MS : 0)
    const isPending = (): boolean => this.content.sending.authoring || !this.#driver.drained
    while (isPending() && clock.now() < deadline) await new Promise((done) => setTimeout(done, 20))
    if (this.#closed) return
    this.#closed = true
    const { mesh } = this.#network
    // Closes every part even if another one fails. Own messages settle at the page until the driver takes no more.
    for (const part of [this.content, this.#driver, this.files, this.#page, mesh, this.#mediaKeys, this.outside]) {
      await Promise.resolve()
        .then(() => part.close())
        .catch(() => undefined)
    }
    this.#emit({ type: "closed", reason })
  }

  #emit(event: EngineEvent): void {
    traceEngineEvent(this.#trace.take, event)
    this.#config.sink.take(event)
  }
}
