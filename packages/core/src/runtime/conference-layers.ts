/** The layers of one conference. They are built from the network up, and each gets those below it. */
import { describeFailure, type MeshOutput, type Sink } from "@keymoot/transport"
import { AdmissionDriver, type AdmissionEvent } from "../admission/admission-driver.ts"
import { checkersOf, gateOf } from "../admission/admission-policy.ts"
import type { SecurityEvent } from "../api/index.ts"
import { Content } from "../content/content.ts"
import type { ContentOutput } from "../content/deliveries.ts"
import { KeptCopy } from "../device/kept-copy.ts"
import type { DriverConfig } from "../driver/driver-config.ts"
import type { GroupDriver } from "../driver/group-driver.ts"
import { KeyRenewal } from "../driver/key-renewal.ts"
import { FileExchange } from "../files/exchange.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "../frames/frame-opener.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { MediaKeys } from "../media/epochs/media-keys.ts"
import { MediaSignalling } from "../media/signals/media-signalling.ts"
import type { LinkOutput } from "../overlay/overlay-links.ts"
import type { Faults } from "../platform/surroundings.ts"
import { ConferenceTrace } from "../trace/conference-trace.ts"
import { LruMap } from "../wire/index.ts"
import { buildGroup, buildNetwork, type Network } from "./conference-network.ts"
import type { ConferenceConfig } from "./conference-parameters.ts"
import { Page, type Pause } from "./page.ts"

/** Longest time that closing waits for the storage of the device. */
const STORING_MS = 1500

/** Each sink takes the outputs of one layer. Their owner routes them to the next layers. */
export type OutputRoutes = {
  readonly mesh: Sink<MeshOutput>
  readonly link: Sink<LinkOutput>
  readonly admission: Sink<AdmissionEvent>
  readonly group: DriverConfig["sink"]
  readonly content: Sink<ContentOutput>
  readonly pauses: Sink<Pause>
}

export class ConferenceLayers {
  readonly page: Page
  readonly trace: ConferenceTrace
  readonly admission: AdmissionDriver
  readonly network: Network
  readonly driver: GroupDriver
  readonly content: Content
  readonly renewal: KeyRenewal
  readonly files: FileExchange
  readonly media: MediaSignalling
  readonly mediaKeys: MediaKeys
  readonly checker: MemberCredentialChecker
  readonly copy: KeptCopy | null
  readonly config: ConferenceConfig
  readonly #known: KnownCredentials = new LruMap(CREDENTIALS_KNOWN_MAX)

  constructor(config: ConferenceConfig, routes: OutputRoutes, faults: Faults) {
    this.config = config
    const { descriptor, identity, people, record, clock } = config
    const reportEvent = (event: SecurityEvent): void => this.page.take({ type: "security", event })
    const { present: checker, authors } = checkersOf(descriptor, config.checker, reportEvent)
    this.checker = checker
    const common = { descriptor, identity, people, checker, known: this.#known, clock, faults }

    this.admission = new AdmissionDriver({
      ...common,
      record,
      cryptography: config.cryptography,
      copyOnly: !config.connected,
      sink: routes.admission,
    })
    const admission = this.admission.core
    const { rules } = admission
    const { member } = identity
    this.trace = new ConferenceTrace({ self: member, sink: config.traceSink, clock, rules })
    this.page = new Page({ sink: config.sink, pauses: routes.pauses, trace: this.trace })
    const { incarnation } = record
    this.mediaKeys = new MediaKeys({
      self: { member, incarnation },
      rules,
      faults: { fail: (error) => this.page.report("handling-failed", null, describeFailure(error)) },
    })
    const isNamed = gateOf(descriptor.admission, reportEvent)
    const conference = { ...config, checker, known: this.#known, media: this.#keys, trace: this.trace, faults }
    this.network = buildNetwork(conference, admission, isNamed, routes)
    const { mesh, links } = this.network
    this.driver = buildGroup(conference, admission, this.network, routes.group)
    this.copy = config.copy && new KeptCopy(config.copy, (state) => this.page.take({ type: "storage", state }))
    this.content = new Content({
      ...common,
      checker: authors,
      admission,
      driver: this.driver,
      copy: this.copy?.log ?? null,
      sink: routes.content,
    })
    const { roster, sending } = this.content
    this.renewal = new KeyRenewal({ self: member, driver: this.driver, roster, sending, clock })
    this.media = new MediaSignalling(mesh, admission.gate)
    this.files = new FileExchange({
      conferenceId: descriptor.conferenceId,
      ...config.files,
      cipher: config.cipher,
      self: member,
      mesh,
      links,
      driver: this.driver,
      roster,
      clock: performance,
      sink: this.page,
    })
  }

  /** Keys of an epoch go to voice and video, and to messages of people that wait. */
  get #keys(): NonNullable<DriverConfig["media"]> {
    const { mediaKeys } = this
    const { outside } = this.admission
    return {
      onAgreeing: (view) => mediaKeys.onAgreeing(view),
      onKeyed: (view, epochKey) => {
        mediaKeys.onKeyed(view, epochKey)
        outside.onKeyed(view, epochKey)
      },
      onceInstalled: (prove) => mediaKeys.onceInstalled(prove),
      onSecured: (view) => {
        mediaKeys.onSecured(view)
        outside.onSecured()
      },
    }
  }

  /** Restores the state of an earlier incarnation. Call it first. */
  async restore(): Promise<void> {
    await this.admission.restore()
    const restored = this.content.restore()
    // Without an earlier incarnation nothing comes of it but the state of the storage.
    if (!this.config.record.isNew) await restored
  }

  /** Time of the tick that the layers need next, if no input comes before; -Infinity for every tick. */
  get nextTickMs(): number {
    const { links, mesh } = this.network
    const isCalm = this.page.isCalm && this.admission.isCalm && this.files.isCalm
    return isCalm ? Math.min(mesh.nextTickMs, links.nextTickMs, this.driver.nextTickMs) : -Infinity
  }

  /** `isLate`: this member has entered after the end. */
  tick(nowMs: number, isLate: boolean): void {
    this.page.tick(nowMs)
    this.network.ice.tick(nowMs)
    this.network.mesh.tick(nowMs)
    this.admission.tick(nowMs)
    // A waiting or late person installs no view.
    if (this.admission.core.gate.waiting || isLate) return
    this.network.links.tick(nowMs, this.driver.heldUp)
    this.driver.tick(nowMs)
    this.files.tick(nowMs)
    this.media.tick(nowMs)
    // Frames of a call pass the engine by, and their keys follow from the key of the view.
    if (this.media.isCall(this.driver.view.members)) this.renewal.onActivity()
    this.renewal.tick(nowMs)
  }

  /** Whether no own message waits or is unstable. */
  get drained(): boolean {
    return !this.content.sending.authoring && this.driver.drained
  }

  /**
   * Closes every part even if another one fails. Own messages settle at the page until the driver takes no more. The
   * local copy has what was delivered, unless the storage takes longer than `STORING_MS`.
   */
  async close(): Promise<void> {
    const { content, driver, files, page, network, mediaKeys, admission } = this
    for (const part of [content, driver, files, page, network.mesh, mediaKeys, admission.outside]) {
      await Promise.resolve()
        .then(() => part.close())
        .catch(() => undefined)
    }
    await this.#store()
  }

  async #store(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise((resolve) => (timer = setTimeout(resolve, STORING_MS)))
    await Promise.race([this.copy?.settle(), late])
    clearTimeout(timer)
  }
}
