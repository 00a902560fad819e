/**
 * One conference of one member: the one driver of its layers. It takes their inputs, and routes each output to the next
 * layer.
 *
 *   page ◄─ take ─ content ─► group driver ─► links, mesh ─ post ─► host
 *                  admission (asked by all of them)
 */
import {
  decodeDirect,
  describeFailure,
  type MemberId,
  type MeshOutput,
  type OtherVersion,
  traceMesh,
} from "@keymoot/transport"
import type { HostEvent } from "@keymoot/transport/host"
import type { AdmissionEvent } from "../admission/admission-driver.ts"
import { decodeOutOfGroup } from "../admission/gate.ts"
import type { ClosedReason, LinkPath, ServerState } from "../api/index.ts"
import { goneForGood } from "../content/content.ts"
import type { ContentOutput } from "../content/deliveries.ts"
import type { DriverEvent } from "../driver/driver-config.ts"
import { isMediaSignal } from "../media/signals/media-signal.ts"
import { MessageKind } from "../multicast/message-kind.ts"
import type { LinkOutput } from "../overlay/overlay-links.ts"
import type { ConferenceInfo, EngineDiagnostics } from "../rpc/protocol.ts"
import { diagnosticsOf, infoOf, namedVersion } from "./conference-answers.ts"
import { ConferenceLayers, type OutputRoutes } from "./conference-layers.ts"
import type { ConferenceConfig } from "./conference-parameters.ts"
import { Ending } from "./ending.ts"

/** Longest time that `close` waits for unsent messages. */
const DRAIN_MS = 1500

export class ConferenceRuntime {
  readonly layers: ConferenceLayers
  readonly #config: ConferenceConfig
  readonly #ending = new Ending()
  /** End of the conference on the clock of ticks. */
  #endsMs = -Infinity
  readonly #paths = new Map<MemberId, LinkPath>()
  #server: ServerState = "down"
  /** Latest report. The names of an earlier one may be found after those of a later one. */
  #otherVersions: readonly OtherVersion[] = []
  #closed = false

  constructor(config: ConferenceConfig) {
    this.#config = config
    const routes: OutputRoutes = {
      mesh: { take: (output) => this.#onMesh(output) },
      link: { take: (output) => this.#onLink(output) },
      admission: { take: (event) => this.#onAdmission(event) },
      group: { take: (event) => this.#onGroup(event) },
      content: { take: (output) => this.#onContent(output) },
      pauses: { take: ({ sender, paused }) => this.layers.driver.pause(sender, paused) },
    }
    this.layers = new ConferenceLayers(config, routes, { fail: (error) => this.#fail(error) })
  }

  /** Restores what this device has stored. Call it first. */
  restore(): Promise<void> {
    return this.layers.restore()
  }

  // Inputs: host and time. They never throw, because an exception would stop other conferences.

  /** Takes every event of the host and ignores those of other conferences. */
  handleHost(event: HostEvent): void {
    this.#attempt(() => {
      const { ice, mesh } = this.layers.network
      if (!("connectionId" in event)) ice.handle(event)
      mesh.handle(event)
    })
  }

  /** Time of the tick that it needs next, if no input comes before; -Infinity for every tick. */
  get nextTickMs(): number {
    return Math.min(this.layers.nextTickMs, this.#endsMs)
  }

  tick(nowMs: number): void {
    if (!this.#closed) this.#attempt(() => this.#tick(nowMs))
  }

  #tick(nowMs: number): void {
    const ending = this.#endingAt(nowMs)
    if (ending === "over") return void this.close("conference-over")
    this.layers.tick(nowMs, ending === "late")
  }

  #endingAt(tickMs: number): ReturnType<Ending["step"]> {
    const { clock, descriptor } = this.#config
    const { expiresAtMs } = descriptor
    const { by } = this.layers.admission.core.rules.standing.end
    const endsAtMs = this.#endsAtMs
    this.#endsMs = tickMs + Math.min(endsAtMs, expiresAtMs) - clock.now()
    return this.#ending.step({ nowMs: clock.now(), tickMs, endsAtMs, isSet: by !== null, expiresAtMs })
  }

  /** An announced end that no known statement sets is newer than all known ones of the creator. */
  get #endsAtMs(): number {
    const { announcedEndMs } = this.#config
    const { end, creatorsEnds } = this.layers.admission.core.rules.standing
    return announcedEndMs === null || creatorsEnds.has(announcedEndMs) ? end.atMs : announcedEndMs
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
    this.layers.page.report("handling-failed", null, describeFailure(error, "this program has failed"))
    void this.close("engine-failed")
  }

  // Outputs of the layers

  #onMesh(output: MeshOutput): void {
    traceMesh(this.layers.trace.take, output)
    this.layers.network.links.handle(output)
  }

  #onLink(output: LinkOutput): void {
    switch (output.type) {
      case "frame":
        return this.#onFrame(output)
      case "linkUp":
        return this.layers.admission.step(output)
      case "linkDown":
        this.layers.admission.step(output)
        this.#paths.delete(output.peer)
        this.layers.files.linkDown(output.peer)
        return this.layers.page.take({ type: "links", links: new Map(this.#paths) })
      case "path":
        this.#paths.set(output.peer, output.path)
        this.layers.files.changed()
        return this.layers.page.take({ type: "links", links: new Map(this.#paths) })
      case "alive":
      case "obstructed":
        return this.layers.admission.core.gate.isInside(output.peer) ? this.layers.driver.handle(output) : undefined
      case "heartbeat":
      case "carried":
      case "ready":
      case "security":
        return this.layers.driver.handle(output)
      case "acknowledged":
        return this.layers.files.acknowledged(output.peer)
      case "superseded":
        return void this.close("opened-elsewhere")
      case "otherVersions":
        return void this.#showOtherVersions(output.others).catch((error) => this.#fail(error))
      case "server":
        this.#server = output.state
        return this.layers.page.take({ type: "server", state: output.state })
    }
  }

  /** Frames of the group, of files and of calls are for members that are admitted; notices are for all neighbours. */
  #onFrame(output: LinkOutput & { readonly type: "frame" }): void {
    const { peer, bytes } = output
    const notice = decodeOutOfGroup(bytes)
    if (notice) return this.layers.admission.receive(peer, notice)
    if (!this.layers.admission.core.gate.isInside(peer)) return
    const direct = decodeDirect(bytes)
    if (!direct) this.layers.driver.handle(output)
    else if (isMediaSignal(direct)) this.#onMedia(peer, direct)
    else this.layers.files.receive(peer, direct)
  }

  #onMedia(from: MemberId, bytes: Uint8Array): void {
    const output = this.layers.media.receive(from, bytes)
    if (output.type === "media") this.layers.page.take({ ...output, from })
    else this.layers.page.report(output.code, from, output.detail)
  }

  async #showOtherVersions(found: readonly OtherVersion[]): Promise<void> {
    this.#otherVersions = found
    const others = await Promise.all(found.map((each) => namedVersion(this.layers, each)))
    if (found === this.#otherVersions) this.layers.page.take({ type: "other-version", others })
  }

  #onAdmission(event: AdmissionEvent): void {
    switch (event.type) {
      case "pass":
        return this.layers.driver.handle(event.output)
      case "send":
        for (const peer of event.to) this.layers.network.mesh.send(peer, event.bytes)
        return
      case "expel":
        return this.layers.network.mesh.expel(event.member, event.reason)
      case "announce":
        return this.layers.network.mesh.announce()
      case "useKeys":
        return this.layers.network.mesh.useKeys(event.current, event.former)
      case "changeView":
        // Restored statements ask for it before the first tick. A late person would be secured alone at once.
        return this.#config.clock.now() < this.#endsAtMs ? this.layers.driver.changeView() : undefined
      case "replaceView":
        return this.layers.driver.replaceView()
      case "obstructed":
        return this.layers.driver.obstructed(event.member)
      case "sendSecret":
        return this.layers.content.sending.sendAboutKey(MessageKind.invitationSecret, event.secret)
      case "state":
        return this.layers.page.take({ type: "admission", state: { ...event.state, endsAtMs: this.#endsAtMs } })
      case "invitation":
        return this.layers.page.take({ type: "invitation", url: event.url })
      case "roles":
        this.layers.mediaKeys.onRoles()
        return this.layers.content.renewView()
      case "report":
        return this.layers.page.report(event.code, event.member, event.detail)
      case "out":
        return void this.close(event.reason)
    }
  }

  #onGroup(event: DriverEvent): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#config.record.usedEpoch(event.view.epoch)
        this.layers.admission.step({ type: "view", view: event.view })
        break
      case "secured":
        this.layers.admission.step({ type: "secured", view: event.view })
        break
      case "keyed":
        break
      case "batch":
        this.layers.renewal.onActivity()
        return this.layers.content.handle(event)
      case "differing":
      case "unadmitted":
        return this.layers.admission.step(event)
      case "refreshDue":
        return this.layers.driver.replaceView()
      case "security":
        return this.layers.page.take(event)
    }
    this.layers.renewal.onStatus(event.type, event.view)
    return this.layers.content.handle(event)
  }

  #onContent(output: ContentOutput): void {
    switch (output.type) {
      case "refreshWish":
        return this.layers.renewal.onWish()
      case "invitationSecret":
        return this.layers.admission.step(output)
      default:
        this.layers.page.take(output)
        if (output.type !== "view") return
        this.layers.files.changed(goneForGood(output))
        this.#config.record.met(output.view.members.filter(({ self }) => !self).map(({ name }) => name))
    }
  }

  // Calls of the application

  get info(): ConferenceInfo {
    const info = infoOf(this.layers, this.#server)
    return { ...info, admissionState: { ...info.admissionState, endsAtMs: this.#endsAtMs } }
  }

  diagnostics(): EngineDiagnostics {
    return diagnosticsOf(this.layers, this.#server, this.#paths)
  }

  /** Sends pending messages for at most `DRAIN_MS`, says goodbye and closes. */
  async close(reason: ClosedReason): Promise<void> {
    if (this.#closed) return
    const { clock, connected } = this.#config
    const deadline = clock.now() + (reason === "left" && connected ? DRAIN_MS : 0)
    while (!this.layers.drained && clock.now() < deadline) await new Promise((done) => setTimeout(done, 20))
    if (this.#closed) return
    this.#closed = true
    await this.layers.close()
    this.layers.page.last({ type: "closed", reason })
  }
}
