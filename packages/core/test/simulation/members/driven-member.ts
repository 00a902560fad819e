/** A simulated member whose group is driven as in production, by a `GroupDriver`. */
import type { GroupConfig, MemberId, View } from "@keymoot/transport"
import {
  MemberLife,
  Network,
  OverlayNetwork,
  type Sends,
  type WireMessage,
  type World,
} from "@keymoot/transport/testing"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { KeyAgreementName, PostQuantum } from "../../../src/api/index.ts"
import type { AgreementConfig, DriverConfig, DriverEvent } from "../../../src/driver/driver-config.ts"
import { GroupDriver } from "../../../src/driver/group-driver.ts"
import { type LinkSender, MemberLinks } from "../../../src/driver/member-links.ts"
import { CREDENTIALS_KNOWN_MAX } from "../../../src/frames/frame-opener.ts"
import { fingerprintOf } from "../../../src/identity/certificates/certificate.ts"
import { LruMap } from "../../../src/wire/index.ts"
import { Application } from "./application.ts"
import type { Cryptography } from "../cryptography.ts"
import { ObservedGroup } from "../observed-group.ts"
import { Threads } from "./threads.ts"

/** Over a mesh: bytes of the driver, or something that the members tell each other beside the group. */
export type MeshMessage =
  { readonly type: "bytes"; readonly bytes: Uint8Array } | { readonly type: "notice"; readonly bytes: Uint8Array }

export type DrivenOptions = {
  readonly cryptography: Cryptography
  readonly module: KeyAgreementName
  readonly postQuantum: PostQuantum
  readonly sends: Sends
}

const noKey = new Uint8Array(32)
const keys = { signal: noKey, advertisement: noKey, association: noKey }
/** At a tick, under majority: it asks for a new session. */
const RENEWS = 0.002

export class DrivenMember extends MemberLife<MeshMessage> {
  readonly group: ObservedGroup
  protected readonly driver: GroupDriver
  protected readonly application: Application
  readonly #threads: Threads
  readonly #module: KeyAgreementName
  /** Peers whose links were found congested. */
  readonly #clogged = new Set<MemberId>()

  constructor(world: World, name: string, id: MemberId, config: GroupConfig, options: DrivenOptions) {
    super(world, name, id, config)
    const { cryptography, module, sends } = options
    this.#module = module
    const threads = new Threads(world, cryptography)
    this.#threads = threads
    this.group = new ObservedGroup(config, this)
    const fail = (error: unknown): void => this.#fail(error)
    this.driver = new GroupDriver({
      links: this.#linksOf(world.network instanceof OverlayNetwork),
      known: new LruMap(CREDENTIALS_KNOWN_MAX),
      group: config,
      core: this.group,
      authenticity: "signature",
      secure: this.#agreement(options),
      rules: { digest: () => this.statementsDigest },
      conferenceId: "00".repeat(16),
      self: threads.credentialOf(id),
      roster: module === "majority" ? this.roster.map((each) => threads.credentialOf(each)) : [],
      signer: threads.signerOf(id),
      checker: threads.checker,
      identifiedBy: "certificate",
      media: this.#media,
      sink: { take: (event) => (this.alive ? this.#taken(event) : undefined) },
      faults: { fail },
      ...(world.sink ? { trace: { take: (event) => this.report(event) } } : {}),
    })
    const { driver } = this
    const { incarnation } = config.self
    this.application = new Application({ member: this, names: world.names, driver, threads, sends, incarnation })
  }

  #agreement({ cryptography, module, postQuantum }: DrivenOptions): AgreementConfig {
    const { group, x25519, kem, verifier } = cryptography
    const common = {
      group,
      conferenceId: new Uint8Array(16),
      descriptorHash: new Uint8Array(32),
      cipher: this.#threads.cipher,
      postQuantum,
      kem,
      invitation: new Uint8Array(32),
      random: this.random,
    }
    if (module !== "majority") return { ...common, module }
    const roster = this.roster.map((member) => {
      const { certificate, publicKey } = this.#threads.credentialOf(member)
      return { member, publicKey, fingerprint: fingerprintOf(certificate) }
    })
    return { ...common, module, roster, statementsHash: new Uint8Array(32), x25519, verifier }
  }

  #linksOf(isOverlay: boolean): MemberLinks {
    const mesh: LinkSender = {
      send: (to, bytes, { reliability } = {}) => {
        this.transmit([to], { type: "bytes", bytes }, reliability === "unreliable")
        return true
      },
      congested: (to) => this.#isClogged(to),
      isUnderWay: () => false,
      heartbeatLane: () => "reliable" as const,
      windowBytes: () => null,
    }
    // The simulation of an overlay passes on messages that are decoded and verified already.
    const overlay: NonNullable<MemberLinks["overlay"]> = {
      isDistant: () => true,
      carry: (to, message, carried, how) => {
        if (carried) this.transmit(to, { type: "frame", ...carried }, how === "unreliable")
        if (message.type === "heartbeat" || message.type === "acknowledgement") this.transmit(to, message)
      },
      admitted: () => undefined,
      dismissed: () => undefined,
      receive: () => Promise.resolve(null),
    }
    return new MemberLinks(mesh, isOverlay ? overlay : null)
  }

  #isClogged(peer: MemberId): boolean {
    const { network } = this.world
    const isClogged = network instanceof Network && network.isClogged(this.name, this.nameOf(peer))
    if (isClogged) this.#clogged.add(peer)
    return isClogged
  }

  #tellReady(): void {
    for (const peer of this.#clogged) {
      if (this.#isClogged(peer)) continue
      this.#clogged.delete(peer)
      this.driver.handle({ type: "ready", peer })
    }
  }

  /** Sees the keys, as a call does. The proof waits for its worker, at most until the view changes. */
  get #media(): NonNullable<DriverConfig["media"]> {
    let view = ""
    return {
      onAgreeing: ({ id }) => void (view = id),
      onKeyed: ({ id }: View, epochKey) => {
        if (this.alive) this.#recordKey(id, bytesToHex(sha256(epochKey)))
      },
      onceInstalled: (run) => void this.#threads.done(view).then((proved) => proved === view && run()),
      onSecured: () => undefined,
    }
  }

  /**
   * The record of a step of the group precedes what the driver makes of it. A key that comes with the last messages of
   * a view is from before the next view.
   */
  #recordKey(id: View["id"], key: string): void {
    const { trace } = this.world
    const event = { t: this.now(), e: "keyed", p: this.name, id, key, module: this.#module } as const
    const at = trace.findLastIndex((other) => other.e === "view" && other.p === this.name)
    const isOfStep = trace[at]?.t === event.t && this.group.view.id !== id
    trace.splice(isOfStep ? at : trace.length, 0, event)
  }

  // Events of the driver

  #taken(event: DriverEvent): void | Promise<void> {
    try {
      return this.onEvent(event)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** @throws Error on an event that must not come */
  protected onEvent(event: DriverEvent): void | Promise<void> {
    return this.application.handle(event)
  }

  /** The run ends with it. */
  #fail(error: unknown): void {
    if (!this.alive) return
    this.world.events.after(0, () => {
      throw error
    })
  }

  /** Digest of the hosts' statements that it knows. */
  protected get statementsDigest(): Uint8Array {
    return new Uint8Array(32)
  }

  protected onNotice(bytes: Uint8Array): void {
    throw new Error(`nobody sends notices, but ${bytes.length} bytes came`)
  }

  // Inputs

  protected override onTick(): void {
    this.#tellReady()
    this.driver.tick(this.now())
    if (this.#module === "majority" && this.random.chance(RENEWS)) this.driver.refresh()
    this.application.onTick()
  }

  protected override onLinkUp(peer: MemberId, incarnation: number, distant: boolean): void {
    if (!this.alive) return
    const credential = this.#threads.credentialOf(peer)
    this.driver.handle({ type: "linkUp", peer, incarnation, credential, keys, features: [], distant })
  }

  protected override onLinkDown(peer: MemberId): void {
    if (this.alive) this.driver.handle({ type: "linkDown", peer, reason: "simulated" })
  }

  protected override onMessage(from: MemberId, message: MeshMessage | WireMessage): void {
    if (!this.alive) return
    switch (message.type) {
      case "bytes":
        return this.driver.handle({ type: "frame", peer: from, bytes: message.bytes })
      case "notice":
        return this.onNotice(message.bytes)
      case "frame":
        return this.driver.handle({ type: "carried", carried: message })
      case "heartbeat":
        return this.driver.handle({ type: "heartbeat", peer: from, heartbeat: message.heartbeat })
    }
  }

  protected override sayGoodbye(): void {
    void this.driver.close()
  }

  protected override get isIdle(): boolean {
    return this.application.isIdle
  }

  override refresh(): void {
    if (this.alive) this.driver.changeView()
  }

  override propose(members: readonly MemberId[]): void {
    this.group.propose(members)
  }
}
